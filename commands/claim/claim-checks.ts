import { type ClaimState, claimTags } from '#domain/claim/claim.ts';
import { paidOf } from '#domain/claim/settlement.ts';
import { isClosed, MOVES, statusOf, type TimelineName } from '#domain/claim/stages.ts';
import { dayIn } from '#domain/values/dates.ts';
import { Refusal } from '#domain/refusals.ts';
import type { CommandContext } from '../command.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { changeOfClaim } from './find-claim.ts';

/** Moves that no claim makes of which something was paid. */
const BEFORE_PAYMENT: readonly TimelineName[] = ['denied', 'withdrawn', 'offer sent'];

/** Returns the moves that a claim may make. */
function allowedMoves(state: ClaimState): readonly TimelineName[] {
  const isPaid = paidOf(state) > 0n;
  return MOVES[state.stage].filter((move) => !(isPaid && BEFORE_PAYMENT.includes(move)));
}

/** @throws {Refusal} `claim_move_not_allowed` with what is allowed */
export function checkMove(state: ClaimState, to: TimelineName): void {
  const allowed = allowedMoves(state);
  if (allowed.includes(to)) return;
  const isPaid = paidOf(state) > 0n && MOVES[state.stage].includes(to);
  const [paid, advice] = isPaid ? [', and of which something was paid,', '; reverse its payments first'] : ['', ''];
  throw new Refusal(
    'claim_move_not_allowed',
    `A claim that is ${state.stage}${paid} cannot become ${to}; allowed: ${allowed.join(' or ') || 'nothing'}${advice}`,
    { members: { allowed } },
  );
}

/** @throws {Refusal} `claim_move_not_allowed` for a claim that is paid, denied or withdrawn */
export function checkOpen(state: ClaimState, what: string): void {
  if (!isClosed(state.stage)) return;
  const allowed = allowedMoves(state);
  throw new Refusal('claim_move_not_allowed', `A claim that is ${state.stage} cannot be ${what}; reopen it first`, {
    members: { allowed },
  });
}

export function claimStatusResult({ state }: { readonly state: ClaimState }) {
  return { claim_status: statusOf(state.stage) };
}

/** What the commands of a claim have in common; `today` is the day in the zone of its policy. */
export const claimMove = {
  ...changeOfClaim,
  roles: ['admin'],
  tags: claimTags,
  lookUp: (_input: unknown, { now }: CommandContext, { state }: ExistingStream<ClaimState, ClaimEvent>) => ({
    today: dayIn(state.timeZone, now),
  }),
  result: claimStatusResult,
} as const;
