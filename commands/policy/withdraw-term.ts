import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import { termsNotWithdrawn, hasBegun, lastTerm } from '#domain/policy/cover.ts';
import { returnInFull } from '#domain/policy/end.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import { TermWithdrawn } from '#domain/policy/policy-events.ts';
import type { Term } from '#domain/policy/term.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber, findPolicyErrors } from './find-policy.ts';
import { checkNoEnd, checkNoEndErrors } from './policy-checks.ts';

const refuse = refusalsOf(
  'term_not_found',
  'term_already_withdrawn',
  'term_already_begun',
  'term_not_last',
  'term_is_only_one',
);

function findTerm({ terms }: PolicyState, from: Day): Term {
  const ofDay = terms.filter((term) => term.from === from);
  if (ofDay.length === 0) throw refuse('term_not_found', `No term of the policy begins on ${from}`);
  const agreed = ofDay.find(({ isWithdrawn }) => !isWithdrawn);
  if (agreed === undefined) throw refuse('term_already_withdrawn', `The term from ${from} was withdrawn already`);
  return agreed;
}

/**
 * Takes back the last term before it begins and returns its premium in full. It then counts as never agreed, and the
 * policy no longer renews automatically.
 */
export const withdrawTerm = defineChange({
  ...changeByIdOrNumber,
  name: 'WithdrawTerm',
  summary: 'Takes back the last term of a policy before it begins, as after a mistaken renewal.',
  description:
    'Takes back the last term before it begins, as after a mistaken renewal: its premium is returned in full, it counts as never agreed, and automatic renewal is switched off. `from` names the term of that day.',
  input: z.strictObject({ policy_id: resourceId, from: day, reason: text(500) }),
  example: { policy_id: '5f32ec7f-a833-5042-b3f6-8a6a6c5f61e9', from: '2027-03-10', reason: 'Typing error' },
  response: z.strictObject({}),
  errors: [...findPolicyErrors, ...checkNoEndErrors, ...refuse.codes],
  decide(state, { from, reason, today }) {
    checkNoEnd(state);
    const term = findTerm(state, from);
    if (hasBegun(state, term, today)) throw refuse('term_already_begun', `The term began on ${from}`);
    const last = lastTerm(state);
    if (term !== last) throw refuse('term_not_last', `Only the last term can be withdrawn; it begins on ${last.from}`);
    if (termsNotWithdrawn(state).length === 1)
      throw refuse('term_is_only_one', 'The policy has no other term; decline the policy instead');
    const data = { ...policyIds(state), reason, returned: returnInFull(term), effectiveAt: today };
    return [{ type: TermWithdrawn.type, data }];
  },
});
