import { z } from 'zod';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  PolicyActivated,
  type PolicyEvent,
  type PolicyState,
  policy,
  policyIds,
  policyStream,
  policyTags,
} from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { requireExisting } from '../../src/command-handling/require-existing.ts';
import { resourceId } from '../shared/fields.ts';

interface Activation {
  /** `start_day`: the scheduler activates the policy on its start day; `back_office`: an administrator activates it. */
  readonly cause: 'start_day' | 'back_office';
  readonly today: Day;
}

/**
 * Activates an accepted policy. A policy that needs inspection or certification is activated by an administrator only,
 * at any time; every other policy becomes active from its start day on.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`, `policy_not_begun`, or `policy_not_active`
 * when the scheduler would activate a policy that needs inspection or certification
 */
export function decideActivation(state: PolicyState, { cause, today }: Activation): readonly NewEvent<PolicyEvent>[] {
  if (state.status === 'cancelled')
    throw new Refusal('policy_already_cancelled', `The policy was cancelled on ${state.cancelledAt}`);
  if (state.status === 'active') throw new Refusal('policy_already_active', 'The policy is active already');
  const startDay = state.needsActivation ? undefined : state.terms[0]?.from;
  if (startDay === undefined && cause === 'start_day')
    throw new Refusal('policy_not_active', 'The policy waits for inspection or certification');
  if (startDay !== undefined && startDay > today)
    throw new Refusal('policy_not_begun', `The policy becomes active by itself on ${startDay}`);
  const data = { ...policyIds(state), cause };
  // The scheduler activates as of the start day, even after downtime; an administrator activates as of today.
  const effectiveAt = cause === 'start_day' ? startDay : undefined;
  return [{ type: PolicyActivated.type, data: effectiveAt === undefined ? data : { ...data, effectiveAt } }];
}

export const activatePolicy = defineCommand({
  name: 'ActivatePolicy',
  summary: 'Makes an accepted policy active once inspection and certification are done.',
  input: z.strictObject({ policy_id: resourceId }),
  roles: ['admin'],
  inEnvironment: false,
  creates: false,
  changesOneStream: true,
  handle: async ({ policy_id: policyId }, context) => {
    const loaded = await context.loadTarget(policy, policyStream(policyId));
    const found = requireExisting(loaded, 'policy_not_found', 'There is no such policy');
    context.checkIfMatch(found);
    const events = decideActivation(found.state, { cause: 'back_office', today: context.today });
    return { target: found, events, tags: policyTags(found.state) };
  },
  result: () => ({}),
});

/**
 * Run by the scheduler on the start day of an accepted policy. The command id derives from the policy, so a repeat
 * changes nothing.
 */
export const activateDuePolicy = defineCommand({
  name: 'ActivateDuePolicy',
  summary: 'Makes an accepted policy active on its start day.',
  input: z.strictObject({ policy_id: resourceId }),
  roles: [],
  inEnvironment: false,
  creates: false,
  identity: ({ policy_id: policyId }) => [policyId],
  changesOneStream: true,
  handle: async ({ policy_id: policyId }, context) => {
    const loaded = await context.loadTarget(policy, policyStream(policyId));
    const found = requireExisting(loaded, 'policy_not_found', 'There is no such policy');
    const events = decideActivation(found.state, { cause: 'start_day', today: context.today });
    return { target: found, events, tags: policyTags(found.state) };
  },
  result: () => ({}),
});
