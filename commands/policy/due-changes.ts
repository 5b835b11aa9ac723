import { todayOf } from '../../src/domain/policy/cover.ts';
import { type DueChange, dueChangeOf } from '../../src/domain/policy/due.ts';
import { type PolicyState, policy, policyStream } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { CommandContext, LoadedStream } from '../../src/command-handling/command.ts';
import { type ExistingStream, requireExisting } from '../../src/command-handling/require-existing.ts';
import { activateDuePolicy, renewDuePolicy } from './due-commands.ts';

type LoadedPolicy = LoadedStream<PolicyState, PolicyEvent>;
type ExistingPolicy = ExistingStream<PolicyState, PolicyEvent>;

/**
 * Records what the calendar owes a policy by today: its activation and each due renewal, one command each, with the ids that
 * the scheduler would use. What was recorded stays, also if the command of the context is refused.
 * @returns the policy afterwards
 */
export async function bringUpToDate(context: CommandContext, loaded: LoadedPolicy): Promise<LoadedPolicy> {
  let current = loaded;
  for (let last: DueChange | undefined; ; ) {
    const { state, stream } = current;
    const due = state && dueChangeOf(state);
    if (state === undefined || due === undefined || due.day > todayOf(state, context.now)) return current;
    // The same change twice: it was refused for a reason that only a person can remove.
    if (last?.kind === due.kind && last.day === due.day) return current;
    last = due;
    await executeDue(context, state.policyId, due);
    // Not from the cache, which is stale when another process has recorded the change.
    current = await context.load(policy, stream);
  }
}

/** Loads a policy by its id, with what the calendar owes it recorded. @throws {Refusal} `policy_not_found` */
export async function loadUpToDate(context: CommandContext, policyId: string): Promise<ExistingPolicy> {
  const loaded = await bringUpToDate(context, await context.loadTarget(policy, policyStream(policyId)));
  return requireExisting(loaded, 'policy_not_found', 'There is no such policy');
}

async function executeDue(context: CommandContext, policyId: string, due: DueChange): Promise<void> {
  try {
    if (due.kind === 'activation') await context.execute(activateDuePolicy, { policy_id: policyId });
    else await context.execute(renewDuePolicy, { policy_id: policyId, term_from: due.day });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
