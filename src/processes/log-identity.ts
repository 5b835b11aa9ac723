import type { EventStore, Position } from '../event-store/event-store.ts';

/** Where a process is belongs to another log than the one that is there. The message is a sentence for the operator. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch';
}

/**
 * Demands that the log holds what a process has followed it up to. One that was restored from an older copy ends before, or, once
 * it has grown again, has another event there, or none: to go on would be to pass over events that were never sent.
 * @param name of the named value in which the position is kept
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
    throw new LogMismatch(
      `${name} is ${position} and lies behind the end of the log, ${end ?? 'which is empty'}; ${WHY}`,
    );
  throw new LogMismatch(`${name} is ${position}, and no event of the log is there; ${WHY}`);
}

const WHY = 'so the log is another one, perhaps from an older backup. Nothing is passed over: see the runbook, Restore';
