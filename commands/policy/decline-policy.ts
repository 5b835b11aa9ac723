import { z } from 'zod';
import { termsNotWithdrawn } from '#domain/policy/cover.ts';
import { returnInFull } from '#domain/policy/end.ts';
import { policyIds } from '#domain/policy/policy.ts';
import { PolicyDeclined } from '#domain/policy/policy-events.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber } from './find-policy.ts';
import { checkAccepted } from './policy-checks.ts';

/**
 * Ends a policy before its cover begins and returns every premium in full.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`
 */
export const declinePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'DeclinePolicy',
  summary: 'Ends an accepted policy that the insurer does not take on, and returns its premium in full.',
  input: z.strictObject({ policy_id: resourceId, reason: text(500) }),
  decide(state, { reason, now, today }) {
    checkAccepted(state);
    const returned = termsNotWithdrawn(state).map(returnInFull);
    const data = { ...policyIds(state), declinedAt: now, reason, returned, effectiveAt: today };
    return [{ type: PolicyDeclined.type, data }];
  },
});
