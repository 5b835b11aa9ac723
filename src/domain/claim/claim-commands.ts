import { parseSum } from '../values/money.ts';
import type { Access, Authority, Role } from '../values/rights.ts';
import type { ClaimState } from './claim.ts';
import { paidOf, payableOf } from './settlement.ts';
import { isClosed, type Move, MOVES } from './stages.ts';

/** Who works a claim. */
export const CLAIM_HANDLERS = ['insurer', 'claims', 'admin'] as const satisfies readonly Role[];
/** The roles of the commands that merchants send too. */
export const CLAIM_PARTIES = ['merchant', ...CLAIM_HANDLERS] as const satisfies readonly Role[];

/** Most documents of a claim, and their bytes in all. */
export const MAX_CLAIM_DOCUMENTS = 100;
export const MAX_CLAIM_BYTES = 50 * 1024 * 1024;
/** Most notes of a claim, and their characters in all. */
export const MAX_NOTES = 1_000;
export const MAX_NOTE_CHARACTERS = 100_000;

type Rights = Authority | null | undefined;

/** A command on a claim: the move that it makes, if any, and what else it needs of the claim. */
interface ClaimCommand {
  readonly roles: readonly Role[];
  readonly move?: Move;
  /** The fields of its input that must be given, besides the id. */
  readonly fields?: (claim: ClaimState) => readonly string[];
  /** Whether there is an input that the claim takes; default: always. */
  readonly takes?: (claim: ClaimState, authority: Rights) => boolean;
}

const [byHandlers, byAll] = [{ roles: CLAIM_HANDLERS }, { roles: CLAIM_PARTIES }];
const withReason = { fields: () => ['reason'] };

/**
 * The commands on a claim by name: the table by which a move is decided, and of which a claim shows `allowed_moves`.
 * Amounts, limits and cover are judged when a command is sent.
 */
const CLAIM_COMMANDS = {
  ReviewClaim: { ...byHandlers, move: 'under review' },
  SendClaimForApproval: { ...byHandlers, move: 'pending approval' },
  ApproveClaim: {
    ...byHandlers,
    move: 'approved',
    fields: ({ details, coverage }) => [
      ...(details.amount === null ? ['approved_amount'] : []),
      ...(coverage === null ? ['coverage_name'] : []),
    ],
    takes: (claim, authority) => isWithin(authority, 'approveUpTo', claim, paidOf(claim) || 1n),
  },
  SendClaimOffer: {
    ...byHandlers,
    move: 'offer sent',
    takes: (claim) => (payableOf({ ...claim, isOfferAccepted: false }) ?? 0n) > 0n,
  },
  AcceptClaimOffer: { ...byAll, move: 'offer accepted' },
  RejectClaimOffer: { ...byAll, move: 'offer rejected', ...withReason },
  PayClaim: {
    ...byHandlers,
    move: 'paid',
    // What was paid in part can be closed without another payment.
    takes: (claim, authority) =>
      paidOf(claim) > 0n || ((payableOf(claim) ?? 0n) > 0n && isWithin(authority, 'payUpTo', claim, 1n)),
  },
  ReversePayment: {
    ...byHandlers,
    fields: () => ['payment_id', 'reason'],
    takes: ({ payments }) => payments.some(({ reversedOn }) => reversedOn === null),
  },
  DenyClaim: { ...byHandlers, move: 'denied', ...withReason },
  WithdrawClaim: { ...byAll, move: 'withdrawn', ...withReason },
  ReopenClaim: { ...byHandlers, move: 'reopened', ...withReason },
  ReviseClaim: { ...byHandlers, ...withReason, takes: ({ stage }) => !isClosed(stage) },
  AssignClaim: { ...byHandlers, fields: () => ['assignee'] },
  AddClaimDocuments: {
    ...byAll,
    fields: () => ['documents'],
    takes: ({ stage, documents }) =>
      stage !== 'withdrawn' && documents.length < MAX_CLAIM_DOCUMENTS && bytesOf(documents) < MAX_CLAIM_BYTES,
  },
  AddClaimNote: {
    ...byAll,
    fields: () => ['text'],
    takes: ({ noteEntries }) => noteEntries.length < MAX_NOTES && charactersOf(noteEntries) < MAX_NOTE_CHARACTERS,
  },
} as const satisfies Record<string, ClaimCommand>;

export type ClaimCommandName = keyof typeof CLAIM_COMMANDS;
const ENTRIES = Object.entries<ClaimCommand>(CLAIM_COMMANDS) as (readonly [ClaimCommandName, ClaimCommand])[];

/** Names of the commands that make a move. */
export const COMMAND_OF = Object.fromEntries(
  ENTRIES.flatMap(([name, { move }]) => (move === undefined ? [] : [[move, name]])),
) as Readonly<Record<Move, ClaimCommandName>>;

/** Moves that no claim makes of which something was paid. */
const BEFORE_PAYMENT: readonly Move[] = ['denied', 'withdrawn', 'offer sent'];

/** Returns the moves that a claim may make. */
export function allowedMoves(claim: ClaimState): readonly Move[] {
  const isPaid = paidOf(claim) > 0n;
  return MOVES[claim.stage].filter((move) => !(isPaid && BEFORE_PAYMENT.includes(move)));
}

/** Who sends a command. */
export interface ClaimSender {
  readonly role: Role;
  readonly access: Access;
  readonly authority: Authority | null;
}

/** Returns the commands that a claim takes from a sender, each with the fields that must be given besides the id. */
export function allowedCommands(
  claim: ClaimState,
  { role, access, authority }: ClaimSender,
): readonly { readonly name: ClaimCommandName; readonly fields: readonly string[] }[] {
  // A claim with a payment in flight takes nothing but its end.
  if (access === 'read' || claim.pending !== null) return [];
  const moves = allowedMoves(claim);
  return ENTRIES.flatMap(([name, { roles, move, fields, takes }]) => {
    const isAllowed =
      roles.includes(role) && (move === undefined || moves.includes(move)) && takes?.(claim, authority) !== false;
    return isAllowed ? [{ name, fields: fields?.(claim) ?? [] }] : [];
  });
}

/** Returns whether an authority is in the currency of the claim and allows the amount. */
export function isWithin(
  authority: Rights,
  bound: 'approveUpTo' | 'payUpTo',
  { currency }: Pick<ClaimState, 'currency'>,
  amount: bigint,
): boolean {
  if (authority === null || authority === undefined) return true;
  const most = authority[bound];
  return authority.currency === currency && (most === null || amount <= parseSum(most));
}

/** Returns the bytes of documents in all. */
export function bytesOf(documents: ClaimState['documents']): number {
  return documents.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns the characters of notes in all. */
export function charactersOf(notes: ClaimState['noteEntries']): number {
  return notes.reduce((sum, { text }) => sum + text.length, 0);
}
