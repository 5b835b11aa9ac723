import { z } from 'zod';
import { day, instant } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf } from '../../event-sourcing/event.ts';
import { personal } from '../values/personal.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { storedMoney } from '../values/money.ts';

/** The ids by which readers route a claim's events. */
const ids = {
  claimId: uuid,
  merchantId: uuid,
  environmentId: z.int(),
  testMode: z.boolean(),
  customerId: uuid,
  policyId: uuid,
};

const claimant = z.object({
  name: personal(z.string(), 'claimant'),
  email: personal(z.string(), 'claimant'),
  phone: personal(z.string().nullable(), 'claimant'),
});

const filing = {
  ...ids,
  merchantShortCode: z.string(),
  reference: z.string(),
  filedOn: day,
  claimant,
  claimType: z.string(),
  incidentDate: day,
  amount: storedMoney.nullable(),
  insurer: z.string(),
  product: z.object({ name: z.string(), type: z.string() }),
  /** IANA name. The days of a claim, and the times of its timeline, are those of the policy's zone. */
  timeZone: z.string(),
};

const storedDocument = z.object({
  name: z.string(),
  evidenceType: z.string().nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int(),
  uploadedAt: instant,
});

export type StoredClaimDocument = z.infer<typeof storedDocument>;

/** A claim was filed. */
export const ClaimSubmitted = defineEvent('ClaimSubmitted.v1', {
  ...filing,
  incidentDescription: personal(z.string().nullable(), 'claimant'),
  /** The claimant, where it is not the policy holder. */
  claimantMetadata: personal(z.record(z.string(), z.string()).nullable(), 'claimant'),
  /** The contents are in records under their SHA-256. */
  documents: z.array(storedDocument),
});

/** The filing of an imported claim. What has become of it since is in the same append. */
export const ClaimImported = defineEvent('ClaimImported.v1', filing);
/** The status of an imported claim, on the day of `effectiveAt`. One that is only submitted has no such event. */
export const ClaimSettlementImported = defineEvent('ClaimSettlementImported.v1', {
  ...ids,
  stage: z.enum(['approved', 'offer sent', 'offer accepted', 'paid', 'denied']),
  /** Null where the row has none. */
  approvedAmount: storedMoney.nullable(),
  /** Of an offer that is open or accepted. */
  offerAmount: storedMoney.nullable(),
  paidAmount: storedMoney.nullable(),
});

const note = personal(z.string().nullable(), 'claimant');
export const ClaimReviewStarted = defineEvent('ClaimReviewStarted.v1', { ...ids, note });
export const ClaimSentForApproval = defineEvent('ClaimSentForApproval.v1', { ...ids, note });
export const ClaimApproved = defineEvent('ClaimApproved.v1', { ...ids, approvedAmount: storedMoney.nullable() });
export const ClaimOfferSent = defineEvent('ClaimOfferSent.v1', { ...ids, offerAmount: storedMoney });
export const ClaimOfferAccepted = defineEvent('ClaimOfferAccepted.v1', ids);
export const ClaimOfferRejected = defineEvent('ClaimOfferRejected.v1', {
  ...ids,
  reason: personal(z.string(), 'claimant'),
});
export const ClaimPaid = defineEvent('ClaimPaid.v1', { ...ids, paidAmount: storedMoney.nullable() });
export const ClaimDenied = defineEvent('ClaimDenied.v1', { ...ids, reason: personal(z.string(), 'claimant') });

/** The contents are in records under their SHA-256. */
export const ClaimDocumentsAdded = defineEvent('ClaimDocumentsAdded.v1', {
  ...ids,
  documents: z.array(storedDocument),
});

/** An event after which the claim is in another stage. */
export type ClaimMove = Exclude<ClaimEvent, EventOf<typeof ClaimDocumentsAdded>>;

export type ClaimEvent =
  | EventOf<typeof ClaimDocumentsAdded>
  | EventOf<typeof ClaimSubmitted>
  | EventOf<typeof ClaimImported>
  | EventOf<typeof ClaimSettlementImported>
  | EventOf<typeof ClaimReviewStarted>
  | EventOf<typeof ClaimSentForApproval>
  | EventOf<typeof ClaimApproved>
  | EventOf<typeof ClaimOfferSent>
  | EventOf<typeof ClaimOfferAccepted>
  | EventOf<typeof ClaimOfferRejected>
  | EventOf<typeof ClaimPaid>
  | EventOf<typeof ClaimDenied>;

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
  ClaimPaid,
  ClaimDenied,
  ClaimDocumentsAdded,
];
