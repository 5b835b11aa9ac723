import type { Aggregate } from '../../event-sourcing/aggregate.ts';
import type { Day } from '../../event-sourcing/time.ts';
import type { RecordedEvent } from '../../event-sourcing/event.ts';
import { type Tags, merchantTags } from '../tags.ts';
import type { TimeZone } from '../values/dates.ts';
import { CLAIM_EVENTS, type ClaimEvent, type ClaimMove } from './claim-events.ts';
import { NO_SETTLEMENT, type Settlement, settlementAfter } from './settlement.ts';
import type { Stage } from './stages.ts';

/** Returns the stream of a claim. */
export const claimStream = (claimId: string): string => `claim-${claimId}`;

/** Returns the stage of a claim after a move. */
export function stageAfter(event: Pick<ClaimMove, 'type' | 'data'>): Stage {
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
    case 'ClaimOfferRejected':
      return 'offer rejected';
    case 'ClaimPaid':
      return 'paid';
    case 'ClaimDenied':
      return 'denied';
    case 'ClaimSettlementImported':
      return (event as Extract<ClaimEvent, { type: 'ClaimSettlementImported' }>).data.stage;
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

interface ClaimDetails extends ClaimIds, Settlement {
  readonly timeZone: TimeZone;
  readonly claimedAmount: string | null;
  readonly documents: { readonly count: number; readonly bytes: number };
}

/** `resolved`: paid or denied; no more moves are allowed. */
export type ClaimState =
  | (ClaimDetails & { readonly status: 'open'; readonly stage: Exclude<Stage, 'paid' | 'denied'> })
  | (ClaimDetails & { readonly status: 'resolved'; readonly stage: 'paid' | 'denied' });

/** Returns the day on which the event resolved the claim (`date_resolved`); null when it did not. */
export function resolutionDay(event: RecordedEvent<ClaimMove>): Day | null {
  const stage = stageAfter(event);
  return stage === 'paid' || stage === 'denied' ? event.data.effectiveAt : null;
}

function inStage(details: ClaimDetails, stage: Stage): ClaimState {
  return stage === 'paid' || stage === 'denied'
    ? { ...details, status: 'resolved', stage }
    : { ...details, status: 'open', stage };
}

function evolve(state: ClaimState | undefined, event: RecordedEvent<ClaimEvent>): ClaimState {
  if (event.type === 'ClaimSubmitted' || event.type === 'ClaimImported') {
    const { timeZone, amount: claimedAmount } = event.data;
    const documents = withDocuments(
      { count: 0, bytes: 0 },
      event.type === 'ClaimSubmitted' ? event.data.documents : [],
    );
    const details = { ...claimIds(event.data), timeZone, claimedAmount, documents, ...NO_SETTLEMENT };
    return inStage(details, 'submitted');
  }
  if (state === undefined) throw new Error(`${event.type} in ${event.stream} before the claim exists`);
  if (event.type === 'ClaimDocumentsAdded')
    return { ...state, documents: withDocuments(state.documents, event.data.documents) };
  return inStage({ ...state, ...settlementAfter(state, event) }, stageAfter(event));
}

function withDocuments(
  { count, bytes }: ClaimState['documents'],
  added: readonly { readonly bytes: number }[],
): ClaimState['documents'] {
  return { count: count + added.length, bytes: added.reduce((sum, document) => sum + document.bytes, bytes) };
}

export const claim: Aggregate<ClaimState, ClaimEvent> = { category: 'claim', events: CLAIM_EVENTS, evolve };
