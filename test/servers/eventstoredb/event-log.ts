import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { RecordFile } from './record-file.ts';
import type { EventRecord } from './record-file.ts';

export type Expected = bigint | 'no_stream' | 'any' | 'stream_exists';

/** An event as the log keeps it in memory. */
export interface LoggedEvent extends EventRecord {
  readonly place: bigint;
}

export type NewEvent = Pick<EventRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

export type Verdict =
  | { readonly kind: 'written' | 'known'; readonly revision: number; readonly position: bigint }
  | { readonly kind: 'wrong'; readonly actual: number | undefined }
  | { readonly kind: 'tombstoned' }
  /** The same events are being written just now: the real server says nothing, ever. */
  | { readonly kind: 'dropped' };

interface StreamState {
  /** With those that are not on disk yet. */
  readonly events: NewEvent[];
  readonly visible: LoggedEvent[];
  truncatedBefore: number;
  tombstoned: boolean;
}

interface Waiting {
  readonly stream: string;
  readonly from: number;
  readonly events: readonly NewEvent[];
  done(position: bigint): void;
}

const softlyDeleted = Number.MAX_SAFE_INTEGER;

/**
 * The log of the stand-in. It judges appends as the real server's index writer does: at an explicit revision by place alone,
 * at "any" by what it remembers since it was started. Emits `news` when events became visible.
 */
export class EventLog extends EventEmitter {
  /** In order of position. */
  readonly all: LoggedEvent[] = [];
  readonly #streams = new Map<string, StreamState>();
  /** Where the ids that were written since the start stand: all that "any" knows. */
  readonly #remembered = new Map<string, { readonly stream: string; readonly revision: number }>();
  #file: RecordFile | undefined;
  #waiting: Waiting[] = [];
  #writing = false;
  /** Where the next record begins. The log itself begins with a record that is no event. */
  #end = 160n;
  #delayed = Promise.resolve();

