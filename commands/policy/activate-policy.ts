import { z } from 'zod';
import { firstTerm, statusAtStart } from '#domain/policy/cover.ts';
import { policyIds } from '#domain/policy/policy.ts';
import { PolicyActivated } from '#domain/policy/policy-events.ts';
import { daysOf, termDays } from '#domain/policy/term.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId } from '../shared/fields.ts';
import { changeByIdOrNumber, findPolicyErrors } from './find-policy.ts';
import { checkAccepted, checkAcceptedErrors } from './policy-checks.ts';

const refuse = refusalsOf('policy_already_active', 'policy_not_begun');

/**
 * Activates a policy that waits for inspection or certification. After its first day the term moves: it begins on the
 * day of the activation and keeps its duration and amounts. Every other accepted policy becomes active on its first day
 * automatically.
 */
export const activatePolicy = defineChange({
  ...changeByIdOrNumber,
  name: 'ActivatePolicy',
  summary: 'Lets the cover of a policy begin once inspection and certification are done.',
  description: `Activates a policy that waits, because its product requires an inspection or a certification. When that is after its first day, its term moves: it begins on the day of the activation and keeps
length and amounts. A policy that needs neither becomes active on its first day automatically and is refused (\`policy_not_begun\`).`,
  input: z.strictObject({ policy_id: resourceId }),
  example: { policy_id: '9d3f5e26-7b88-5a9a-8444-496d1a83ef9b' },
  response: z.strictObject({}),
  errors: [...findPolicyErrors, ...checkAcceptedErrors, ...refuse.codes],
  decide(state, { today }) {
    checkAccepted(state);
    const first = firstTerm(state);
    if (!state.waits) {
      const detail = `The policy becomes active automatically on ${first.from}`;
      const { inspectionRequired, certificationRequired, isImported } = state.contract;
      const wasActivated = inspectionRequired || certificationRequired;
      throw refuse(wasActivated && !isImported ? 'policy_already_active' : 'policy_not_begun', detail);
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
