import { z } from 'zod';
import { day } from '#event-sourcing/time.ts';
import { type OfferReference, parsePurchaseId, parseQuoteCode } from '#domain/quote/quote-code.ts';
import { beneficiariesInput } from './beneficiaries.ts';
import { customerMetadata } from '../quote/customer-metadata.ts';
import { withCrossFieldCheck, type AddIssue } from '../shared/checks.ts';
import { customerReference, line, policyDuration } from '../shared/fields.ts';

/** The body of `POST /api/v1/policies`. */
export const purchasePolicyInput = withCrossFieldCheck(
  z.strictObject({
    quote_code: line(64).optional(),
    purchase_id: line(64).optional(),
    customer_metadata: customerMetadata
      .optional()
      .meta({ description: 'The policy holder: needed when the quote was requested without one, and only then taken' }),
    customer_reference: customerReference
      .nullable()
      .optional()
      .meta({ description: "The merchant's number of the customer, who is found by it, or gets it" }),
    effective_from: day.optional().meta({ description: 'First day of cover; today when left out, never in the past' }),
    policy_duration: policyDuration
      .optional()
      .meta({ description: 'Days; 365 are a year; that of the quote when left out' }),
    auto_renew: z.boolean().default(false),
    beneficiaries: beneficiariesInput.default([]),
  }),
  checkQuoteReference,
);

export type PurchaseRequest = z.output<typeof purchasePolicyInput>;

/** At least one name of the quote is required; two names must name the same quote. */
function checkQuoteReference(values: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  const { quote_code: code, purchase_id: id } = values;
  if (code === undefined && id === undefined) addIssue(['quote_code'], 'must be given, or purchase_id instead');
  if (typeof code !== 'string' || typeof id !== 'string') return;
  const [byCode, byId] = [parseQuoteCode(code), parsePurchaseId(id)];
  if (byCode?.requestId === byId?.requestId && byCode?.index === byId?.index) return;
  for (const field of ['quote_code', 'purchase_id']) {
    addIssue([field], 'quote_code and purchase_id must name the same quote');
  }
}

/** Returns the offer that the purchase names; undefined when neither name is well-formed. */
export function offerReferenceOf({ quote_code: code, purchase_id: id }: PurchaseRequest): OfferReference | undefined {
  return parseQuoteCode(code ?? '') ?? parsePurchaseId(id ?? '');
}
