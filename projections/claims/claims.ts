import { insurerIndex, ownedValue, ownerOf } from '../owner.ts';
import { defineProjection, requireDocument } from '../projection.ts';
import { type ClaimEvent, isFiling } from '#domain/claim/claim-events.ts';
import { type ClaimState, evolveClaim } from '#domain/claim/claim.ts';
import { isClosed } from '#domain/claim/stages.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { modeOf } from '#domain/values/mode.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import type { Instant } from '#event-sourcing/time.ts';

/**
 * The state to which the next event of a claim is applied, and of which reads make its resource (`claimResourceOf`).
 */
export interface ClaimDocument {
  readonly claim: ClaimState;
  /** When a payment, or the reversal of one, started that has not ended; null when there is none. */
  readonly pending_since: Instant | null;
}

/**
 * Claims by id. The index `reference` holds the normalised reference number, as its reservation does; `open_customer`
 * the customer of an open claim; `…_stage` the stage and the day of filing, after the owner, the insurer, the mode, or
 * the mode and the assignee; `pending_since` the start of a payment that has not ended.
 */
export const claims = defineProjection<ClaimDocument>({
  name: 'claims',
  version: 2,
  categories: ['claim'],
  indexNames: [
    'owner',
    'owner_stage',
    'environment',
    'reference',
    'policy',
    'customer',
    'open_customer',
    'insurer',
    'insurer_stage',
    'mode_stage',
    'assignee_stage',
    'pending_since',
  ],
  countedBy: ['customer'],
  fold: (document, event) => foldClaim(document, event as RecordedEvent<ClaimEvent>),
  indexes: ({ claim, pending_since }) => {
    const owner = ownerOf({ merchant_id: claim.merchantId, test_mode: claim.testMode });
    const insurer = insurerIndex(claim.insurer.id, claim.testMode);
    const mode = modeOf(claim.testMode);
    const stageOf = (scope: string) => ownedValue(ownedValue(scope, claim.stage), claim.filedOn);
    return {
      owner,
      owner_stage: stageOf(owner),
      environment: claim.environmentId,
      reference: normalise(claim.reference),
      policy: claim.policyId,
      customer: claim.customerId,
      open_customer: isClosed(claim.stage) ? null : claim.customerId,
      insurer,
      insurer_stage: stageOf(insurer),
      mode_stage: stageOf(mode),
      assignee_stage: claim.assignee === null ? null : stageOf(ownedValue(mode, claim.assignee)),
      pending_since,
    };
  },
});

/** Folds an event into the document of its claim. @throws {FoldError} when an event comes before the claim exists */
function foldClaim(document: ClaimDocument | undefined, event: RecordedEvent<ClaimEvent>): ClaimDocument {
  const before = isFiling(event) ? undefined : requireDocument(document, event);
  const claim = evolveClaim(before?.claim, event);
  const since = before?.pending_since ?? event.metadata.recordedAt;
  return { claim, pending_since: claim.pending === null ? null : since };
}
