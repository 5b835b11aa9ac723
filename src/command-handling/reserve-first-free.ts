import type { Tags } from '../domain/tags.ts';
import { Refusal } from '../domain/refusals.ts';
import type { CommandContext, Reservation } from './command.ts';

/** How many values are tried; each is free unless another command drew the same. */
const MOST_CANDIDATES = 500;

/** What the value is reserved for. */
interface Taker {
  /** Stream of the thing that gets the value. */
  readonly target: string;
  readonly tags: Tags;
  /** What the sender is told when all are taken. */
  readonly noneFree: string;
}

/**
 * Reserves the first free of a row of values and returns it. The row must follow from the command id, so that a retry and
 * whoever finishes the command meet the value that it had taken (design, Writing).
 * @throws {Refusal} `busy` when all are taken
 */
export async function reserveFirstFree(
  context: CommandContext,
  reservationAt: (place: number) => Reservation,
  { target, tags, noneFree }: Taker,
): Promise<string> {
  for (let place = 0; place < MOST_CANDIDATES; place++) {
    const reservation = reservationAt(place);
    if ((await context.reserve({ ...reservation, target, tags })).kind === 'ours') return reservation.value;
  }
  throw new Refusal('busy', noneFree);
}
