import { checkAppend, toJson } from '../check-append.ts';
import {
  type Append,
  type AppendResult,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
} from '../event-store.ts';

/** Appends that wait for the next commit, written in order until one is refused. */
export interface AppendRequest {
  readonly appends: readonly SerialisedAppend[];
  resolve(results: readonly AppendResult[]): void;
  reject(error: Error): void;
}

/** Append whose events are already serialised, so later changes to the objects have no effect. */
export interface SerialisedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerialisedEvent[];
  readonly size: number;
}

export interface SerialisedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Checks and serialises an append. @throws {TypeError} when it is invalid, a value is not JSON, or it is too large */
export function serialise({ stream, expected, events }: Append): SerialisedAppend {
  checkAppend(stream, expected, events);
  const serialised = events.map(toSerialisedEvent);
  const size = serialised.reduce((sum, event) => sum + sizeOf(event), 0);
  if (size > MAX_APPEND_BYTES) throw new TypeError(`An append to ${stream} is too large: ${size} bytes`);
  return { stream, expected, events: serialised, size };
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
