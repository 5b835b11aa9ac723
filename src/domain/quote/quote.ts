import { z } from 'zod';
import type { Aggregate } from '#event-sourcing/aggregate.ts';
import { type Instant, instant } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf, type RecordedEvent } from '#event-sourcing/event.ts';
import { personal } from '../values/fields.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { storedCancellationRules } from '../values/cancellation-rules.ts';
import { storedEligibility } from '../values/eligibility.ts';
import { storedMoney, storedSum } from '../values/money.ts';
import { storedRates } from '../values/price.ts';

export const quoteRequestStream = (requestId: string): string => `quoteRequest-${requestId}`;

export const QUOTE_DAYS = 30;

const offer = z.object({
  productId: uuid,
  productName: z.string(),
  productDescription: z.string(),
  productPlan: z.string().nullable(),
  tierName: z.string().nullable(),
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  coverages: z.array(
    z.object({
      name: z.string(),
      description: z.string().nullable(),
      type: z.string().nullable(),
      limit: storedMoney.nullable(),
      deductible: storedMoney.nullable(),
    }),
  ),
  currency: z.string(),
  basePrice: storedSum.describe('Of a year, before loadings and discount.'),
  annualNet: storedSum.describe('Net price of a year, from which `rates` give the price of a term of any length.'),
  rates: storedRates,
  premium: storedMoney.describe('Price of the asked duration, tax included; `price` has its parts.'),
  price: z.object({
    amount: storedSum.describe('Before the discount, without surcharges and tax.'),
    discount: storedSum,
    surcharges: storedMoney,
    commission: storedMoney,
    tax: storedMoney,
  }),
  cancellation: storedCancellationRules.nullable().describe('Null: the product has none.'),
  eligibility: storedEligibility,
  renewable: z.boolean(),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
});
export type Offer = z.infer<typeof offer>;

/** Why a product makes no offer: the names of the API. */
export const NO_OFFER_CODES = [
  'field_missing',
  'field_invalid',
  'not_eligible',
  'refused',
  'not_rated',
  'premium_out_of_range',
] as const;

const reason = z.object({
  code: z.enum(NO_OFFER_CODES),
  field: z.string().nullable().describe('The field of the request; null: no single one.'),
  message: z.string(),
});
export type NoOfferReason = z.infer<typeof reason>;

const notOffered = z.object({
  productId: uuid,
  productName: z.string(),
  providerName: z.string(),
  reasons: z.array(reason),
});
export type NotOffered = z.infer<typeof notOffered>;

const text = personal(z.string().optional(), 'customer');

/** The customer of a quote request, with the names of the API. */
const quotedCustomer = z.object({
  first_name: personal(z.string(), 'customer'),
  last_name: text,
  email: personal(z.string(), 'customer'),
  phone: text,
  residential_address: z
    .object({ street: text, city: text, state: text, country: text, house_number: text, postal_code: text })
    .optional(),
  date_of_birth: text,
  customer_gender: text,
  occupation: text,
  identity_card_img: text,
  utility_bill_img: text,
  identity_card_number: text,
  identity_card_type: text,
  identity_card_expiry_date: text,
});
export type QuotedCustomer = z.infer<typeof quotedCustomer>;

export const QuotesOffered = defineEvent('QuotesOffered.v1', 'A request for quotes, with its input and all offers.', {
  /** 12 lower-case hex digits (`quote-code.ts`). */
  requestId: z.string().regex(/^[0-7][0-9a-f]{11}$/),
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customer: quotedCustomer.nullable().describe('`customer_metadata` of the request.'),
  productType: z.string(),
  additionalInformation: personal(z.record(z.string(), z.json()), 'customer'),
  coveragePreferences: z
    .object({
      coverageTypes: z.array(z.string()),
      coverageAmount: storedMoney.nullable(),
      additionalCoverages: z.array(z.string()),
    })
    .nullable(),
  days: z.int().nullable().describe('The asked duration; null: a year.'),
  expiresAt: instant,
  offers: z.array(offer),
  notOffered: z.array(notOffered).describe('The products of the type that make no offer, as many as fit.'),
});

export type QuoteRequestEvent = EventOf<typeof QuotesOffered>;
export type QuoteRequestState = Omit<QuoteRequestEvent['data'], 'effectiveAt'>;

function evolve(_state: QuoteRequestState | undefined, event: RecordedEvent<QuoteRequestEvent>): QuoteRequestState {
  const { effectiveAt: _, ...details } = event.data;
  return details;
}

export const quoteRequest: Aggregate<QuoteRequestState, QuoteRequestEvent> = {
  category: 'quoteRequest',
  events: [QuotesOffered],
  evolve,
};

export function hasExpired(state: Pick<QuoteRequestState, 'expiresAt'>, now: Instant): boolean {
  return now >= state.expiresAt;
}
