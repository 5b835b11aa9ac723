import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { personal } from '../values/personal.ts';
import { uuid } from '#event-sourcing/identifiers.ts';
import { storedMoney, storedSum } from '../values/money.ts';
import { PAYMENT_REFUSALS, STAGES } from './stages.ts';

/** The ids by which readers route a claim's events, and the currency of its amounts. */
const ids = {
  claimId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
  policyId: uuid,
  currency: z.string(),
};

const claimant = z.object({
  name: personal(z.string(), 'claimant'),
  email: personal(z.string(), 'claimant'),
  phone: personal(z.string().nullable(), 'claimant'),
});

/** What is claimed. */
const details = z.object({
  claimType: z.string(),
  incidentDate: day,
  incidentDescription: personal(z.string().nullable(), 'claimant'),
  amount: storedMoney.nullable(),
});
export type ClaimDetails = z.infer<typeof details>;

/** The coverage of the policy under which a claim is made, as it was on the day of the incident. */
const coverage = z.object({
  name: z.string(),
  limit: storedMoney.nullable(),
  deductible: storedMoney.nullable(),
});
export type ClaimCoverage = z.infer<typeof coverage>;

const filing = {
  ...ids,
  merchantShortCode: z.string(),
  policyNumber: z.string(),
  reference: z.string(),
  filedOn: day,
  claimant,
  details,
  /** Null until it is known. */
  coverage: coverage.nullable(),
  insurer: z.object({ id: uuid, name: z.string() }),
  product: z.object({ name: z.string(), type: z.string() }),
  /** IANA name. The days of a claim, and the times of its timeline, are those of the policy's zone. */
  timeZone: z.string(),
};

const storedDocument = z.object({
  name: z.string(),
  evidenceType: z.string().nullable(),
  /** By its first bytes. */
  contentType: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int(),
  uploadedAt: instant,
});

export type StoredClaimDocument = z.infer<typeof storedDocument>;

/** A claim was filed. */
export const ClaimSubmitted = defineEvent('ClaimSubmitted.v1', {
  ...filing,
  /** The claimant, where it is not the policy holder. */
  claimantMetadata: personal(z.record(z.string(), z.string()).nullable(), 'claimant'),
  /** The contents are in records under their SHA-256. */
  documents: z.array(storedDocument),
});

const payment = z.object({
  paymentId: uuid,
  amount: storedMoney,
  paidOn: day,
  reference: personal(z.string().nullable(), 'claimant'),
});
export type Payment = z.infer<typeof payment>;

/** The filing of an imported claim. What has become of it since is in the same append. */
export const ClaimImported = defineEvent('ClaimImported.v1', filing);
/** The status of an imported claim, on the day of `effectiveAt`. One that is only submitted has no such event. */
export const ClaimSettlementImported = defineEvent('ClaimSettlementImported.v1', {
  ...ids,
  stage: z.enum(['approved', 'offer sent', 'offer accepted', 'paid', 'denied', 'withdrawn']),
  /** Null where the row has none. */
  approvedAmount: storedMoney.nullable(),
  /** Of an offer that is open or accepted. */
  offerAmount: storedMoney.nullable(),
  /** Of a paid claim. */
  payment: payment.nullable(),
});

const note = personal(z.string().nullable(), 'claimant');
const reason = personal(z.string(), 'claimant');
export const ClaimReviewStarted = defineEvent('ClaimReviewStarted.v1', { ...ids, note });
export const ClaimSentForApproval = defineEvent('ClaimSentForApproval.v1', { ...ids, note });
export const ClaimApproved = defineEvent('ClaimApproved.v1', {
  ...ids,
  /** After the deductible, with what was paid already. */
  approvedAmount: storedMoney,
  coverage: coverage.nullable(),
  /** Whether what was paid before the claim was reopened is all that is approved. */
  isPaid: z.boolean(),
});
export const ClaimOfferSent = defineEvent('ClaimOfferSent.v1', { ...ids, offerAmount: storedMoney });
export const ClaimOfferAccepted = defineEvent('ClaimOfferAccepted.v1', ids);
export const ClaimOfferRejected = defineEvent('ClaimOfferRejected.v1', { ...ids, reason });

