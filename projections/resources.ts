import type { ClaimEvent } from '../src/domain/claim/claim.ts';
import type { PolicyEvent } from '../src/domain/policy/policy.ts';
import type { RecordedEvent } from '../src/event-sourcing/event.ts';
import { type ClaimResource, foldClaimResource } from './claims/claim-resource.ts';
import { foldPolicyResource, type PolicyResource } from './policies/policy-resource.ts';

/** Folds the resource of a policy. @throws {Error} on an empty history */
export function policyResourceOf(history: readonly RecordedEvent<PolicyEvent>[]): PolicyResource {
  return resourceOf<PolicyResource, RecordedEvent<PolicyEvent>>(history, foldPolicyResource);
}

/** Folds the resource of a claim. @throws {Error} on an empty history */
export function claimResourceOf(history: readonly RecordedEvent<ClaimEvent>[]): ClaimResource {
  return resourceOf<ClaimResource, RecordedEvent<ClaimEvent>>(history, foldClaimResource);
}

function resourceOf<Resource, Event>(
  history: readonly Event[],
  fold: (resource: Resource | undefined, event: Event) => Resource,
): Resource {
  const resource = history.reduce<Resource | undefined>((folded, event) => fold(folded, event), undefined);
  if (resource === undefined) throw new Error('a resource needs at least one event');
  return resource;
}
