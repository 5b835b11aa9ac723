import { z } from 'zod';
import { day, instant } from '#event-sourcing/time.ts';
import { defineEvent, type EventOf } from '#event-sourcing/event.ts';
import { personal } from '../values/fields.ts';
import { sha256Hex, uuid } from '#event-sourcing/identifiers.ts';
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
  coverage: coverage.nullable().describe('Null until it is known.'),
  insurer: z.object({ id: uuid, name: z.string() }),
  product: z.object({ name: z.string(), type: z.string() }),
  timeZone: z.string().describe('IANA name. The days of the claim, and the times of its timeline, are of this zone.'),
};

const uploadedDocument = z.object({
  name: z.string(),
  evidenceType: z.string().nullable(),
  contentType: z.string().describe('By its first bytes.'),
  sha256: sha256Hex.describe('SHA-256 of the content.'),
  bytes: z.int(),
  uploadedAt: instant,
});

export type UploadedDocument = z.infer<typeof uploadedDocument>;

const documents = z.array(uploadedDocument).describe('Their contents are in records, under their SHA-256.');

export const ClaimSubmitted = defineEvent('ClaimSubmitted.v1', 'A claim was filed.', {
  ...filing,
  claimantMetadata: personal(z.record(z.string(), z.string()).nullable(), 'claimant').describe(
    'The claimant, where it is not the policy holder.',
  ),
  documents,
});

const paymentId = uuid.describe('Id of the payment.');
const amount = storedMoney.describe('The amount of the payment.');

const payment = z.object({
  paymentId,
  amount,
  paidOn: day.describe('The day of the payment.'),
  reference: personal(z.string().nullable(), 'claimant'),
});
export type Payment = z.infer<typeof payment>;

export const ClaimImported = defineEvent(
  'ClaimImported.v1',
  'A claim was imported: its filing. Its status and amounts are in the next event of the same append.',
  filing,
);

export const ClaimSettlementImported = defineEvent(
  'ClaimSettlementImported.v1',
  'The status of an imported claim, with its amounts. Its business day is the day of the settlement; of an open claim the day of the filing. A claim that is only submitted has none.',
  {
    ...ids,
    stage: z.enum(['approved', 'offer sent', 'offer accepted', 'paid', 'denied', 'withdrawn']),
    approvedAmount: storedMoney.nullable().describe('Null where the row has none.'),
    offerAmount: storedMoney.nullable().describe('Of an offer that is open or accepted.'),
    payment: payment.nullable().describe('Of a paid claim.'),
  },
);

const note = personal(z.string().nullable(), 'claimant');
const reason = personal(z.string(), 'claimant');
const outstanding = storedSum.describe('What is left to pay afterwards.');

export const ClaimReviewStarted = defineEvent('ClaimReviewStarted.v1', 'The review of a claim was started.', {
  ...ids,
  note,
});

export const ClaimSentForApproval = defineEvent('ClaimSentForApproval.v1', 'A claim was sent for approval.', {
  ...ids,
  note,
});

export const ClaimApproved = defineEvent('ClaimApproved.v1', 'A claim was approved.', {
  ...ids,
  approvedAmount: storedMoney.describe('After the deductible, with what was paid already.'),
  coverage: coverage.nullable(),
  isPaid: z.boolean().describe('Whether what was paid before the claim was reopened is all that is approved.'),
});

export const ClaimOfferSent = defineEvent('ClaimOfferSent.v1', 'An offer was sent to the claimant.', {
  ...ids,
  offerAmount: storedMoney,
});

export const ClaimOfferAccepted = defineEvent('ClaimOfferAccepted.v1', 'The claimant has accepted the offer.', ids);

export const ClaimOfferRejected = defineEvent(
  'ClaimOfferRejected.v1',
  'The claimant has rejected the offer; the claim is approved and waits for another one.',
  { ...ids, reason },
);

