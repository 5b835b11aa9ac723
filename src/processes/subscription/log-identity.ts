import type { EventStore, Position } from '../../event-store/event-store.ts';

/** The checkpoint of a process does not fit the log. The message is a sentence for the operator. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch';
}

/**
 * Checks that the log has an event at the checkpoint. A log that was restored from an older backup ends before the checkpoint or,
 * once it has grown again, may have no event there; continuing would skip events that were never sent.
 * @param name of the checkpoint in the records
 * @param position of an event
 * @throws {LogMismatch} @throws {StoreUnavailable}
 */
export async function requireLogIdentity(
  name: string,
  position: Position | undefined,
  eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>,
): Promise<void> {
  if (position === undefined || position <= 0n) return;
  if ((await eventStore.readAt(position)) !== undefined) return;
  const end = await eventStore.lastPosition();
  if (end === undefined || end < position)
    throw new LogMismatch(`${name} is ${position}, beyond the end of the log (${end ?? 'the log is empty'}). ${HINT}`);
  throw new LogMismatch(`${name} is ${position}, but the log has no event at that position. ${HINT}`);
}

const HINT =
  'This is another log, perhaps restored from an older backup. The process is stalled and skips no event; see "Restore" in docs/runbook.md';
