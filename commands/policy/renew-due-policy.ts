import { z } from 'zod';
import { day } from '../../src/event-sourcing/time.ts';
import { policy, policyStream } from '../../src/domain/policy/policy.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { resourceId } from '../shared/fields.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { decideDueRenewal } from './due-renewal.ts';
import { tagsOf } from './policy-ids.ts';

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
    const events = decideDueRenewal(found.state, { termFrom, today: context.today });
    return await recordDecision(context, found, events, tagsOf(found.state));
  },
  result: () => ({}),
});
