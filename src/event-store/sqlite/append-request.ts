import { jsonOf } from '../check-append.ts';
import { type AppendResult, type EventToAppend, type ExpectedRevision, MOST_BYTES_OF_APPEND } from '../event-store.ts';

/** An append that waits for the next commit. Its JSON is made at once, so later changes to the objects do not count. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventText[];
  /** Its bytes, for the cap of a commit. */
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

/** Makes the JSON of an append that went through `checkAppend`. @throws {TypeError} when something is not JSON, or too large. */
export function toTexts(stream: string, events: readonly EventToAppend[]): { events: EventText[]; size: number } {
  const texts = events.map(toText);
  const size = texts.reduce((sum, text) => sum + bytesOfText(text), 0);
  if (size > MOST_BYTES_OF_APPEND) throw new TypeError(`An append to ${stream} is too large: ${size} bytes`);
  return { events: texts, size };
}

/** As `bytesOf`, of texts that are made already. */
function bytesOfText({ type, data, metadata }: EventText): number {
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length;
}

function toText(event: EventToAppend): EventText {
  return {
    id: event.id.toLowerCase(),
    type: event.type,
    data: jsonOf(event.data, event),
    metadata: jsonOf(event.metadata, event),
  };
}
