import { toJson } from '../check-append.ts';
import { type AppendResult, type EventToAppend, type ExpectedRevision, MAX_APPEND_BYTES } from '../event-store.ts';

/** Append that waits for the next commit. Its events are already serialised, so later changes to the objects have no effect. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerialisedEvent[];
  readonly size: number;
  resolve(result: AppendResult): void;
  reject(error: Error): void;
}

export interface SerialisedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Serialises the events of a validated append. @throws {TypeError} when a value is not JSON, or the append is too large */
export function serialise(
  stream: string,
  events: readonly EventToAppend[],
): { events: SerialisedEvent[]; size: number } {
  const serialised = events.map(toSerialisedEvent);
  const size = serialised.reduce((sum, event) => sum + sizeOf(event), 0);
  if (size > MAX_APPEND_BYTES) throw new TypeError(`An append to ${stream} is too large: ${size} bytes`);
  return { events: serialised, size };
}

function sizeOf({ type, data, metadata }: SerialisedEvent): number {
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length;
}

function toSerialisedEvent(event: EventToAppend): SerialisedEvent {
  return {
    id: event.id.toLowerCase(),
    type: event.type,
    data: toJson(event.data, event),
    metadata: toJson(event.metadata, event),
  };
}
