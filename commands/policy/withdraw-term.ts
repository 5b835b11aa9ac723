import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import { termsNotWithdrawn, hasBegun, lastTerm } from '#domain/policy/cover.ts';
import { returnInFull } from '#domain/policy/end.ts';
import { type PolicyState, policyIds } from '#domain/policy/policy.ts';
import { TermWithdrawn } from '#domain/policy/policy-events.ts';
import type { Term } from '#domain/policy/term.ts';
import { Refusal } from '#domain/refusals.ts';
import { defineChange } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { changeByIdOrNumber } from './find-policy.ts';
import { checkNoEnd } from './policy-checks.ts';

/** @throws {Refusal} `term_not_found`, `term_already_withdrawn` */
function findTerm({ terms }: PolicyState, from: Day): Term {
  const ofDay = terms.filter((term) => term.from === from);
  if (ofDay.length === 0) throw new Refusal('term_not_found', `No term of the policy begins on ${from}`);
  const agreed = ofDay.find(({ isWithdrawn }) => !isWithdrawn);
  if (agreed === undefined) throw new Refusal('term_already_withdrawn', `The term from ${from} was withdrawn already`);
  return agreed;
}

/**
 * Takes back the last term before it begins and returns its premium in full. It then counts as never agreed, and the policy no
 * longer renews automatically.
 * @throws {Refusal} `policy_already_cancelled`, `term_not_found`, `term_already_withdrawn`, `term_already_begun`,
 * `term_not_last`, `term_is_only_one`
 */
export const withdrawTerm = defineChange({
  ...changeByIdOrNumber,
  name: 'WithdrawTerm',
  summary: 'Takes back the last term of a policy before it begins, as after a mistaken renewal.',
  input: z.strictObject({ policy_id: resourceId, from: day, reason: text(500) }),
  decide(state, { from, reason, today }) {
    checkNoEnd(state);
    const term = findTerm(state, from);
    if (hasBegun(state, term, today)) throw new Refusal('term_already_begun', `The term began on ${from}`);
    const last = lastTerm(state);
    if (term !== last)
      throw new Refusal('term_not_last', `Only the last term can be withdrawn; it begins on ${last.from}`);
    if (termsNotWithdrawn(state).length === 1)
      throw new Refusal('term_is_only_one', 'The policy has no other term; decline the policy instead');
    const data = { ...policyIds(state), reason, returned: returnInFull(term), effectiveAt: today };
    return [{ type: TermWithdrawn.type, data }];
  },
});
