import { z } from 'zod';
import type { Day } from '../../src/event-sourcing/time.ts';
import type { EventOf } from '../../src/event-sourcing/event.ts';
import { agreedTerms, termDates } from '../../src/domain/policy/cover.ts';
import { waitsForActivation } from '../../src/domain/policy/lifecycle.ts';
import { type PolicyState, policyIds } from '../../src/domain/policy/policy.ts';
import { PolicyActivated } from '../../src/domain/policy/policy-events.ts';
import { daysOf } from '../../src/domain/policy/term-premium.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { changeByIdOrNumber } from './find-policy.ts';
import { checkAccepted } from './policy-checks.ts';

/** A policy that waits has one term, unless it was renewed before that was refused: then the terms keep their dates. */
function movedTermOf(state: PolicyState, today: Day): EventOf<typeof PolicyActivated>['data']['movedTerm'] {
  const [first, ...others] = agreedTerms(state);
  if (first === undefined || first.from >= today || others.length > 0) return null;
  return termDates(today, daysOf(first));
}

/**
 * Activates a policy that waits for inspection or certification. After its first day the term moves: it begins on the day of the
 * activation and keeps length and premium. Every other accepted policy becomes active on its first day automatically.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`, `policy_not_begun`
 */
export const activatePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'ActivatePolicy',
  summary: 'Makes an accepted policy active once inspection and certification are done.',
  input: z.strictObject({ policy_id: resourceId }),
  decide(state, { today }) {
    checkAccepted(state);
    if (!waitsForActivation(state))
      throw new Refusal('policy_not_begun', `The policy becomes active automatically on ${state.coverFrom}`);
    const data = { ...policyIds(state), cause: 'back_office' as const, movedTerm: movedTermOf(state, today) };
    return [{ type: PolicyActivated.type, data: { ...data, effectiveAt: today } }];
  },
});
