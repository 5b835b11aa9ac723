import type { AppendResult, EventToAppend, ExpectedRevision } from '../event-store.ts';

/** An append that waits for the next commit. Its JSON is made at once, so later changes to the objects do not count. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventText[];
  /** Characters of JSON in it, for the cap of a commit. */
  readonly size: number;
  resolve(result: AppendResult): void;
  reject(error: Error): void;
}

export interface EventText {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Far beyond any real append; it keeps one that SQLite could not hold from failing all that are committed with it. */
const maxSize = 16 * 1024 * 1024;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Refuses what no store could keep. @throws {TypeError} the caller's mistake; no retry helps. */
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

/** Makes the JSON of an append that went through `checkAppend`. @throws {TypeError} when something is not JSON, or too large. */
export function toTexts(stream: string, events: readonly EventToAppend[]): { events: EventText[]; size: number } {
  const texts = events.map(toText);
  const size = texts.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (size > maxSize) throw new TypeError(`An append to ${stream} is too large: ${size} characters`);
  return { events: texts, size };
}

function toText(event: EventToAppend): EventText {
  return {
    id: event.id.toLowerCase(),
    type: event.type,
    data: stringify(event.data, event),
    metadata: stringify(event.metadata, event),
  };
}

function stringify(value: unknown, event: EventToAppend): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`Data or metadata of ${event.type} is not JSON`);
  return json;
}
