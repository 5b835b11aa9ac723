import type { CommandPorts } from '../../command-handling/ports.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import { activateDuePolicy } from '../../../commands/policy/activate-policy.ts';
import { renewDuePolicy } from '../../../commands/policy/renew-due-policy.ts';
import type { PolicyDocument } from '../../../projections/policies/policies.ts';
import type { Day } from '../../event-sourcing/time.ts';
import { dayAfter, PolicyRenewed, type PolicyEvent } from '../../domain/policy/policy.ts';
import { Refusal, type RefusalCode } from '../../domain/refusals.ts';
import type { StoredDocument } from '../../read-models/read-models.ts';
import { runSystemCommand } from '../system-command.ts';

/** A policy that time alone changes, as the read model shows it. */
export interface DuePolicy {
  readonly policyId: string;
  readonly due: Day;
  readonly kind: 'activation' | 'renewal';
}

/** @throws {Error} when the document is not due at all */
export function duePolicyOf({ key, body, indexes }: StoredDocument): DuePolicy {
  const { due } = indexes;
  if (typeof due !== 'string' || body === undefined) throw new Error(`${key} is not due`);
  const { view } = JSON.parse(body) as PolicyDocument;
  return { policyId: key, due, kind: view.status === 'accepted' ? 'activation' : 'renewal' };
}

/** How one step ended. */
export type Step =
  | { readonly kind: 'done'; readonly position: bigint; readonly next: DuePolicy | undefined; readonly isNew: boolean }
  /** Somebody cancelled, activated or renewed it, or the read model was behind: nothing is left to do. */
  | { readonly kind: 'no_longer_due' };

/** What the log says when it is ahead of the read model that called the policy due. */
const NO_LONGER_DUE: readonly RefusalCode[] = [
  'policy_already_active',
  'policy_already_cancelled',
  'policy_not_active',
  'policy_not_begun',
  'policy_not_renewable',
];

/**
 * Does what is due, under an id that only this policy and term have.
 * @throws {Refusal} what is refused for any other reason than that it is no longer due
 * @throws {StoreUnavailable} when the outcome is unknown; repeating it is safe
 */
export async function takeStep(policy: DuePolicy, ports: CommandPorts): Promise<Step> {
  try {
    const outcome =
      policy.kind === 'activation'
        ? await runSystemCommand(activateDuePolicy, { policy_id: policy.policyId }, ports)
        : await runSystemCommand(renewDuePolicy, { policy_id: policy.policyId, term_from: policy.due }, ports);
    return { kind: 'done', position: outcome.position, next: nextOf(policy, outcome), isNew: !outcome.replayed };
  } catch (error) {
    if (error instanceof Refusal && NO_LONGER_DUE.includes(error.code)) return { kind: 'no_longer_due' };
    throw error;
  }
}

/** The renewal that follows a renewal; after an activation the read model tells what is next. */
function nextOf(policy: DuePolicy, { events }: CommandOutcome): DuePolicy | undefined {
  const last = events.at(-1) as PolicyEvent | undefined;
  const due = last?.type === PolicyRenewed.type ? dayAfter(last.data.term.through) : null;
  return due === null ? undefined : { ...policy, due };
}
