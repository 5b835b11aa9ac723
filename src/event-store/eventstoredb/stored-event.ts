import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';

import type { Position, StoredEvent } from '../event-store.ts';

/** What servers before 22.6 tell as the position of an event that is read from its stream. */
const unknownPosition = 2n ** 64n - 1n;

/** Whether an event is one of Surety's, and not one that EventStoreDB keeps for itself. */
export function isOwn({ streamId, type }: RecordedEvent | AllStreamRecordedEvent): boolean {
  return !type.startsWith('$') && !streamId.startsWith('$');
}

/** @throws {Error} when the server tells no position with events of streams. */
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

/** Only commit positions are comparable: the prepare position of one and the same place differs by where it was told. */
function positionOf(event: RecordedEvent | AllStreamRecordedEvent): Position {
  const commit = event.position?.commit;
  if (commit === undefined || commit === unknownPosition) {
    throw new Error('EventStoreDB tells no positions in streams: version 22.6 or later is needed');
  }
  return commit;
}

/** Bytes are what was not stored as JSON, or is no longer: its reader parks it, and the log stays readable. */
function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
}
