import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { storedCancellationRules } from '../values/cancellation-rules.ts';
import { PAYMENT_REFUSALS } from '../claim/stages.ts';
import { storedMoney, storedShare, storedSum } from '../values/money.ts';
import { personal } from '../values/personal.ts';
import { storedPrice } from '../values/price.ts';
import { type AgreedTerm, agreedTerm, period } from './term.ts';

/** The ids by which readers route a policy's events, and the currency of its amounts. */
const ids = {
  policyId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
  currency: z.string(),
};

const holder = z.object({
  name: personal(z.string(), 'customer'),
  email: personal(z.string(), 'customer'),
  phone: personal(z.string().nullable(), 'customer'),
  address: personal(z.string().nullable(), 'customer'),
});

const contract = {
  ...ids,
  policyNumber: z.string(),
  status: z.enum(['accepted', 'active']),
  merchantName: z.string(),
  merchantShortCode: z.string(),
  holder,
  /** The merchant's number of the customer, as it was then; null where it had none. */
  customerReference: z.string().nullable(),
  provider: z.object({ id: uuid, name: z.string(), email: z.string().nullable() }),
  product: z.object({ id: uuid, name: z.string(), type: z.string() }),
  renewable: z.boolean(),
  inspectionRequired: z.boolean(),
  certificationRequired: z.boolean(),
  /** IANA name of the environment's time zone. */
  timeZone: z.string(),
  term: agreedTerm,
  autoRenew: z.boolean(),
};

/** The risk as it was sent: `additional_information` of the quote request, or the columns `risk_*` of an import. */
const risk = personal(z.record(z.string(), z.json()), 'customer');

/** Details of a term that only a row of an import has. */
const importedDetails = {
  risk,
  paymentFrequency: z.string().nullable(),
  /** Premium of each guarantee: the columns `premium_*`. */
  premiumParts: z.record(z.string(), storedMoney),
};

/** A policy was imported, with its first term. */
export const PolicyImported = defineEvent('PolicyImported.v1', { ...contract, ...importedDetails });

/** Another term of an imported policy. */
export const PolicyTermImported = defineEvent('PolicyTermImported.v1', {
  ...ids,
  /** Status of the policy with this term, which may be the first that has begun. */
  status: z.enum(['accepted', 'active']),
  term: agreedTerm,
  /** Whether the policy renews automatically with this term. */
  autoRenew: z.boolean(),
  ...importedDetails,
});

const beneficiary = z.object({
  beneficiaryId: uuid,
  name: personal(z.string(), 'beneficiary'),
  relationship: personal(z.string().nullable(), 'beneficiary'),
  /** Percentage of what is paid; all beneficiaries have one, or none. */
  sharePercent: storedShare.nullable(),
});
export type Beneficiary = z.infer<typeof beneficiary>;

/** A policy was purchased with a quote, with its first term. */
export const PolicyPurchased = defineEvent('PolicyPurchased.v1', {
  ...contract,
  /** In the time zone. */
  boughtOn: day,
  quoteCode: z.string(),
  /** Plan and tier as the offer named them. */
  productPlan: z.string().nullable(),
  tierName: z.string().nullable(),
  /** Whether cover begins with ActivatePolicy alone. */
  waits: z.boolean(),
  cancellation: storedCancellationRules.nullable(),
  risk,
  beneficiaries: z.array(beneficiary),
});

/** An accepted policy became active on its first day, or the back office activated a policy that waited. */
export const PolicyActivated = defineEvent('PolicyActivated.v1', {
  ...ids,
  cause: z.enum(['start_day', 'back_office']),
  /** Status afterwards: a policy that is activated before its first day stays accepted until then. */
  status: z.enum(['accepted', 'active']),
  /** The term that begins on the day of a later activation, with its new days; null where none moved. */
  movedTerm: z.object({ termId: uuid, from: day, through: day }).nullable(),
});

/** What is returned of a term. */
const returned = z.object({ termId: uuid, from: day, through: day, ...storedPrice.shape });
export type Returned = z.infer<typeof returned>;

/** A policy was renewed: a new term follows the last one. */
export const PolicyRenewed = defineEvent('PolicyRenewed.v1', {
  ...ids,
  autoRenew: z.boolean(),
  term: agreedTerm,
  /** As the merchant sent it. */
  coverageChange: z
    .object({
      kind: z.enum(['additional', 'modified']),
      details: personal(z.record(z.string(), z.json()), 'customer'),
    })
    .nullable(),
});

