import { z } from 'zod';
import { type Day, day } from '#event-sourcing/time.ts';
import type { NewEvent } from '#event-sourcing/event.ts';
import { firstTerm, todayOf } from '#domain/policy/cover.ts';
import { dueChangeOf } from '#domain/policy/due.ts';
import { type PolicyState, policy, policyIds, policyStream, policyTags } from '#domain/policy/policy.ts';
import { AutoRenewalStopped, PolicyActivated, type PolicyEvent, PolicyRenewed } from '#domain/policy/policy-events.ts';
import type { Rates } from '#domain/values/price.ts';
import { Refusal, refusalsOf } from '#domain/refusals.ts';
import { type CommandContext, defineSystemChange, defineSystemCommand } from '../command.ts';
import { requireExisting } from '../shared/require-existing.ts';
import { resourceId } from '../shared/fields.ts';
import { checkAccepted } from './policy-checks.ts';
import { nextTerm, presentRates, currentProductOf, isProviderWithdrawn } from './renewal.ts';

const refuse = refusalsOf('policy_not_found', 'policy_not_begun', 'policy_not_active', 'policy_not_renewable');

/** What the commands that are due on a policy have in common. */
const dueOnPolicy = {
  roles: [],
  process: 'scheduler',
  changesOneStream: true,
  aggregate: policy,
  find: async ({ policy_id: policyId }: { readonly policy_id: string }, context: CommandContext) => {
    const loaded = await context.loadTarget(policy, policyStream(policyId));
    return requireExisting(loaded, () => refuse('policy_not_found', 'There is no such policy'));
  },
  tags: policyTags,
} as const;

/**
 * Activates an accepted policy on its first day, or later as of that day. Run by the scheduler, or before the next
 * command on the policy. The command id derives from the policy, so a repeat changes nothing.
 * @throws {Refusal} also when it waits for inspection or certification
 */
export const activateDuePolicy = defineSystemChange({
  ...dueOnPolicy,
  name: 'ActivateDuePolicy',
  summary: 'Makes an accepted policy active on its start day.',
  input: z.strictObject({ policy_id: resourceId }),
  identity: ({ policy_id: policyId }) => [policyId],
  decide(state, { now }) {
    checkAccepted(state);
    if (state.waits) throw refuse('policy_not_active', 'The policy waits for inspection or certification');
    const { from } = firstTerm(state);
    if (from > todayOf(state, now))
      throw refuse('policy_not_begun', `The policy becomes active automatically on ${from}`);
    const data = { ...policyIds(state), cause: 'start_day' as const, status: 'active' as const, movedTerm: null };
    return [{ type: PolicyActivated.type, data: { ...data, effectiveAt: from } }];
  },
});

interface DueRenewal {
  readonly termFrom: Day;
  /** In the zone of the policy. */
  readonly today: Day;
  readonly rates: Rates | null;
}

/**
 * Renews a policy automatically from the day on which its next term starts, if that is `termFrom`. The policy keeps
 * renewing automatically.
 * @throws {Refusal} when the policy does not renew automatically on that day, or not yet
 */
function decideDueRenewal(
  state: PolicyState,
  { termFrom, today, rates }: DueRenewal,
): readonly NewEvent<PolicyEvent>[] {
  const due = dueChangeOf(state);
  if (due?.kind !== 'renewal' || due.day !== termFrom)
    throw refuse('policy_not_renewable', `The policy does not renew automatically on ${termFrom}`);
  if (termFrom > today) throw refuse('policy_not_renewable', `The policy renews automatically on ${termFrom}`);
  const term = nextTerm(state, due.term, rates);
  const data = { ...policyIds(state), term, autoRenew: true, coverageChange: null, effectiveAt: termFrom };
  return [{ type: PolicyRenewed.type, data }];
}

/**
 * Run on the day after the last term by the scheduler, or before the next command on the policy. The command id derives
 * from the policy and the start of the new term, so a repeat changes nothing. A renewal that can never succeed switches
 * automatic renewal off.
 */
export const renewDuePolicy = defineSystemCommand({
  ...dueOnPolicy,
  name: 'RenewDuePolicy',
  summary: 'Adds the next term of a policy that renews automatically.',
  input: z.strictObject({ policy_id: resourceId, term_from: day }),
  identity: ({ policy_id: policyId, term_from: termFrom }) => [policyId, termFrom],
  decide: decideDueRenewal,
  handle: async (input, context) => {
    const { policy_id: policyId, term_from: termFrom } = input;
    const found = await dueOnPolicy.find(input, context);
    const { state, revision } = found;
    const stop = async (reason: string): Promise<Refusal> => {
      await context.execute(stopAutoRenewal, { policy_id: policyId, revision, reason });
      return refuse('policy_not_renewable', `Automatic renewal was stopped: ${reason}`);
    };
    try {
      const product = await currentProductOf(state, context);
      const today = todayOf(state, context.now);
      const events = decideDueRenewal(state, { termFrom, today, rates: presentRates(state, product) });
      if (await isProviderWithdrawn(state.contract.provider.id, context)) throw await stop('provider_withdrawn');
      if (product?.status === 'withdrawn') throw await stop('product_withdrawn');
      return { target: found, events, tags: policyTags(state) };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'premium_out_of_range') throw await stop(error.code);
      throw error;
    }
  },
});

/**
 * Switches automatic renewal off. The command id derives from the policy and its revision: after the switch is on
 * again, another renewal can be stopped.
 * @throws {Refusal} when the policy has changed since its renewal was refused
 */
export const stopAutoRenewal = defineSystemChange({
  ...dueOnPolicy,
  name: 'StopAutoRenewal',
  summary: 'Switches automatic renewal off when a due renewal can never succeed.',
  input: z.strictObject({ policy_id: resourceId, revision: z.int(), reason: z.string() }),
  identity: ({ policy_id: policyId, revision }) => [policyId, String(revision)],
  lookUp: ({ revision }, _context, found) => ({ hasChanged: found.revision !== revision }),
  decide(state, { hasChanged, reason, now }) {
    if (hasChanged || !state.autoRenew)
      throw refuse('policy_not_renewable', 'The policy has changed since its renewal was refused');
    const data = { ...policyIds(state), reason, effectiveAt: todayOf(state, now) };
    return [{ type: AutoRenewalStopped.type, data }];
  },
});
