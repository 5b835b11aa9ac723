import { SafeError } from '../shared/errors.ts';
import type { EventStore, StoredEvent } from './event-log.ts';

/**
 * An event of the log. It identifies the log: a position alone does not, because a log that was restored from a backup
 * grows to the same positions with other events.
 */
export type EventReference = Pick<StoredEvent, 'position' | 'id'>;

/** The log lacks an event that was handled before. The message is a sentence for the operator. */
export class LogMismatch extends SafeError {
  override readonly name = 'LogMismatch';
}

/**
 * Checks that the log has the event at its position; undefined: no event was handled.
 * @param name of the stored point, in the error text
 * @param remedy the end of the error text
 * @throws {LogMismatch} @throws {StoreUnavailable}
 */
export async function requireLogIdentity(
  name: string,
  point: EventReference | undefined,
  eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>,
  remedy: string,
): Promise<void> {
  if (point === undefined) return;
  const { position, id } = point;
  const found = await eventStore.readAt(position);
  if (found?.id === id) return;
  const end = await eventStore.lastPosition();
  const difference =
    end === undefined || end < position
      ? `beyond the end of the log (${end ?? 'the log is empty'})`
      : `but the log has ${found === undefined ? 'no' : 'another'} event at that position`;
  throw new LogMismatch(`${name} is ${position}, ${difference}. ${remedy}`);
}

export function formatLogPoint(point: EventReference | undefined): string {
  return point === undefined ? '' : `${point.position} ${point.id}`;
}

/** Parses the text of `formatLogPoint`. @throws {SafeError} for another text, as an operator may have set it by hand */
export function parseLogPoint(name: string, text: string): EventReference | undefined {
  if (text === '') return undefined;
  const [, position, id] = /^(\d{1,20}) (\S{1,100})$/.exec(text) ?? [];
  if (position === undefined || id === undefined)
    throw new SafeError(`${name} must be empty, or the position of an event, a space and the id of that event`);
  return { position: BigInt(position), id };
}
