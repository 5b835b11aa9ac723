import { z } from 'zod';
import { type ClaimState, claimTags } from '#domain/claim/claim.ts';
import { allowedMoves, CLAIM_HANDLERS, COMMAND_OF, isWithin } from '#domain/claim/claim-commands.ts';
import { paidOf } from '#domain/claim/settlement.ts';
import { isClosed, type Move, MOVES, statusOf } from '#domain/claim/stages.ts';
import type { Authority } from '#domain/values/rights.ts';
import { dayIn } from '#domain/values/dates.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import type { CommandContext } from '../command.ts';
import type { ExistingStream } from '../shared/require-existing.ts';
import { isTooLarge } from '../shared/state-size.ts';
import { changeOfClaim, findClaimErrors } from './find-claim.ts';

const refuse = refusalsOf('claim_move_not_allowed');

/** @throws {Refusal} with the commands that are allowed */
export function checkMove(state: ClaimState, to: Move): void {
  const moves = allowedMoves(state);
  if (moves.includes(to)) return;
  const allowed = moves.map((move) => COMMAND_OF[move]);
  const isPaid = paidOf(state) > 0n && MOVES[state.stage].includes(to);
  const [paid, advice] = isPaid ? [', and of which something was paid,', '; reverse its payments first'] : ['', ''];
  throw refuse(
    'claim_move_not_allowed',
    `A claim that is ${state.stage}${paid} cannot become ${to}; allowed: ${allowed.join(' or ') || 'nothing'}${advice}`,
    { members: { allowed } },
  );
}

/** @throws {Refusal} for a claim that is paid, denied or withdrawn */
export function checkOpen(state: ClaimState, what: string): void {
  if (!isClosed(state.stage)) return;
  const allowed = allowedMoves(state).map((move) => COMMAND_OF[move]);
  throw refuse('claim_move_not_allowed', `A claim that is ${state.stage} cannot be ${what}; reopen it first`, {
    members: { allowed },
  });
}

/** Moves that a large claim does not make, because it could make them again and again. */
const OF_SMALL_CLAIMS: readonly Move[] = ['offer sent', 'reopened'];

/** Returns the refusal of a move, with the commands that a large claim allows. @param what the claim cannot be */
export function notOfLargeClaim(state: ClaimState, what: string): Refusal {
  const allowed = allowedMoves(state)
    .filter((move) => !OF_SMALL_CLAIMS.includes(move))
    .map((move) => COMMAND_OF[move]);
  return refuse(
    'claim_move_not_allowed',
    `The claim cannot be ${what}: its reasons, moves and payments have too much text together`,
    {
      members: { allowed },
    },
  );
}

const refuseAuthority = refusalsOf('authority_exceeded');
export const authorityErrors = refuseAuthority.codes;

/**
 * Checks an amount that the claim has in all after the move.
 * @throws {Refusal} when it is above the bound of the authority, or in another currency
 */
export function checkAuthority(
  authority: Authority | null | undefined,
  bound: 'approveUpTo' | 'payUpTo',
  { currency }: Pick<ClaimState, 'currency'>,
  amount: bigint,
): void {
  if (authority === null || authority === undefined || isWithin(authority, bound, { currency }, amount)) return;
  throw refuseAuthority(
    'authority_exceeded',
    currency === authority.currency
      ? `The authority ends at ${authority[bound]} ${currency} for a claim`
      : `The authority is in ${authority.currency}, the claim in ${currency}`,
  );
}

/** Schema of the result of a move. */
export const claimStatusSchema = z.strictObject({ claim_status: z.string() });

export function claimStatusResult({ state }: { readonly state: ClaimState }) {
  return { claim_status: statusOf(state.stage) };
}

/** What the commands of a claim have in common; `today` is the day in the zone of its policy,
 * `authority` that of who sends the command. */
export const claimMove = {
  ...changeOfClaim,
  roles: CLAIM_HANDLERS,
  tags: claimTags,
  lookUp: (_input: unknown, { now, rights }: CommandContext, { state }: ExistingStream<ClaimState>) => ({
    today: dayIn(state.timeZone, now),
    authority: rights?.authority,
  }),
  response: claimStatusSchema,
  result: claimStatusResult,
} as const;

/** Like `claimMove`, of a command that a claim can take again and again: a large claim refuses it. */
export const repeatableMove = (what: string) =>
  ({
    ...claimMove,
    lookUp: (input: unknown, context: CommandContext, found: ExistingStream<ClaimState>) => {
      if (isTooLarge(found)) throw notOfLargeClaim(found.state, what);
      return claimMove.lookUp(input, context, found);
    },
  }) as const;

/** Codes of every move of a claim. */
export const moveErrors = [...findClaimErrors, ...refuse.codes];

/** Ends the description of a move. */
export const AT_ANOTHER_STAGE = 'A claim at another stage is refused; the refusal lists the commands that it allows.';
