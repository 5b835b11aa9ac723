import type { ClaimEvent } from '../src/domain/claim/claim.ts';
import type { PolicyEvent } from '../src/domain/policy/policy.ts';
import type { RecordedEvent } from '../src/event-sourcing/event.ts';
import { type ClaimResource, foldClaimResource } from './claims/claim-resource.ts';
import { foldPolicyResource, type PolicyResource } from './policies/policy-resource.ts';

/** Folds the resource of a policy. @throws {Error} on an empty history */
export function policyResourceOf(history: readonly RecordedEvent<PolicyEvent>[]): PolicyResource {
  const resource = history.reduce<PolicyResource | undefined>(foldPolicyResource, undefined);
  if (resource === undefined) throw new Error('a policy has no events');
  return resource;
}

/** Folds the resource of a claim. @throws {Error} on an empty history */
export function claimResourceOf(history: readonly RecordedEvent<ClaimEvent>[]): ClaimResource {
  const resource = history.reduce<ClaimResource | undefined>(foldClaimResource, undefined);
  if (resource === undefined) throw new Error('a claim has no events');
  return resource;
}
