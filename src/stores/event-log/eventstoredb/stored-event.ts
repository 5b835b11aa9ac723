import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { Position, StoredEvent } from '../event-log.ts';

/** Position that servers before 22.6 return with an event that is read from its stream. */
const unknownPosition = 2n ** 64n - 1n;

/** Returns whether an event is an application event, and not a system event of EventStoreDB. */
export function isApplicationEvent({ streamId, type }: RecordedEvent | AllStreamRecordedEvent): boolean {
  return !type.startsWith('$') && !streamId.startsWith('$');
}

/** @throws {Error} when the server returns no position with an event that is read from its stream */
export function toStored(event: RecordedEvent | AllStreamRecordedEvent): StoredEvent {
  return {
    id: event.id.toLowerCase(),
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionOf(event),
    type: event.type,
    data: textOf(event.data),
    metadata: textOf(event.metadata ?? null),
  };
}

/**
 * Uses the commit position: the prepare position of the same record differs between reads of its stream and of `$all`.
 */
function positionOf(event: RecordedEvent | AllStreamRecordedEvent): Position {
  const commit = event.position?.commit;
  if (commit === undefined || commit === unknownPosition) {
    throw new Error('EventStoreDB returns no positions in streams: version 22.6 or later is needed');
  }
  return commit;
}

/** Returns data that is not JSON as text: the reader then parks the document, and the log stays readable. */
function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
}
