import { z } from 'zod';
import type { Day } from '#event-sourcing/time.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import type { FieldError } from '#domain/refusals.ts';
import { INFORMATION } from './additional-information.ts';
import { policyDuration } from '../shared/fields.ts';
import { customerMetadata } from './customer-metadata.ts';
import { amount, anyObject, shortText } from './risk-fields.ts';

/** Types with free-form `additional_information`. */
const FREE_TYPES = [
  'Life',
  'Student_Protection',
  'Accident',
  'CreditLife',
  'PetCare',
  'General',
  'Other',
] as const satisfies readonly (typeof PRODUCT_TYPES)[number][];

/** With a title, because generated clients name their types by it. */
const branch = <Type extends string, Information extends z.ZodType>(type: Type, information: Information) =>
  z
    .strictObject({ product_type: z.literal(type), additional_information: information })
    .meta({ title: `${type.replace('_', '')}Insurance` });

const insuranceDetails = z.discriminatedUnion(
  'product_type',
  [
    branch('Auto', INFORMATION.Auto),
    branch('Gadget', INFORMATION.Gadget),
    branch('Health', INFORMATION.Health),
    branch('Home', INFORMATION.Home),
    branch('Personal_Accident', INFORMATION.Personal_Accident),
    branch('Travel', INFORMATION.Travel),
    branch('Cargo', INFORMATION.Cargo),
    z
      .strictObject({ product_type: z.enum(FREE_TYPES), additional_information: anyObject.default({}) })
      .meta({ title: 'OtherInsurance' }),
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${PRODUCT_TYPES.join(', ')}` : undefined) },
);

const coveragePreferences = z.strictObject({
  coverage_type: z
    .array(shortText)
    .max(100, 'must have at most 100 entries')
    .optional()
    .meta({ description: 'Keeps offers with a coverage of at least one of these types' }),
  coverage_amount: amount.optional().meta({ description: 'Keeps offers with a coverage limit of at least this' }),
  additional_coverages: z
    .array(shortText)
    .max(100, 'must have at most 100 entries')
    .optional()
    .meta({ description: 'Keeps offers that have coverages of all of these names' }),
});

export const requestQuotesInput = z.strictObject({
  customer_metadata: customerMetadata
    .optional()
    .meta({ description: 'The customer; may also be given when the quote is bought' }),
  insurance_details: insuranceDetails,
  coverage_preferences: coveragePreferences.optional(),
  policy_duration: policyDuration
    .optional()
    .meta({ description: 'The days for which the quotes are priced; a year when left out' }),
});

type QuoteRequestInput = z.output<typeof requestQuotesInput>;
export type CoveragePreferences = z.output<typeof coveragePreferences>;

/** Returns the errors of a request that depend on the present day. */
export function checkDates({ customer_metadata: customer, insurance_details: details }: QuoteRequestInput, today: Day) {
  const errors: FieldError[] = [];
  const birthDate = customer?.date_of_birth;
  if (birthDate !== undefined && birthDate > today) {
    errors.push({ field: 'customer_metadata.date_of_birth', message: 'must not be in the future' });
  }
  const year = Number(today.slice(0, 4));
  if (details.product_type === 'Auto' && Number(details.additional_information.vehicle_year) > year) {
    const field = 'insurance_details.additional_information.vehicle_year';
    errors.push({ field, message: `must be a whole number from 1950 to ${year}` });
  }
  return errors;
}
