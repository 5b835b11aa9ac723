import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { agreedTerms, lastTerm, todayOf } from '../../src/domain/policy/cover.ts';
import type { PolicyTerm } from '../../src/domain/policy/lifecycle.ts';
import { type PolicyState, policyIds, policyTags, policy } from '../../src/domain/policy/policy.ts';
import { type PolicyEvent, TermWithdrawn } from '../../src/domain/policy/policy-events.ts';
import { fullReturnOf } from '../../src/domain/policy/term-premium.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../command.ts';
import { resourceId, text } from '../shared/fields.ts';
import { findTargetPolicyByKey } from './find-policy.ts';
import { checkNotCancelled } from './policy-checks.ts';

interface Withdrawal {
  /** First day of the term. */
  readonly from: Day;
  readonly reason: string;
  /** In the zone of the policy. */
  readonly today: Day;
}

/**
 * Takes back the last term before it begins and returns its premium in full. It then counts as never agreed, and the policy no
 * longer renews automatically.
 * @throws {Refusal} `policy_already_cancelled`, `term_not_found`, `term_already_withdrawn`, `term_already_begun`,
 * `term_not_last`, `term_is_only_one`
 */
function decideWithdrawal(state: PolicyState, { from, reason, today }: Withdrawal): readonly NewEvent<PolicyEvent>[] {
  checkNotCancelled(state);
  const term = findTerm(state, from);
  if (term.from <= today) throw new Refusal('term_already_begun', `The term began on ${from}`);
  const last = lastTerm(state);
  if (term !== last)
    throw new Refusal('term_not_last', `Only the last term can be withdrawn; it begins on ${last.from}`);
  if (agreedTerms(state).length === 1)
    throw new Refusal('term_is_only_one', 'The policy has no other term; decline the policy instead');
  const data = { ...policyIds(state), reason, returned: fullReturnOf(term), effectiveAt: today };
  return [{ type: TermWithdrawn.type, data }];
}

/** @throws {Refusal} `term_not_found`, `term_already_withdrawn` */
function findTerm({ terms }: PolicyState, from: Day): PolicyTerm {
  const ofDay = terms.filter((term) => term.from === from);
  if (ofDay.length === 0) throw new Refusal('term_not_found', `No term of the policy begins on ${from}`);
  const agreed = ofDay.find(({ isWithdrawn }) => !isWithdrawn);
  if (agreed === undefined) throw new Refusal('term_already_withdrawn', `The term from ${from} was withdrawn already`);
  return agreed;
}

export const withdrawTerm = defineCommand({
  name: 'WithdrawTerm',
  summary: 'Takes back the last term of a policy before it begins, as after a mistaken renewal.',
  input: z.strictObject({ policy_id: resourceId, from: day, reason: text(500) }),
  roles: ['admin'],
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: policy,
  decide: decideWithdrawal,
  handle: async ({ policy_id: policyId, from, reason }, context) => {
    const found = await findTargetPolicyByKey(context, policyId);
    const events = decideWithdrawal(found.state, { from, reason, today: todayOf(found.state, context.now) });
    return { target: found, events, tags: policyTags(found.state) };
  },
});
