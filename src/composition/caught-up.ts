import { type EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { Projector } from '../projector/projector.ts';

/**
 * Waits while the read models are built and so lack documents: that nothing is found in them would be a wrong answer. Once they have
 * caught up with the log, they may be a moment behind it.
 * @param withinMs milliseconds
 * @throws {StoreUnavailable} when they have not caught up in time
 */
export async function requireCaughtUp(
  eventStore: Pick<EventStore, 'lastPosition'>,
  projector: Pick<Projector, 'waitFor' | 'status'>,
  withinMs: number,
): Promise<void> {
  if (projector.status().caughtUp) return;
  const head = await eventStore.lastPosition();
  if (head === undefined || (await projector.waitFor(head, withinMs))) return;
  throw new StoreUnavailable('The read models have not caught up with the log');
}
