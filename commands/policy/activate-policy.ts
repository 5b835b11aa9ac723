import { z } from 'zod';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import {
  PolicyActivated,
  type PolicyEvent,
  type PolicyState,
  policy,
  policyStream,
} from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { resourceId } from '../shared/fields.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { tagsOf, idsOf } from './policy-ids.ts';

interface Activation {
  /** `start_day`: time alone does it; `back_office`: a person says that nothing stands in the way of cover. */
  readonly cause: 'start_day' | 'back_office';
  readonly today: Day;
}

/**
 * An accepted policy becomes active (`decisions`: Policies): by the back office at once where inspection or certification is
 * needed, otherwise from its start day on; by time alone from its start day on, and never where a person is waited for.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`, `policy_not_begun`, and `policy_not_active` when
 * time would activate what waits for a person
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
  const data = { ...idsOf(state), cause };
  // The scheduler acts as of the start day, however late it runs; a person acts today.
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
    const found = existing(loaded, 'policy_not_found', 'There is no such policy');
    context.checkIfMatch(found);
    const events = decideActivation(found.state, { cause: 'back_office', today: context.today });
    return await recordDecision(context, found, events, tagsOf(found.state));
  },
  result: () => ({}),
});