/** A payment was decided. The claim takes nothing but its end, until the policy has booked or refused it. */
export const ClaimPaymentStarted = defineEvent('ClaimPaymentStarted.v1', {
  ...ids,
  payment,
  /** The coverage and the day of the incident for which the policy books it; the coverage is null where the claim names none. */
  coverageName: z.string().nullable(),
  incidentDate: day,
  /** Whether nothing is paid after it. */
  isFinal: z.boolean(),
});
/** A payment was booked on the policy. */
export const ClaimPaid = defineEvent('ClaimPaid.v1', {
  ...ids,
  /** Null where the claim was closed without another payment. */
  payment: payment.nullable(),
  /** Whether the claim is paid with it. */
  isFinal: z.boolean(),
  /** What is left to pay afterwards. */
  outstanding: storedSum,
});
/** The policy did not book the payment. */
export const ClaimPaymentRejected = defineEvent('ClaimPaymentRejected.v1', {
  ...ids,
  paymentId: uuid,
  reason: z.enum(PAYMENT_REFUSALS),
  /** What was left of the limit of the coverage; null where the limit was not the reason. */
  limitLeft: storedSum.nullable(),
});
/** The reversal of a payment was decided. The claim takes nothing but its end. */
export const ClaimPaymentReversalStarted = defineEvent('ClaimPaymentReversalStarted.v1', {
  ...ids,
  paymentId: uuid,
  reason,
});
/** A payment counts nowhere from this day on. */
export const ClaimPaymentReversed = defineEvent('ClaimPaymentReversed.v1', {
  ...ids,
  paymentId: uuid,
  amount: storedMoney,
  reason,
  /** Where the claim stands afterwards: a paid one is open again. */
  stage: z.enum(STAGES),
  /** What is left to pay afterwards. */
  outstanding: storedSum,
});

export const ClaimDenied = defineEvent('ClaimDenied.v1', { ...ids, reason });
export const ClaimWithdrawn = defineEvent('ClaimWithdrawn.v1', { ...ids, reason });
export const ClaimReopened = defineEvent('ClaimReopened.v1', { ...ids, reason });
/** What is claimed was corrected. */
export const ClaimRevised = defineEvent('ClaimRevised.v1', {
  ...ids,
  details,
  coverage: coverage.nullable(),
  reason,
  /** Whether an approval and an offer are void, so that the claim is under review again. */
  isReviewedAgain: z.boolean(),
});
export const ClaimNoteAdded = defineEvent('ClaimNoteAdded.v1', { ...ids, text: personal(z.string(), 'claimant') });

/** The contents are in records under their SHA-256. */
export const ClaimDocumentsAdded = defineEvent('ClaimDocumentsAdded.v1', {
  ...ids,
  documents: z.array(storedDocument),
});

/** The definitions of all events of a claim. */
export const CLAIM_EVENTS = [
  ClaimSubmitted,
  ClaimImported,
  ClaimSettlementImported,
  ClaimReviewStarted,
  ClaimSentForApproval,
  ClaimApproved,
  ClaimOfferSent,
  ClaimOfferAccepted,
  ClaimOfferRejected,
  ClaimPaymentStarted,
  ClaimPaid,
  ClaimPaymentRejected,
  ClaimPaymentReversalStarted,
  ClaimPaymentReversed,
  ClaimDenied,
  ClaimWithdrawn,
  ClaimReopened,
  ClaimRevised,
  ClaimNoteAdded,
  ClaimDocumentsAdded,
] as const;

export type ClaimEvent = EventOf<(typeof CLAIM_EVENTS)[number]>;
/** The event with which a claim begins. */
export type ClaimFiling = Extract<ClaimEvent, { readonly type: 'ClaimSubmitted' | 'ClaimImported' }>;

export function isFiling<E extends ClaimEvent>(event: E): event is Extract<E, ClaimFiling> {
  return event.type === 'ClaimSubmitted' || event.type === 'ClaimImported';
}