export const ClaimPaymentStarted = defineEvent(
  'ClaimPaymentStarted.v1',
  'A payment was decided. The policy has not booked it yet, so it counts nowhere, and the claim takes nothing but its end. Its business day is the day of the decision.',
  {
    ...ids,
    payment,
    coverageName: z.string().nullable().describe('For which the policy books it; null where the claim names none.'),
    incidentDate: day,
    isFinal: z.boolean().describe('Whether nothing is paid after it.'),
  },
);

export const ClaimPaid = defineEvent(
  'ClaimPaid.v1',
  'A payment was made, after the policy had booked it; or the claim was closed as paid without another payment. A final one closes the claim, whose stage and status are now `paid`. Its business day is the day of the payment.',
  {
    ...ids,
    payment: payment.nullable().describe('Null where the claim was closed without another payment.'),
    isFinal: z.boolean().describe('Whether the claim is paid with it.'),
    outstanding,
  },
);

export const ClaimPaymentRejected = defineEvent(
  'ClaimPaymentRejected.v1',
  'A payment was not made, because the policy has refused it: the limit would have been passed, or the incident is no longer covered.',
  {
    ...ids,
    paymentId,
    reason: z.enum(PAYMENT_REFUSALS),
    limitLeft: storedSum.nullable().describe('What was left of the limit of the coverage, if that was the reason.'),
  },
);

export const ClaimPaymentReversalStarted = defineEvent(
  'ClaimPaymentReversalStarted.v1',
  'The reversal of a payment was decided. The policy has not booked it yet, and the claim takes nothing but its end.',
  { ...ids, paymentId, reason },
);

export const ClaimPaymentReversed = defineEvent(
  'ClaimPaymentReversed.v1',
  'A payment was taken back: from its business day on it counts nowhere. A paid claim is open again.',
  {
    ...ids,
    paymentId,
    amount,
    reason,
    stage: z.enum(STAGES).describe('Stage of the claim afterwards.'),
    outstanding,
  },
);

export const ClaimDenied = defineEvent('ClaimDenied.v1', 'A claim without payments was denied, which closes it.', {
  ...ids,
  reason,
});

export const ClaimWithdrawn = defineEvent('ClaimWithdrawn.v1', 'A claim without payments was taken back and closed.', {
  ...ids,
  reason,
});

export const ClaimReopened = defineEvent(
  'ClaimReopened.v1',
  'A paid, denied or withdrawn claim was taken under review again. Its approval and offer are void; its payments stay.',
  { ...ids, reason },
);

export const ClaimRevised = defineEvent('ClaimRevised.v1', 'What is claimed was corrected.', {
  ...ids,
  details: details.describe('All of what is claimed now.'),
  coverage: coverage.nullable(),
  reason,
  isReviewedAgain: z.boolean().describe('Whether approval and offer are void, so that the claim is reviewed again.'),
});

export const ClaimNoteAdded = defineEvent('ClaimNoteAdded.v1', 'The actor added a note to a claim.', {
  ...ids,
  text: personal(z.string(), 'claimant'),
});

export const ClaimDocumentsAdded = defineEvent('ClaimDocumentsAdded.v1', 'Documents were added to a claim.', {
  ...ids,
  documents,
});

export const ClaimAssigned = defineEvent('ClaimAssigned.v1', 'A claim was assigned, or its assignment ended.', {
  ...ids,
  assignee: z.string().nullable().describe('Id of the person or of the key; null: no one.'),
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
  ClaimAssigned,
] as const;

export type ClaimEvent = EventOf<(typeof CLAIM_EVENTS)[number]>;
/** The event with which a claim begins. */
export type ClaimFiling = Extract<ClaimEvent, { readonly type: 'ClaimSubmitted' | 'ClaimImported' }>;

export function isFiling<E extends ClaimEvent>(event: E): event is Extract<E, ClaimFiling> {
  return event.type === 'ClaimSubmitted' || event.type === 'ClaimImported';
}
