import { todayOf } from '#domain/policy/cover.ts';
import { type DueChange, dueChangeOf, NO_LONGER_DUE } from '#domain/policy/due.ts';
import { type PolicyState, policy } from '#domain/policy/policy.ts';
import { Refusal, refusalsOf } from '#domain/refusals.ts';
import type { CommandContext } from '../command.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import { activateDuePolicy, renewDuePolicy } from './due-commands.ts';

const refuse = refusalsOf('busy');

type FoundPolicy = ExistingStream<PolicyState>;

/** Due changes that one request records at most; the rest follows with the next one, or by the scheduler. */
const MAX_DUE_CHANGES = 100;

/**
 * Records the activation and the renewals of a policy that are due by today, one command each, with the ids that the
 * scheduler would use. What was recorded stays, also if the command of the context is refused.
 * @returns the policy afterwards; a command whose target it is stops here if it was executed already
 * @throws {Refusal} when more are due than one request records, or when one could not be recorded for now
 */
export async function recordDueChanges(
  context: CommandContext,
  found: FoundPolicy,
  isTarget = true,
): Promise<FoundPolicy> {
  let current = found;
  let last: DueChange | undefined;
  for (let recorded = 0; recorded < MAX_DUE_CHANGES; recorded++) {
    const { state, stream } = current;
    const due = dueChangeOf(state);
    if (due === undefined || due.day > todayOf(state, context.now)) return current;
    // The same change twice: it was refused for a reason that only a person can remove.
    if (last?.kind === due.kind && last.day === due.day) return current;
    last = due;
    await executeDueChange(context, state.policyId, due);
    const loaded = isTarget ? await context.loadTarget(policy, stream) : await context.load(policy, stream);
    current = { ...loaded, state: loaded.state ?? state };
  }
  throw refuse('busy', 'Very many renewals of this policy are due; try again');
}

async function executeDueChange(context: CommandContext, policyId: string, due: DueChange): Promise<void> {
  try {
    if (due.kind === 'activation') await context.execute(activateDuePolicy, { policy_id: policyId });
    else await context.execute(renewDuePolicy, { policy_id: policyId, term_from: due.day });
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_LONGER_DUE.includes(error.code)) throw error;
  }
}
