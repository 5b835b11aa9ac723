import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { storedCancellationRules } from '../values/cancellation-rules.ts';
import { PAYMENT_REFUSALS } from '../claim/stages.ts';
import { storedMoney, storedShare, storedSum } from '../values/money.ts';
import { personal } from '../values/fields.ts';
import { storedPrice } from '../values/price.ts';
import { type AgreedTerm, agreedTerm, period } from './term.ts';

const status = z.enum(['accepted', 'active']).describe('accepted until cover begins, then active.');
const autoRenew = z.boolean().describe('Whether the policy renews automatically.');

const ids = {
  policyId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
  currency: z.string(),
};
/** What every event of a policy carries: the ids by which readers route it, and the currency of its amounts. */
export const policyIdsSchema = z.object(ids);

const holder = z.object({
  name: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
});

/** What a purchase and an import both record. */
const opening = {
  policyNumber: z.string(),
  status,
  merchantName: z.string(),
  merchantShortCode: z.string(),
  holder,
  customerReference: z.string().nullable().describe("The merchant's number of the customer at that time."),
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  renewable: z.boolean().describe('Whether policies of the product can be renewed.'),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
  timeZone: z.string().describe("IANA name of the environment's time zone."),
  term: agreedTerm,
  autoRenew,
};
/** The part of it that no later event changes. The state of a policy has it as it is here. */
export const openingContract = z.object(opening).omit({ status: true, term: true, autoRenew: true });

const risk = personal(z.record(z.string(), z.json()), 'customer').describe(
  'As it was sent: `additional_information` of the quote request, or the columns `risk_*` of an import.',
);

/** Details of a term that only a row of an import has. */
const importedDetails = {
  risk,
  paymentFrequency: z.string().nullable(),
  premiumParts: z.record(z.string(), storedMoney).describe('Premium of each guarantee: the columns `premium_*`.'),
};

export const PolicyImported = defineEvent('PolicyImported.v1', 'A policy was imported, with its first term.', {
  ...ids,
  ...opening,
  ...importedDetails,
});

export const PolicyTermImported = defineEvent(
  'PolicyTermImported.v1',
  'Another term of an imported policy; its days may be before those of terms imported earlier.',
  {
    ...ids,
    status: status.describe('Status of the policy with this term, which may be the first that has begun.'),
    term: agreedTerm,
    autoRenew,
    ...importedDetails,
  },
);

const beneficiary = z.object({
  beneficiaryId: uuid,
  name: personal(z.string(), 'beneficiary'),
  relationship: personal(z.string().nullable(), 'beneficiary'),
  sharePercent: storedShare.nullable().describe('Percentage of what is paid; all beneficiaries have one, or none.'),
});
export type Beneficiary = z.infer<typeof beneficiary>;

export const PolicyPurchased = defineEvent('PolicyPurchased.v1', 'A policy was purchased with a quote.', {
  ...ids,
  ...opening,
  boughtOn: day.describe('In the time zone.'),
  quoteCode: z.string(),
  productPlan: z.string().nullable().describe('As the offer named it.'),
  tierName: z.string().nullable().describe('As the offer named it.'),
  waits: z.boolean().describe('Whether it is not on risk before it is activated by the platform.'),
  cancellation: storedCancellationRules.nullable(),
  risk,
  beneficiaries: z.array(beneficiary),
});

export const PolicyActivated = defineEvent(
  'PolicyActivated.v1',
  'An accepted policy became active on its start day, or the platform let the cover of a policy that waited begin.',
  {
    ...ids,
    cause: z
      .enum(['start_day', 'back_office'])
      .describe('The first day was reached, or a waiting policy was activated.'),
    status: status.describe('Afterwards: one that is activated before its first day stays accepted until then.'),
    movedTerm: z
      .object({ termId: uuid, from: day, through: day })
      .nullable()
      .describe(
        'New days of the first term, which begins on the day of a later activation; null where it did not move.',
      ),
  },
);

/** What is returned of a term. */
const returned = z.object({ termId: uuid, from: day, through: day, ...storedPrice.shape });
export type Returned = z.infer<typeof returned>;

export const PolicyRenewed = defineEvent('PolicyRenewed.v1', 'A policy was renewed with another term.', {
  ...ids,
  autoRenew,
  term: agreedTerm,
  coverageChange: z
    .object({
      kind: z.enum(['additional', 'modified']).describe('Whether cover was added or changed.'),
      details: personal(z.record(z.string(), z.json()), 'customer').describe('As the merchant sent them.'),
    })
    .nullable(),
});

const changedTerm = z.object({
  termId: uuid,
  from: day,
  through: day,
  ...storedPrice.shape,
  periods: z.array(period).describe('They replace the periods of the term from the first day of the first of them on.'),
  difference: storedPrice.describe('What the term costs more than before.'),
});
export type ChangedTermData = z.infer<typeof changedTerm>;

export const PolicyChanged = defineEvent(
  'PolicyChanged.v1',
  'Coverages of a policy were changed from its business day on, which is still to come unless a reinstatement repeats the change.',
  {
    ...ids,
    reason: personal(z.string().nullable(), 'customer'),
    changes: personal(z.array(z.record(z.string(), z.json())), 'customer').describe('As asked for, amounts as texts.'),
    terms: z.array(changedTerm).describe('The rest of the term of the day and every later term, at their new prices.'),
  },
);

