import { z } from 'zod';
import { policy, policyStream } from '../../src/domain/policy/policy.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { existing } from '../../src/command-handling/existing.ts';
import { resourceId } from '../shared/fields.ts';
import { recordDecision } from '../../src/command-handling/record-decision.ts';
import { decideActivation } from './activate-policy.ts';
import { tagsOf } from './policy-ids.ts';

/** Run by the scheduler on the start day of an accepted policy; one command id a policy, so that a repeat changes nothing. */
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
    const found = existing(loaded, 'policy_not_found', 'There is no such policy');
    const events = decideActivation(found.state, { cause: 'start_day', today: context.today });
    return await recordDecision(context, found, events, tagsOf(found.state));
  },
  result: () => ({}),
});
