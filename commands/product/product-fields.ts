import { z } from 'zod';
import { normalise } from '#event-sourcing/identifiers.ts';
import { charactersOf, MAX_COVERAGE_CHARACTERS } from '#domain/policy/coverage-changes.ts';
import { moneyNotNegativeInput, moneyInput } from '#domain/values/money.ts';
import { currencyCode, line, productType, text } from '../shared/fields.ts';
import { compareDecimals, type Decimal, decimalOf } from '#domain/values/risk-values.ts';

function percentBetween(least: number, most: number) {
  const [lower, upper] = [wholeNumber(least), wholeNumber(most)];
  const isBetween = (text: string): boolean => {
    const value = decimalOf(text);
    return value !== undefined && compareDecimals(value, lower) >= 0 && compareDecimals(value, upper) <= 0;
  };
  return z
    .string()
    .regex(/^-?\d{1,6}(\.\d{1,6})?$/, {
      error: 'must be a decimal string with at most 6 integer and 6 decimal digits',
      abort: true,
    })
    .refine(isBetween, `must be ${least} to ${most}`)
    .meta({ description: `Decimal string, ${least} to ${most}, with at most 6 decimal digits`, examples: ['7.5'] });
}

const wholeNumber = (digits: number): Decimal => ({ digits: BigInt(digits), scale: 0 });

const percent = percentBetween(0, 100);

const loading = z
  .strictObject({
    /** A member of `additional_information`. */
    field: z.string().min(1),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    at_least: moneyInput.optional(),
    below: moneyInput.optional(),
    percent: percentBetween(-100, 1000).optional(),
    amount: moneyInput.optional(),
    label: z.string().min(1),
  })
  .refine(({ equals, at_least, below }) => equals !== undefined || at_least !== undefined || below !== undefined, {
    message: 'needs equals, at_least or below',
  })
  .refine((l) => (l.percent === undefined) !== (l.amount === undefined), { message: 'needs either percent or amount' });

/** How a price follows from the risk. Percents and amounts are decimal strings. */
export const ratingInput = z.strictObject({
  rate: z.strictObject({ field: z.string().min(1), percent }).optional(),
  loadings: z.array(loading).max(100).optional(),
  discount_percent: percent.optional(),
  minimum_premium: moneyNotNegativeInput.optional(),
  surcharge: moneyNotNegativeInput.optional(),
  tax_percent: percent.optional(),
  commission_percent: percent.optional(),
});

const coverageInput = z.strictObject({
  coverage_name: line(255),
  coverage_description: text(2000).nullable().optional(),
  coverage_type: line(255).nullable().optional(),
  coverage_limit: moneyNotNegativeInput.nullable().optional(),
  deductible: moneyNotNegativeInput.nullable().optional(),
});

const coveragesInput = uniquelyNamed(coverageInput, 'coverage_name', 100).refine(
  (coverages) =>
    charactersOf(
      coverages.map(({ coverage_name: name, coverage_type: type = null }) => {
        return { name, type };
      }),
    ) <= MAX_COVERAGE_CHARACTERS,
  `must have names and types of at most ${MAX_COVERAGE_CHARACTERS} characters in all`,
);

const tierInput = z.strictObject({
  tier_name: line(255),
  base_premium: moneyNotNegativeInput,
  rating: ratingInput.nullable().optional(),
  coverages: coveragesInput.optional(),
});

const valuesByField = z.record(line(100), z.array(z.union([z.string().max(1000), z.number(), z.boolean()])).max(1000));

const MAX_AGE = 150;
const ageMessage = `must be a whole number from 0 to ${MAX_AGE}`;
const age = z.int(ageMessage).min(0, ageMessage).max(MAX_AGE, ageMessage).nullable().optional();

const additionalInformation = z
  .strictObject({
    options: valuesByField.optional(),
    refused: valuesByField.optional(),
    min_age: age.meta({ description: 'Age in whole years from which a person can be insured' }),
    max_age: age.meta({ description: 'Age in whole years up to which a person can be insured' }),
  })
  .refine(({ min_age: least, max_age: most }) => (least ?? 0) <= (most ?? MAX_AGE), {
    path: ['max_age'],
    message: 'must not be below min_age',
  });

const MAX_COOLING_OFF = 60;
const coolingOffMessage = `must be 0 to ${MAX_COOLING_OFF} days`;

const cancellationRules = z.strictObject({
  cooling_off_days: z
    .int(coolingOffMessage)
    .min(0, coolingOffMessage)
    .max(MAX_COOLING_OFF, coolingOffMessage)
    .optional()
    .meta({ description: 'Days after the purchase through which a cancellation returns everything; 0: none' }),
  refund_after_claim: z
    .boolean()
    .optional()
    .meta({ description: 'Whether anything is returned of a term with a paid claim; true when left out' }),
  minimum_retained: moneyNotNegativeInput
    .optional()
    .meta({ description: 'Part of the net price of a term that is never returned' }),
});

export const productFields = {
  name: line(255),
  description: text(10_000),
  product_type: productType,
  base_premium: moneyNotNegativeInput,
  currency: currencyCode,
  product_plan: line(255).nullable(),
  rating: ratingInput.nullable(),
  coverages: coveragesInput,
  tiers: uniquelyNamed(tierInput, 'tier_name', 50),
  additional_information: additionalInformation
    .nullable()
    .meta({ description: 'Limits what quotes accept: allowed and refused values by field, and the age' }),
  cancellation: cancellationRules.nullable().meta({ description: 'What a cancellation returns' }),
  renewable: z.boolean(),
  inspection_required: z.boolean(),
  cerfication_required: z.boolean().meta({ description: 'Spelt so in the specification of the API' }),
  is_live: z.boolean(),
};

/** A list whose items have unique names, compared without case. */
function uniquelyNamed<Item extends z.ZodObject>(
  item: Item,
  nameField: keyof Item['shape'] & string,
  maxItems: number,
) {
  return z
    .array(item)
    .max(maxItems, `must have at most ${maxItems} entries`)
    .superRefine((items, issues) => {
      const seen = new Set<string>();
      for (const [index, each] of items.entries()) {
        const name = normalise(String(each[nameField as keyof typeof each]));
        if (seen.has(name)) issues.addIssue({ code: 'custom', path: [index, nameField], message: 'must be unique' });
        seen.add(name);
      }
    });
}

export type ProductInput = { readonly [Name in keyof typeof productFields]: z.output<(typeof productFields)[Name]> };
export type CoverageInput = z.output<typeof coverageInput>;
export type TierInput = z.output<typeof tierInput>;