export const PolicyChangeWithdrawn = defineEvent(
  'PolicyChangeWithdrawn.v1',
  'A change of coverages was taken back before its business day, because cover ends earlier.',
  {
    ...ids,
    changeId: uuid.describe('Id of the event of the change.'),
    terms: z.array(changedTerm).describe('Its terms, with the prices that they had before the change.'),
  },
);

export const TermWithdrawn = defineEvent(
  'TermWithdrawn.v1',
  'The last term of a policy was taken back before it began; its premium is returned in full, and the policy no longer renews automatically.',
  { ...ids, reason: personal(z.string(), 'customer'), returned },
);

export const BeneficiariesSet = defineEvent('BeneficiariesSet.v1', 'The beneficiaries of a policy were replaced.', {
  ...ids,
  beneficiaries: z.array(beneficiary).describe('None: there are no longer any.'),
});

export const AutoRenewalSwitched = defineEvent('AutoRenewalSwitched.v1', 'Automatic renewal was switched on or off.', {
  ...ids,
  autoRenew,
});

export const AutoRenewalStopped = defineEvent(
  'AutoRenewalStopped.v1',
  'A due renewal cannot succeed, so automatic renewal was switched off.',
  {
    ...ids,
    reason: z.string().describe('`provider_withdrawn`, `product_withdrawn` or `premium_out_of_range`.'),
  },
);

/** The rule by which a cancellation returns what it returns (docs/insurance.md#end). */
export const REFUND_RULES = ['cooling_off', 'none_after_claim', 'pro_rata', 'not_begun'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];

export const PolicyCancelled = defineEvent(
  'PolicyCancelled.v1',
  'A policy was cancelled. The business day is the last day of cover, which may be still to come.',
  {
    ...ids,
    cancelledAt: instant.describe(
      'When cover ends, in UTC: the instant of the decision if it is on that day, else the last second of the day.',
    ),
    decidedOn: day.describe('Day of the decision in the time zone.'),
    initiator: z.string(),
    reason: personal(z.string().nullable(), 'customer').describe('Null where an import does not know it.'),
    merchantFeedback: personal(z.string().nullable(), 'customer'),
    alternativeOfferings: personal(z.json().nullable(), 'customer'),
    refundRule: z
      .enum(REFUND_RULES)
      .nullable()
      .describe('Rule of the term of the day; null: an import gave the amount.'),
    returned: z.array(returned).describe('The term of the last day and every later one; an amount may be 0.00.'),
  },
);

export const PolicyDeclined = defineEvent(
  'PolicyDeclined.v1',
  'The insurer declined an accepted policy; it never covers anything, and its premium is returned in full.',
  {
    ...ids,
    declinedAt: instant.describe('When it was declined, in UTC.'),
    reason: personal(z.string(), 'customer'),
    returned: z.array(returned).describe('What is returned of each term.'),
  },
);

export const PolicyReinstated = defineEvent(
  'PolicyReinstated.v1',
  'A cancellation was undone: the terms are as before it, and cover goes on without a gap. The business day is that of the cancellation.',
  {
    ...ids,
    reason: personal(z.string(), 'customer'),
    autoRenew,
    reinstated: z.array(returned).describe('What the cancellation had returned, and what is owed again.'),
  },
);

const payment = { claimId: uuid, paymentId: uuid };

export const ClaimPaymentBooked = defineEvent(
  'ClaimPaymentBooked.v1',
  'A payment of a claim was booked: it is made, and counts against the limit of its coverage in its term. Its business day is the day of the payment.',
  {
    ...ids,
    ...payment,
    termId: uuid.describe('The term of the incident.'),
    coverageName: z.string().nullable().describe('Null where the claim names none.'),
    incidentDate: day,
    amount: storedMoney,
  },
);

/** As it is recorded, the payment can never be booked later. */
export const ClaimPaymentRefused = defineEvent(
  'ClaimPaymentRefused.v1',
  'The policy does not book a payment of a claim, because the limit of the coverage would be passed, or the day of the incident is no longer covered.',
  {
    ...ids,
    ...payment,
    reason: z.enum(PAYMENT_REFUSALS),
    limitLeft: storedSum.nullable().describe('What was left of the limit of the coverage, if that was the reason.'),
  },
);

export const ClaimPaymentUnbooked = defineEvent('ClaimPaymentUnbooked.v1', 'A payment of a claim was reversed.', {
  ...ids,
  ...payment,
  amount: storedMoney,
});

/** Every event of a policy. */
export const POLICY_EVENTS = [
  PolicyImported,
  PolicyTermImported,
  PolicyPurchased,
  PolicyActivated,
  PolicyRenewed,
  PolicyChanged,
  PolicyChangeWithdrawn,
  TermWithdrawn,
  BeneficiariesSet,
  AutoRenewalSwitched,
  AutoRenewalStopped,
  PolicyCancelled,
  PolicyDeclined,
  PolicyReinstated,
  ClaimPaymentBooked,
  ClaimPaymentRefused,
  ClaimPaymentUnbooked,
] as const;

export type PolicyEvent = EventOf<(typeof POLICY_EVENTS)[number]>;
/** The event with which a policy begins. */
export type FirstPolicyEvent = Extract<PolicyEvent, { readonly type: 'PolicyImported' | 'PolicyPurchased' }>;

/** An event that agrees a term. */
export type EventWithTerm = Extract<PolicyEvent, { readonly data: { readonly term: AgreedTerm } }>;

export function isFirstEvent<E extends PolicyEvent>(event: E): event is Extract<E, FirstPolicyEvent> {
  return event.type === 'PolicyImported' || event.type === 'PolicyPurchased';
}