  static async open(folder: string): Promise<EventLog> {
    const log = new EventLog();
    log.setMaxListeners(0);
    log.#file = await RecordFile.open(folder, (records) => {
      for (const record of records) {
        log.#stream(record.stream).events.push(record);
        log.#show(record);
      }
    });
    return log;
  }

  /** Where the log ends: no event stands there or behind it. */
  get end(): bigint {
    return this.#end;
  }

  /** What a reader of the stream sees; undefined when there is no such stream (any more). */
  read(name: string): readonly LoggedEvent[] | 'tombstoned' | undefined {
    const stream = this.#streams.get(name);
    if (stream === undefined || stream.visible.length === 0) return undefined;
    if (stream.tombstoned) return 'tombstoned';
    if (stream.truncatedBefore === softlyDeleted) return undefined;
    return stream.truncatedBefore === 0 ? stream.visible : stream.visible.slice(stream.truncatedBefore);
  }

  /** Revision of the newest event of a stream. */
  tip(name: string): number | undefined {
    return this.#streams.get(name)?.visible.at(-1)?.revision;
  }

  /** Resolves when the outcome is known and on disk. */
  async append(name: string, expected: Expected, events: readonly NewEvent[]): Promise<Verdict> {
    const stream = this.#stream(name);
    const tip = stream.events.length - 1;
    if (stream.tombstoned) return { kind: 'tombstoned' };
    const known = this.#judge(name, stream, expected, events);
    if (known !== undefined) return known;
    if (stream.truncatedBefore === softlyDeleted) await this.#truncate(name, tip + 1);
    return await this.#write(name, stream, events);
  }

  /** Undefined: the events are to be written. */
  #judge(name: string, stream: StreamState, expected: Expected, events: readonly NewEvent[]): Verdict | undefined {
    const tip = stream.events.length - 1;
    const wrong: Verdict = { kind: 'wrong', actual: tip < 0 ? undefined : tip };
    if (expected === 'stream_exists' && tip < 0) return wrong;
    if (expected === 'any' || expected === 'stream_exists') return this.#judgeByMemory(name, stream, events);
    const from = expected === 'no_stream' ? 0 : Number(expected) + 1;
    if (from === tip + 1 || (from === 0 && stream.truncatedBefore === softlyDeleted)) return undefined;
    if (from > tip + 1) return wrong;
    return events.every(({ id }, index) => stream.events[from + index]?.id === id)
      ? this.#known(stream, from + events.length - 1)
      : wrong;
  }

  #judgeByMemory(name: string, stream: StreamState, events: readonly NewEvent[]): Verdict | undefined {
    const first = this.#remembered.get(events[0]?.id ?? '');
    if (first?.stream !== name) return undefined;
    const whole = events.every(({ id }, index) => stream.events[first.revision + index]?.id === id);
    return whole
      ? this.#known(stream, first.revision + events.length - 1)
      : { kind: 'wrong', actual: stream.events.length - 1 };
  }

  #known(stream: StreamState, revision: number): Verdict {
    const last = stream.visible[revision];
    return last === undefined ? { kind: 'dropped' } : { kind: 'known', revision, position: last.place };
  }

  async #write(name: string, stream: StreamState, events: readonly NewEvent[]): Promise<Verdict> {
    const from = stream.events.length;
    stream.events.push(...events);
    for (const [index, { id }] of events.entries()) this.#remembered.set(id, { stream: name, revision: from + index });
    const position = await new Promise<bigint>((done) => {
      this.#waiting.push({ stream: name, from, events, done });
      void this.#flush();
    });
    return { kind: 'written', revision: from + events.length - 1, position };
  }

  /** Appends that came while the last ones were synced share the next sync. */
  async #flush(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#waiting.length > 0) {
      await this.#delayed;
      const group = this.#waiting.splice(0);
      const placed = group.map((waiting) => this.#place(waiting));
      await this.#file?.append(placed);
      for (const record of placed.flat()) this.#show(record);
      for (const [index, { done }] of group.entries()) done(BigInt(placed[index]?.at(-1)?.position ?? 0));
      this.emit('news');
    }
    this.#writing = false;
  }

  #place({ stream, from, events }: Waiting): EventRecord[] {
    const created = (BigInt(Date.now()) * 10_000n).toString();
    return events.map((event, index) => {
      const position = this.#end;
      this.#end += sizeOf(stream, event);
      return { ...event, position: position.toString(), stream, revision: from + index, created };
    });
  }

  #show(record: EventRecord): void {
    const event = { ...record, place: BigInt(record.position) };
    this.all.push(event);
    this.#stream(record.stream).visible.push(event);
    this.#end = event.place + sizeOf(record.stream, record);
    if (record.type === '$streamDeleted') this.#stream(record.stream).tombstoned = true;
    if (record.type === '$metadata') this.#setMetadata(record);
  }

  #setMetadata({ stream, data }: EventRecord): void {
    const { $tb } = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as { readonly $tb?: number };
    if ($tb !== undefined) this.#stream(stream.slice(2)).truncatedBefore = $tb;
  }

  /** Writes nothing for `ms` milliseconds; a fault of a test. */
  delay(ms: number): void {
    this.#delayed = pause(ms);
  }

  /** So that it may be written again. */
  async delete(name: string): Promise<void> {
    await this.#truncate(name, softlyDeleted);
  }

  /** For good. */
  async tombstone(name: string): Promise<void> {
    await this.#write(name, this.#stream(name), [systemEvent('$streamDeleted', {})]);
  }

  async #truncate(name: string, $tb: number): Promise<void> {
    await this.writeSystemEvent(`$$${name}`, '$metadata', { $tb });
  }

  /** An event such as the real server writes for itself. */
  async writeSystemEvent(stream: string, type: string, data: unknown): Promise<void> {
    await this.#write(stream, this.#stream(stream), [systemEvent(type, data)]);
  }

  #stream(name: string): StreamState {
    const found = this.#streams.get(name);
    if (found !== undefined) return found;
    const made: StreamState = { events: [], visible: [], truncatedBefore: 0, tombstoned: false };
    this.#streams.set(name, made);
    return made;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function systemEvent(type: string, data: unknown): NewEvent {
  const bytes = Buffer.from(JSON.stringify(data)).toString('base64');
  return { id: randomUUID(), type, contentType: 'application/json', data: bytes, metadata: '' };
}

/** Positions are offsets in a file: between two of them lies what the first event takes. */
function sizeOf(stream: string, { type, data, metadata }: NewEvent): bigint {
  return BigInt(
    96 + stream.length + type.length + Buffer.byteLength(data, 'base64') + Buffer.byteLength(metadata, 'base64'),
  );
}
