import { type Append, bytesOfJson, type EventToAppend, type ExpectedRevision, MAX_APPEND_BYTES } from './event-log.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Append whose events are already serialised, so later changes to the objects have no effect. */
export interface SerialisedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerialisedEvent[];
  readonly size: number;
}

interface SerialisedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/**
 * Checks and serialises an append.
 * @throws {TypeError} for a programming error, as when it is too large; a retry fails the same way
 */
export function serialise({ stream, expected, events }: Append): SerialisedAppend {
  if (stream === '' || stream.includes('\0')) throw new TypeError('A stream needs a name without NUL');
  if (expected !== 'no_stream' && !(Number.isSafeInteger(expected) && expected >= 0))
    throw new TypeError(`The expected revision of ${stream} is ${String(expected)}`);
  if (events.length === 0) throw new TypeError(`An append to ${stream} needs at least one event`);
  for (const event of events) {
    if (!uuid.test(event.id)) throw new TypeError(`The event id ${event.id} is not a UUID`);
    if (event.type === '') throw new TypeError(`An event of ${stream} has no type`);
  }
  const serialised = events.map((event) => ({
    id: event.id.toLowerCase(),
    type: event.type,
    data: event.json?.data ?? toJson(event.data, event),
    metadata: event.json?.metadata ?? toJson(event.metadata, event),
  }));
  const size = serialised.reduce((sum, event) => sum + bytesOfJson(event), 0);
  if (size > MAX_APPEND_BYTES) throw new TypeError(`An append to ${stream} is too large: ${size} bytes`);
  return { stream, expected, events: serialised, size };
}

function toJson(value: unknown, event: EventToAppend): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`Data or metadata of ${event.type} is not JSON`);
  return json;
}
