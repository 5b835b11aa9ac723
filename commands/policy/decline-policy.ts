import { z } from 'zod';
import { termsNotWithdrawn } from '#domain/policy/cover.ts';
import { returnInFull } from '#domain/policy/end.ts';
import { policyIds } from '#domain/policy/policy.ts';
import { PolicyDeclined } from '#domain/policy/policy-events.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber, findPolicyErrors } from './find-policy.ts';
import { checkAccepted, checkAcceptedErrors } from './policy-checks.ts';

/**
 * Ends a policy before its cover begins and returns every premium in full.
 */
export const declinePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'DeclinePolicy',
  summary: 'Ends an accepted policy that the insurer does not take on, and returns its premium in full.',
  description:
    'Ends an accepted policy before cover begins: it is `cancelled`, with the initiator `admin`, and every premium is returned in full. ReinstatePolicy does not undo it.',
  input: z.strictObject({ policy_id: resourceId, reason: text(500) }),
  example: { policy_id: '49b6656a-91db-56dc-9d8b-592fc6dfdf3b', reason: 'The vehicle is too old' },
  response: z.strictObject({}),
  errors: [...findPolicyErrors, ...checkAcceptedErrors],
  decide(state, { reason, now, today }) {
    checkAccepted(state);
    const returned = termsNotWithdrawn(state).map(returnInFull);
    const data = { ...policyIds(state), declinedAt: now, reason, returned, effectiveAt: today };
    return [{ type: PolicyDeclined.type, data }];
  },
});
