import type { EventToAppend, ExpectedRevision } from './event-store.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Validates the arguments of an append. @throws {TypeError} for a programming error; a retry fails the same way */
export function checkAppend(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): void {
  if (stream === '' || stream.includes('\0')) throw new TypeError('A stream needs a name without NUL');
  if (expected !== 'no_stream' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new TypeError(`The expected revision of ${stream} is ${String(expected)}`);
  }
  if (events.length === 0) throw new TypeError(`An append to ${stream} needs at least one event`);
  for (const event of events) {
    if (!uuid.test(event.id)) throw new TypeError(`The event id ${event.id} is not a UUID`);
    if (event.type === '') throw new TypeError(`An event of ${stream} has no type`);
  }
}

/** Serialises an event's data or metadata. @throws {TypeError} when the value is not JSON */
export function toJson(value: unknown, event: EventToAppend): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`Data or metadata of ${event.type} is not JSON`);
  return json;
}
