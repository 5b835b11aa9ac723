import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import { type PolicyState, policy, policyStream } from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { resourceId } from '../shared/fields.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { decideDueRenewal, nextTermOf } from './due-renewal.ts';
import { tagsOf } from './policy-ids.ts';

/** The term whose start named the command is still the next one. @throws {Refusal} `policy_not_renewable` */
function checkIsNext(state: PolicyState, termFrom: Day): void {
  const next = nextTermOf(state);
  if (next?.start === termFrom) return;
  throw new Refusal('policy_not_renewable', `The policy does not renew by itself on ${termFrom}`);
}

/**
 * Run by the scheduler on the day after the last term; one command id for a policy and the start of its new term, so that a
 * repeat changes nothing (`decisions`: Policies, Renewal).
 */
export const renewDuePolicy = defineCommand({
  name: 'RenewDuePolicy',
  summary: 'Adds the next term of a policy that renews by itself.',
  input: z.strictObject({ policy_id: resourceId, term_from: day }),
  roles: [],
  inEnvironment: false,
  creates: false,
  identity: ({ policy_id: policyId, term_from: termFrom }) => [policyId, termFrom],
  changesOneStream: true,
  handle: async ({ policy_id: policyId, term_from: termFrom }, context) => {
    const loaded = await context.loadTarget(policy, policyStream(policyId));
    const found = existing(loaded, 'policy_not_found', 'There is no such policy');
    checkIsNext(found.state, termFrom);
    const events = decideDueRenewal(found.state, context.today);
    return await recordDecision(context, found, events, tagsOf(found.state));
  },
  result: () => ({}),
});
