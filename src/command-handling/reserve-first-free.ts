import type { Tags } from '../domain/tags.ts';
import { Refusal } from '../domain/refusals.ts';
import type { CommandContext, Reservation } from './command.ts';

/** Candidates are drawn at random, so more than a few are tried only when almost all values are taken. */
const MAX_CANDIDATES = 500;

interface ReservationOptions {
  /** Stream of the resource that gets the value. */
  readonly target: string;
  readonly tags: Tags;
  /** Detail of the refusal when all candidates are taken. */
  readonly busyDetail: string;
}

/**
 * Reserves the first free candidate and returns its value. Candidates must derive from the command id, so that a
 * repetition or a completion of the command gets the same value.
 * @throws {Refusal} `busy` when all candidates are taken
 */
export async function reserveFirstFree(
  context: CommandContext,
  candidateAt: (candidate: number) => Reservation,
  { target, tags, busyDetail }: ReservationOptions,
): Promise<string> {
  for (let candidate = 0; candidate < MAX_CANDIDATES; candidate++) {
    const reservation = candidateAt(candidate);
    if ((await context.reserve({ ...reservation, target, tags })).kind === 'ours') return reservation.value;
  }
  throw new Refusal('busy', busyDetail);
}
