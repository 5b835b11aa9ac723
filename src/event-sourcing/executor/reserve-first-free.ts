import { Refusal } from '../refusal.ts';
import type { InputReservation, Writes } from './command.ts';

/** Candidates are hashes, so more than a few are tried only when almost all values are taken. */
const MAX_CANDIDATES = 500;

/**
 * Reserves the first free candidate and returns its value. Candidates must derive from the command id, so that a
 * repetition or a completion of the command gets the same value. `busyDetail` is the detail of the refusal.
 * @throws {Refusal} `busy` when all candidates are taken
 */
export async function reserveFirstFree(
  writes: Writes,
  candidateAt: (candidate: number) => InputReservation,
  busyDetail: string,
): Promise<string> {
  for (let candidate = 0; candidate < MAX_CANDIDATES; candidate++) {
    const reservation = candidateAt(candidate);
    if ((await writes.reserve(reservation)).kind === 'ours') return reservation.value;
  }
  throw new Refusal('busy', busyDetail);
}
