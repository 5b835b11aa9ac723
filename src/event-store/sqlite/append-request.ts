import { jsonOf } from '../check-append.ts';
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
    data: jsonOf(event.data, event),
    metadata: jsonOf(event.metadata, event),
  };
}
