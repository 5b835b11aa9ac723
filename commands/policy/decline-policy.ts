import { z } from 'zod';
import type { Instant } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { agreedTerms, todayOf } from '../../src/domain/policy/cover.ts';
import { type PolicyState, policyIds, policyTags, policy } from '../../src/domain/policy/policy.ts';
import { PolicyDeclined, type PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { fullReturnOf } from '../../src/domain/policy/term-premium.ts';
import { defineCommand } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { findTargetPolicyByKey } from './find-policy.ts';
import { checkAccepted } from './policy-checks.ts';

interface Declining {
  readonly reason: string;
  readonly now: Instant;
}

/**
 * Ends an accepted policy without cover and returns every premium in full.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`
 */
function decideDecline(state: PolicyState, { reason, now }: Declining): readonly NewEvent<PolicyEvent>[] {
  checkAccepted(state);
  const returned = agreedTerms(state).map(fullReturnOf);
  const data = { ...policyIds(state), declinedAt: now, reason, returned, effectiveAt: todayOf(state, now) };
  return [{ type: PolicyDeclined.type, data }];
}

export const declinePolicy = defineCommand({
  name: 'DeclinePolicy',
  summary: 'Ends an accepted policy that the insurer does not take on, and returns its premium in full.',
  input: z.strictObject({ policy_id: resourceId, reason: text(500) }),
  roles: ['admin'],
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: policy,
  decide: decideDecline,
  handle: async ({ policy_id: policyId, reason }, context) => {
    const found = await findTargetPolicyByKey(context, policyId);
    const events = decideDecline(found.state, { reason, now: context.now });
    return { target: found, events, tags: policyTags(found.state) };
  },
});
