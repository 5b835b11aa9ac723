import { z } from 'zod';
import { type Day, day } from '../../src/event-sourcing/time.ts';
import type { NewEvent } from '../../src/event-sourcing/event.ts';
import { daysBetween } from '../../src/domain/values/dates.ts';
import {
  dayAfter,
  isStorableTerm,
  lastTerm,
  type PolicyEvent,
  type PolicyState,
  policy,
  policyStream,
  policyTags,
} from '../../src/domain/policy/policy.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { defineCommand } from '../../src/command-handling/command.ts';
import { requireExisting } from '../../src/command-handling/require-existing.ts';
import { resourceId } from '../shared/fields.ts';
import { MAX_TERM_DAYS, renewalEvents } from './renew-policy.ts';

export interface NextTerm {
  /** The day after the last covered one: in the past after downtime of the scheduler, or in the future. */
  readonly start: Day;
  /** As many as the last term has, 1 to 365. */
  readonly days: number;
}

/**
 * Returns the next term of a policy that renews automatically: active, renewable, with `auto_renew`. Undefined for
 * every other policy, and when the term would end after the last day of the calendar.
 */
export function nextTermOf(state: PolicyState): NextTerm | undefined {
  if (state.status !== 'active' || !state.renewable || !state.autoRenew) return undefined;
  const { from, through } = lastTerm(state.terms);
  const start = dayAfter(through);
  const days = Math.min(Math.max(daysBetween(from, through), 1), MAX_TERM_DAYS);
  return start === null || !isStorableTerm(start, days) ? undefined : { start, days };
}

/**
 * Renews a policy automatically from the day on which its next term starts, if that is `termFrom`: same duration, annual
 * premium by days, same coverage. The policy keeps renewing automatically.
 * @throws {Refusal} `policy_not_renewable` when the policy does not renew automatically on that day, or not yet
 */
export function decideDueRenewal(
  state: PolicyState,
  { termFrom, today }: { readonly termFrom: Day; readonly today: Day },
): readonly NewEvent<PolicyEvent>[] {
  const next = nextTermOf(state);
  if (next?.start !== termFrom)
    throw new Refusal('policy_not_renewable', `The policy does not renew by itself on ${termFrom}`);
  if (termFrom > today) throw new Refusal('policy_not_renewable', `The policy renews by itself on ${termFrom}`);
  return renewalEvents(state, { ...next, autoRenew: true, coverageChange: null, additionalAmount: 0n });
}

/**
 * Run by the scheduler on the day after the last term. The command id derives from the policy and the start of the new
 * term, so a repeat changes nothing.
 */
export const renewDuePolicy = defineCommand({
  name: 'RenewDuePolicy',
  summary: 'Adds the next term of a policy that renews automatically.',
  input: z.strictObject({ policy_id: resourceId, term_from: day }),
  roles: [],
  inEnvironment: false,
  creates: false,
  identity: ({ policy_id: policyId, term_from: termFrom }) => [policyId, termFrom],
  changesOneStream: true,
  handle: async ({ policy_id: policyId, term_from: termFrom }, context) => {
    const loaded = await context.loadTarget(policy, policyStream(policyId));
    const found = requireExisting(loaded, 'policy_not_found', 'There is no such policy');
    const events = decideDueRenewal(found.state, { termFrom, today: context.today });
    return { target: found, events, tags: policyTags(found.state) };
  },
  result: () => ({}),
});