const changedTerm = z.object({
  termId: uuid,
  from: day,
  through: day,
  ...storedPrice.shape,
  /** They replace the periods of the term from the first day of the first of them on. */
  periods: z.array(period),
  /** What it costs more than before. */
  difference: storedPrice,
});
export type ChangedTermData = z.infer<typeof changedTerm>;

/** Coverages were changed: the rest of the term of the day, and every later term. */
export const PolicyChanged = defineEvent('PolicyChanged.v1', {
  ...ids,
  reason: personal(z.string().nullable(), 'customer'),
  /** As they were asked for, amounts as texts. */
  changes: personal(z.array(z.record(z.string(), z.json())), 'customer'),
  terms: z.array(changedTerm),
});

/** A change was taken back before it took effect, because cover ends earlier. */
export const PolicyChangeWithdrawn = defineEvent('PolicyChangeWithdrawn.v1', {
  ...ids,
  /** Id of the event of the change. */
  changeId: uuid,
  /** As they were before the change. */
  terms: z.array(changedTerm),
});

/** The last term was taken back before it began. */
export const TermWithdrawn = defineEvent('TermWithdrawn.v1', {
  ...ids,
  reason: personal(z.string(), 'customer'),
  returned,
});

/** The beneficiaries of a policy were replaced by these. */
export const BeneficiariesSet = defineEvent('BeneficiariesSet.v1', { ...ids, beneficiaries: z.array(beneficiary) });

export const AutoRenewalSwitched = defineEvent('AutoRenewalSwitched.v1', { ...ids, autoRenew: z.boolean() });

/** A due renewal cannot succeed: automatic renewal is switched off. */
export const AutoRenewalStopped = defineEvent('AutoRenewalStopped.v1', { ...ids, reason: z.string() });

/** The rule by which a cancellation returns what it returns (docs/insurance.md#end). */
export const REFUND_RULES = ['cooling_off', 'none_after_claim', 'pro_rata', 'not_begun'] as const;
export type RefundRule = (typeof REFUND_RULES)[number];

/** A policy was cancelled. Its cover ends with the day `effectiveAt`. */
export const PolicyCancelled = defineEvent('PolicyCancelled.v1', {
  ...ids,
  /** When cover ends: the instant of the decision if it is on that day, else the last second of the day. */
  cancelledAt: instant,
  /** Day of the decision in the time zone. */
  decidedOn: day,
  initiator: z.string(),
  /** Null where an import does not know it. */
  reason: personal(z.string().nullable(), 'customer'),
  merchantFeedback: personal(z.string().nullable(), 'customer'),
  alternativeOfferings: personal(z.json().nullable(), 'customer'),
  /** The rule of the term that contains the day; null where an import gave the amount. */
  refundRule: z.enum(REFUND_RULES).nullable(),
  /** The term of the last day of cover and every later one; what is returned of it may be 0.00. */
  returned: z.array(returned),
});

/** The insurer declined a policy before its cover began: every premium is returned. */
export const PolicyDeclined = defineEvent('PolicyDeclined.v1', {
  ...ids,
  declinedAt: instant,
  reason: personal(z.string(), 'customer'),
  returned: z.array(returned),
});

/** A cancellation was undone: the timeline is as before it, and every returned amount is owed again. */
export const PolicyReinstated = defineEvent('PolicyReinstated.v1', {
  ...ids,
  reason: personal(z.string(), 'customer'),
  autoRenew: z.boolean(),
  reinstated: z.array(returned),
});

/** A payment of a claim was booked on the policy: it counts against the limit of the coverage in the term of the incident. */
export const ClaimPaymentBooked = defineEvent('ClaimPaymentBooked.v1', {
  ...ids,
  claimId: uuid,
  paymentId: uuid,
  termId: uuid,
  /** Null where the claim names none. */
  coverageName: z.string().nullable(),
  incidentDate: day,
  amount: storedMoney,
});

/** A payment was not booked. As it is recorded, the payment can never be booked later. */
export const ClaimPaymentRefused = defineEvent('ClaimPaymentRefused.v1', {
  ...ids,
  claimId: uuid,
  paymentId: uuid,
  reason: z.enum(PAYMENT_REFUSALS),
  /** What was left of the limit of the coverage; null where the limit was not the reason. */
  limitLeft: storedSum.nullable(),
});

/** A booked payment was reversed. */
export const ClaimPaymentUnbooked = defineEvent('ClaimPaymentUnbooked.v1', {
  ...ids,
  claimId: uuid,
  paymentId: uuid,
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
