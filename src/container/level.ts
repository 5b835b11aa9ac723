import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { Projector } from '../projector/projector.ts';

/**
 * Waits while the read models are made for the first time, or anew, and so lack what is there: that nothing is found in them
 * would be a wrong answer. Once they have caught up they may be a moment behind.
 * @param withinMs milliseconds
 * @throws {StoreUnavailable} when they are not level with the log in time
 */
export async function demandLevel(
  eventStore: Pick<EventStore, 'lastPosition'>,
  projector: Pick<Projector, 'waitFor' | 'status'>,
  withinMs: number,
): Promise<void> {
  if (projector.status().caughtUp) return;
  const head = await eventStore.lastPosition();
  if (head === undefined || (await projector.waitFor(head, withinMs))) return;
  throw new StoreUnavailable('The read models have not caught up with the log');
}
