import { z } from 'zod';
import { normalise } from '#event-sourcing/identifiers.ts';
import { type PolicyState, policy, policyStream, policyTags } from '#domain/policy/policy.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { todayOf } from '#domain/policy/cover.ts';
import { merchantScope, type ReservationEvent, targetOf } from '#domain/reservations.ts';
import type { Reservation } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import type { AddIssue } from '../shared/checks.ts';
import { line, resourceId } from '../shared/fields.ts';
import { isOwn, notFound, otherModeOf } from '../shared/acting-environment.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import { recordDueChanges } from './due-changes.ts';

const CODE = 'policy_not_found';
export const findPolicyErrors = [CODE] as const;
const refuse = refusalsOf('invalid_request');
const refuseNumber = refusalsOf('number_differs_by_case');
export const checkSameNumberErrors = refuseNumber.codes;

/** Fields that name a policy in a body. At least one is required (`checkPolicyReference`). */
export const policyReference = {
  policy_id: z.uuid('must be a UUID, or give policy_number').toLowerCase().optional(),
  policy_number: line(255).optional(),
};

/** Names a policy in the path of a command. */
export const policyIdOrNumber = line(255).meta({
  description: 'The policy id; with a merchant key also the policy number',
});

/** Cross-field check: a body names its policy by id, number or both. */
export function checkPolicyReference(values: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  if (values.policy_id !== undefined || values.policy_number !== undefined) return;
  addIssue(['policy_id'], 'must be given, or policy_number instead');
}

interface PolicyReference {
  readonly policy_id?: string | undefined;
  readonly policy_number?: string | undefined;
}

/**
 * Checks that the number of a row is that of the policy or claim that has it, as it is written: one that differs by
 * case alone may be that of another one.
 * @throws {Refusal} naming the field
 */
export function checkSameNumber(reserved: ReservationEvent, field: string, number: string): void {
  if (reserved.type !== 'ValueReserved' || reserved.data.value === number) return;
  const { value } = reserved.data;
  throw refuseNumber('number_differs_by_case', `The number differs from the known ${value} by case alone`, {
    fields: [{ field, message: `differs from the known ${value} by case alone` }],
  });
}

type FoundPolicy = ExistingStream<PolicyState>;

/** Returns the reservation of a policy number, unique per merchant and mode. */
export function policyNumberReservation(owner: Parameters<typeof merchantScope>[0], policyNumber: string): Reservation {
  return { kind: 'policyNumber', scope: merchantScope(owner), value: policyNumber };
}

/** What the commands that change a policy have in common; `today` is the day in the zone of the policy. */
const changeOfPolicy = {
  takesIfMatch: true,
  changesOneStream: true,
  aggregate: policy,
  tags: policyTags,
  prepare: async (_input: unknown, context: CommandContext, found: FoundPolicy) =>
    await recordDueChanges(context, found),
  lookUp: (_input: unknown, { now }: CommandContext, { state }: FoundPolicy) => ({ today: todayOf(state, now) }),
} as const;

/** For commands whose body names the policy. */
export const changeByReference = {
  ...changeOfPolicy,
  roles: ['merchant', 'admin'],
  inEnvironment: true,
  find: async (reference: PolicyReference, context: CommandContext) => await findPolicy(context, reference),
} as const;

/** For commands whose path names the policy by id or number. */
export const changeByIdOrNumber = {
  ...changeOfPolicy,
  roles: ['admin'],
  find: async ({ policy_id: idOrNumber }: { readonly policy_id: string }, context: CommandContext) => {
    const id = resourceId.safeParse(idOrNumber);
    const byId = id.success ? await loadOwnPolicy(context, policyStream(id.data)) : undefined;
    const found = byId ?? (await loadByNumber(context, idOrNumber));
    if (found === undefined) throw await policyNotFound(context, { policy_id: id.data, policy_number: idOrNumber });
    return found;
  },
} as const;

/**
 * Loads the policy that a body names.
 * @throws {Refusal} also for a policy of another merchant or of the other mode, and when id and number name different
 * policies
 */
export async function findPolicy(context: CommandContext, reference: PolicyReference): Promise<FoundPolicy> {
  const { policy_id: id, policy_number: number } = reference;
  const byId = id === undefined ? undefined : await loadOwnPolicy(context, policyStream(id));
  const isSame =
    byId !== undefined && (number === undefined || normalise(byId.state.contract.policyNumber) === normalise(number));
  if (isSame) return byId;
  const byNumber = number === undefined ? undefined : await loadByNumber(context, number);
  if (byNumber !== undefined && id === undefined) return byNumber;
  if (byId === undefined && byNumber === undefined) throw await policyNotFound(context, reference);
  const message = 'policy_id and policy_number must name the same policy';
  throw refuse('invalid_request', message, {
    fields: [
      { field: 'policy_id', message },
      { field: 'policy_number', message },
    ],
  });
}

/** Returns undefined outside an environment, where a number names no policy: it is unique per merchant and mode. */
async function loadByNumber(context: CommandContext, policyNumber: string): Promise<FoundPolicy | undefined> {
  if (context.environmentIfAny === undefined) return undefined;
  const reserved = await context.findReservation(policyNumberReservation(context.environmentIfAny, policyNumber));
  return reserved && (await loadOwnPolicy(context, targetOf(reserved)));
}

/**
 * Returns undefined alike for a missing policy and one of another merchant or mode, so that the caller cannot tell
 * them apart.
 */
async function loadOwnPolicy(context: CommandContext, stream: string): Promise<FoundPolicy | undefined> {
  const loaded = await context.loadTarget(policy, stream);
  const { state } = loaded;
  return state !== undefined && isOwn(context, state) ? { ...loaded, state } : undefined;
}

/** Makes the refusal of a policy that is not the merchant's in its mode, but may be in the other one. */
async function policyNotFound(
  context: CommandContext,
  { policy_id: id, policy_number: number }: PolicyReference,
): Promise<Refusal> {
  const other = otherModeOf(context);
  const byId = id === undefined ? undefined : (await context.load(policy, policyStream(id))).state;
  const isNumber =
    other !== undefined &&
    number !== undefined &&
    (await context.findReservation(policyNumberReservation(other, number))) !== undefined;
  return notFound(CODE, context, isNumber ? other : byId);
}
