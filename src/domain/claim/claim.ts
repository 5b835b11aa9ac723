import { z } from 'zod';
import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import { type Day, day, moment } from '../../event-sourcing/time.ts';
import { defineEvent, type EventOf, personal, type RecordedEvent } from '../../event-sourcing/event.ts';
import { uuid } from '../../event-sourcing/identifiers.ts';
import { type Tags, merchantTags } from '../tags.ts';
import { storedMoney } from '../values/money.ts';

/** Returns the stream of a claim. */
export const claimStream = (claimId: string): string => `claim-${claimId}`;

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
  reference: z.string(),
  filedOn: day,
  claimant,
  claimType: z.string(),
  incidentDate: day,
  amount: storedMoney.nullable(),
  insurer: z.string(),
  product: z.object({ name: z.string(), type: z.string() }),
};

export const ClaimSubmitted = defineEvent('ClaimSubmitted.v1', {
  ...filing,
  incidentDescription: personal(z.string().nullable(), 'claimant'),
  /** The claimant, where it is not the policy holder. */
  claimantMetadata: personal(z.record(z.string(), z.string()).nullable(), 'claimant'),
  /** The contents are in records under their SHA-256. */
  documents: z.array(
    z.object({
      name: z.string(),
      evidenceType: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      bytes: z.int(),
      uploadedAt: moment,
    }),
  ),
});

/** The filing of an imported claim. Its settlement is in the same append. */
export const ClaimImported = defineEvent('ClaimImported.v1', filing);
/** The settlement of an imported claim. */
export const ClaimSettlementImported = defineEvent('ClaimSettlementImported.v1', {
  ...ids,
  status: z.enum(['paid', 'denied']),
  resolvedOn: day,
});

const note = personal(z.string().nullable(), 'claimant');
export const ClaimReviewStarted = defineEvent('ClaimReviewStarted.v1', { ...ids, note });
export const ClaimSentForApproval = defineEvent('ClaimSentForApproval.v1', { ...ids, note });
export const ClaimApproved = defineEvent('ClaimApproved.v1', { ...ids, approvedAmount: storedMoney.nullable() });
export const ClaimOfferSent = defineEvent('ClaimOfferSent.v1', { ...ids, offerAmount: storedMoney });
export const ClaimOfferAccepted = defineEvent('ClaimOfferAccepted.v1', ids);
export const ClaimPaid = defineEvent('ClaimPaid.v1', { ...ids, paidAmount: storedMoney.nullable() });
export const ClaimDenied = defineEvent('ClaimDenied.v1', { ...ids, reason: personal(z.string(), 'claimant') });

export type ClaimEvent =
  | EventOf<typeof ClaimSubmitted>
  | EventOf<typeof ClaimImported>
  | EventOf<typeof ClaimSettlementImported>
  | EventOf<typeof ClaimReviewStarted>
  | EventOf<typeof ClaimSentForApproval>
  | EventOf<typeof ClaimApproved>
  | EventOf<typeof ClaimOfferSent>
  | EventOf<typeof ClaimOfferAccepted>
  | EventOf<typeof ClaimPaid>
  | EventOf<typeof ClaimDenied>;

/** The stages of a claim, as its timeline names them. */
export const STAGES = [
  'submitted',
  'under review',
  'pending approval',
  'approved',
  'offer sent',
  'offer accepted',
  'paid',
  'denied',
] as const;
export type Stage = (typeof STAGES)[number];

export const CLAIM_STATUSES = ['pending', 'approved', 'offer_sent', 'offer_accepted', 'paid', 'denied'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

const STATUS_OF: Record<Stage, ClaimStatus> = {
  submitted: 'pending',
  'under review': 'pending',
  'pending approval': 'pending',
  approved: 'approved',
  'offer sent': 'offer_sent',
  'offer accepted': 'offer_accepted',
  paid: 'paid',
  denied: 'denied',
};

/** Returns the status that the API shows for a stage. */
export function statusOf(stage: Stage): ClaimStatus {
  return STATUS_OF[stage];
}

/** The allowed moves from each stage. */
export const MOVES: Record<Stage, readonly Stage[]> = {
  submitted: ['under review', 'denied'],
  'under review': ['pending approval', 'denied'],
  'pending approval': ['approved', 'denied'],
  approved: ['paid', 'offer sent'],
  'offer sent': ['offer accepted', 'denied'],
  'offer accepted': ['paid'],
  paid: [],
  denied: [],
};

/** Returns the stage of a claim after an event. */
export function stageAfter(event: Pick<ClaimEvent, 'type' | 'data'>): Stage {
  switch (event.type) {
    case 'ClaimSubmitted':
    case 'ClaimImported':
      return 'submitted';
    case 'ClaimReviewStarted':
      return 'under review';
    case 'ClaimSentForApproval':
      return 'pending approval';
    case 'ClaimApproved':
      return 'approved';
    case 'ClaimOfferSent':
      return 'offer sent';
    case 'ClaimOfferAccepted':
      return 'offer accepted';
    case 'ClaimPaid':
      return 'paid';
    case 'ClaimDenied':
      return 'denied';
    case 'ClaimSettlementImported':
      return (event as EventOf<typeof ClaimSettlementImported>).data.status;
    default:
      return event.type satisfies never;
  }
}

/** The ids that every event of a claim carries, so that projections route by the event alone. */
export type ClaimIds = Pick<
  ClaimEvent['data'],
  'claimId' | 'merchantId' | 'environmentId' | 'testMode' | 'customerId' | 'policyId'
>;

/** Picks the ids of a claim from its state or from the data of its events. */
export function claimIds({ claimId, merchantId, environmentId, testMode, customerId, policyId }: ClaimIds): ClaimIds {
  return { claimId, merchantId, environmentId, testMode, customerId, policyId };
}

/** Returns the tags of the events of a claim. */
export function claimTags({ merchantId, testMode, customerId, policyId }: ClaimIds): Tags {
  return { ...merchantTags({ merchantId, testMode }), customer: customerId, policy: policyId };
}

/** `resolved`: paid or denied; no more moves are allowed. */
export type ClaimState =
  | (ClaimIds & { readonly situation: 'open'; readonly stage: Exclude<Stage, 'paid' | 'denied'> })
  | (ClaimIds & { readonly situation: 'resolved'; readonly stage: 'paid' | 'denied' });

/** Returns the day on which the event resolved the claim (`date_resolved`); null when it did not. */
export function resolutionDay(event: RecordedEvent<ClaimEvent>): Day | null {
  const stage = stageAfter(event);
  return stage === 'paid' || stage === 'denied' ? event.data.effectiveAt : null;
}

function inStage(ids: ClaimIds, stage: Stage): ClaimState {
  return stage === 'paid' || stage === 'denied'
    ? { ...ids, situation: 'resolved', stage }
    : { ...ids, situation: 'open', stage };
}

function evolve(state: ClaimState | undefined, event: RecordedEvent<ClaimEvent>): ClaimState {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') {
    return inStage(claimIds(event.data), 'submitted');
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the claim exists`);
  return inStage(claimIds(state), stageAfter(event));
}

export const claim: Aggregate<ClaimState, ClaimEvent> = {
  category: 'claim',
  events: [
    ClaimSubmitted,
    ClaimImported,
    ClaimSettlementImported,
    ClaimReviewStarted,
    ClaimSentForApproval,
    ClaimApproved,
    ClaimOfferSent,
    ClaimOfferAccepted,
    ClaimPaid,
    ClaimDenied,
  ],
  evolve,
};
