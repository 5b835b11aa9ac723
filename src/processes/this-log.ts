import type { EventStore, Position } from '../event-store/event-store.ts';

/** Where a process is belongs to another log than the one that is there. The message is a sentence for the operator. */
export class OtherLog extends Error {
  override readonly name = 'OtherLog';
}

/**
 * Demands that the log holds what a process has followed it up to. One that was restored from an older copy ends before, or, once
 * it has grown again, has another event there, or none: to go on would be to pass over events that nobody was told of.
 * @param name of the named value in which the position is kept
 * @param position an event's, or, as the completion keeps it, the place right before one
 * @throws {OtherLog} @throws {StoreUnavailable}
 */
export async function demandThisLog(
  name: string,
  position: Position | undefined,
  eventStore: Pick<EventStore, 'lastPosition' | 'readAll'>,
): Promise<void> {
  if (position === undefined || position <= 0n) return;
  const end = await eventStore.lastPosition();
  if (end === undefined || end < position)
    throw new OtherLog(`${name} is ${position} and lies behind the end of the log, ${end ?? 'which is empty'}; ${WHY}`);
  const [event] = await eventStore.readAll({ after: position - 1n, limit: 1 });
  if (event === undefined || event.position > position + 1n)
    throw new OtherLog(`${name} is ${position}, and no event of the log stands there; ${WHY}`);
}

const WHY = 'so the log is another one, perhaps from an older backup. Nothing is passed over: see the runbook, Restore';
