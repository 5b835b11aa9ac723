import { activateDuePolicy, renewDuePolicy } from '#commands/policy/due-commands.ts';
import type { PolicyDocument } from '#projections/policies/policies.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { dayAfter, startOfDay, type TimeZone } from '#domain/values/dates.ts';
import { dueChangeOf, NO_LONGER_DUE } from '#domain/policy/due.ts';
import { type PolicyEvent, PolicyRenewed } from '#domain/policy/policy-events.ts';
import { Refusal } from '#domain/refusals.ts';
import type { StoredDocument } from '#stores/read-models/read-models.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';

export interface DuePolicy {
  readonly policyId: string;
  /** In the zone of the policy. */
  readonly due: Day;
  readonly dueAt: Instant;
  readonly timeZone: TimeZone;
  readonly kind: 'activation' | 'renewal';
}

export function duePolicyOf({ key, body }: StoredDocument): DuePolicy {
  const policy = body === undefined ? undefined : (JSON.parse(body) as PolicyDocument).policy;
  const due = policy && dueChangeOf(policy);
  if (policy === undefined || due === undefined) throw new Error(`${key} is not due`);
  const { timeZone } = policy.contract;
  return { policyId: key, due: due.day, dueAt: startOfDay(due.day, timeZone), timeZone, kind: due.kind };
}

export interface Step {
  readonly position: bigint;
  readonly next: DuePolicy | undefined;
  readonly isNew: boolean;
}

/**
 * Activates or renews a policy once; undefined: the policy has changed since the read model was updated. The command id
 * is derived from the policy and its term, so repeating it has no effect.
 * @throws {Refusal} for any other reason than that the step is no longer due
 * @throws {StoreUnavailable} when the outcome is unknown
 */
export async function executeDueStep(policy: DuePolicy, ports: CommandPorts): Promise<Step | undefined> {
  try {
    const outcome =
      policy.kind === 'activation'
        ? await runSystemCommand(activateDuePolicy, { policy_id: policy.policyId }, ports)
        : await runSystemCommand(renewDuePolicy, { policy_id: policy.policyId, term_from: policy.due }, ports);
    return { position: outcome.position, next: nextOf(policy, outcome), isNew: !outcome.replayed };
  } catch (error) {
    if (error instanceof Refusal && NO_LONGER_DUE.includes(error.code)) return undefined;
    throw error;
  }
}

/** Returns the renewal after a renewal; after an activation the next step is found in the read model. */
function nextOf(policy: DuePolicy, { events }: CommandOutcome): DuePolicy | undefined {
  const last = events.at(-1) as PolicyEvent | undefined;
  const due = last?.type === PolicyRenewed.type ? dayAfter(last.data.term.through) : null;
  return due === null ? undefined : { ...policy, due, dueAt: startOfDay(due, policy.timeZone) };
}
