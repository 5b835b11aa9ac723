import { z } from 'zod';
import { firstTerm, statusAtStart } from '#domain/policy/cover.ts';
import { policyIds } from '#domain/policy/policy.ts';
import { PolicyActivated } from '#domain/policy/policy-events.ts';
import { daysOf, termDays } from '#domain/policy/term.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { changeByIdOrNumber } from './find-policy.ts';
import { checkAccepted } from './policy-checks.ts';

/**
 * Activates a policy that waits for inspection or certification. After its first day the term moves: it begins on the day of the
 * activation and keeps its duration and amounts. Every other accepted policy becomes active on its first day automatically.
 * @throws {Refusal} `policy_already_cancelled`, `policy_already_active`, `policy_not_begun`
 */
export const activatePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'ActivatePolicy',
  summary: 'Lets the cover of a policy begin once inspection and certification are done.',
  input: z.strictObject({ policy_id: resourceId }),
  decide(state, { today }) {
    checkAccepted(state);
    const first = firstTerm(state);
    if (!state.waits) {
      const detail = `The policy becomes active automatically on ${first.from}`;
      const wasActivated = state.inspectionRequired || state.certificationRequired;
      throw new Refusal(wasActivated && !state.isImported ? 'policy_already_active' : 'policy_not_begun', detail);
    }
    const data = {
      ...policyIds(state),
      cause: 'back_office' as const,
      status: statusAtStart(first.from, today),
      movedTerm: first.from < today ? { termId: first.termId, ...termDays(today, daysOf(first)) } : null,
    };
    return [{ type: PolicyActivated.type, data: { ...data, effectiveAt: today } }];
  },
});
