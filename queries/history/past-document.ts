import { type AsOfState, documentAsOf, type EffectiveEvent, foldAsOf } from '#projections/as-of.ts';
import { policies } from '#projections/policies/policies.ts';
import { foldPolicyAsOf, policyAsOf } from '#projections/policies/policy-as-of.ts';
import type { Projection } from '#projections/projection.ts';
import { todayOf } from '#domain/policy/cover.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { refusalsOf } from '#domain/refusals.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';
import { documentKnownAt, KNOWN_AT_ERRORS, type LogContext } from './document-history.ts';
import type { PointInTime } from './point-in-time.ts';

const refuse = refusalsOf('not_in_force_yet');

/** What a view at a point in time throws. */
export const POINT_IN_TIME_ERRORS = [...KNOWN_AT_ERRORS, ...refuse.codes] as const;

/**
 * Returns a document at a point in time. `known_at` cuts its events first, then `as_of` selects among those that are
 * left.
 * @throws {Refusal} when there was none, or it was parked
 */
export async function documentAt<Document>(
  context: LogContext,
  projection: Projection<Document>,
  stored: StoredDocument,
  { as_of, known_at }: PointInTime,
): Promise<Document> {
  if (as_of === undefined) return await documentKnownAt(context, projection, stored, known_at);
  let state: AsOfState<Document | undefined> | undefined;
  await documentKnownAt(context, projection, stored, known_at, (event) => {
    state = foldAsOf<Document | undefined, EffectiveEvent>(projection.fold, state, event as EffectiveEvent, as_of);
  });
  return requireEffective(documentAsOf(state));
}

/** A policy at a point in time, with the day in its zone whose term it shows. */
export interface PastPolicy {
  readonly policy: PolicyState;
  readonly day: Day;
}

/** Returns a policy at a point in time. @throws {Refusal} when there was none, or it was parked */
export async function policyAt(
  context: LogContext & Pick<QueryContext, 'now'>,
  stored: Pick<StoredDocument, 'key' | 'stream'>,
  { as_of, known_at }: PointInTime,
): Promise<PastPolicy> {
  if (as_of === undefined) {
    const { policy } = await documentKnownAt(context, policies, stored, known_at);
    return { policy, day: todayOf(policy, known_at ?? context.now) };
  }
  let state: AsOfState<PolicyState> | undefined;
  await documentKnownAt(context, policies, stored, known_at, (event) => {
    state = foldPolicyAsOf(state, event as RecordedEvent<PolicyEvent>, as_of);
  });
  return { policy: requireEffective(policyAsOf(state, as_of)), day: as_of };
}

function requireEffective<Document>(document: Document | undefined): Document {
  if (document === undefined) throw refuse('not_in_force_yet');
  return document;
}
