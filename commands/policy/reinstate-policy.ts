import { z } from 'zod';
import { policyIds } from '../../src/domain/policy/policy.ts';
import { PolicyReinstated } from '../../src/domain/policy/policy-events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber } from './find-policy.ts';
import { checkNotExpired } from './policy-checks.ts';

/**
 * Undoes a cancellation: cover goes on without a gap, and every returned amount is owed again.
 * @throws {Refusal} `policy_not_cancelled`, also after a decline; `policy_expired`
 */
export const reinstatePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'ReinstatePolicy',
  summary: 'Undoes the cancellation of a policy whose last term has not run out.',
  input: z.strictObject({ policy_id: resourceId, reason: text(500) }),
  decide(state, { reason, today }) {
    const { end } = state;
    if (end?.kind !== 'cancelled')
      throw new Refusal(
        'policy_not_cancelled',
        end === null ? 'The policy is not cancelled' : 'The policy was declined',
      );
    checkNotExpired(state, today);
    const { autoRenewBefore: autoRenew, returned: reinstated, day: effectiveAt } = end;
    const data = { ...policyIds(state), reason, autoRenew, reinstated: [...reinstated], effectiveAt };
    return [{ type: PolicyReinstated.type, data }];
  },
});
