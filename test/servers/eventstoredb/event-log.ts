import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { RecordFile } from './record-file.ts';
import type { EventRecord } from './record-file.ts';

export type ExpectedRevision = bigint | 'no_stream' | 'any' | 'stream_exists';

/** An event of the log in memory; `offset` is its position as a number. */
export interface LoggedEvent extends EventRecord {
  readonly offset: bigint;
}

export type NewEvent = Pick<EventRecord, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

export type AppendOutcome =
  | { readonly kind: 'written' | 'known'; readonly revision: number; readonly position: bigint }
  | { readonly kind: 'wrong'; readonly actual: number | undefined }
  | { readonly kind: 'tombstoned' }
  /** The same events are being written at the moment: the real server never answers. */
  | { readonly kind: 'dropped' };

interface StreamState {
  /** All events, including those that are not on disk yet. */
  readonly events: NewEvent[];
  readonly visible: LoggedEvent[];
  truncatedBefore: number;
  tombstoned: boolean;
}

interface PendingAppend {
  readonly stream: string;
  readonly from: number;
  readonly events: readonly NewEvent[];
  done(position: bigint): void;
}

const SOFT_DELETED = Number.MAX_SAFE_INTEGER;

/**
 * The log of the stand-in. It detects repeated appends as the real server's index writer does: at an explicit revision
 * by the event ids at these revisions, at "any" by the ids written since the start. Emits `appended` when events become
 * visible.
 */
export class EventLog extends EventEmitter {
  /** All visible events, in order of position. */
  readonly all: LoggedEvent[] = [];
  readonly #streams = new Map<string, StreamState>();
  /** Location of every id written since the start, for appends with "any". */
  readonly #recentIds = new Map<string, { readonly stream: string; readonly revision: number }>();
  #file: RecordFile | undefined;
  #pending: PendingAppend[] = [];
  #writing = false;
  /** Position of the next record. The log begins with a record that is not an event. */
  #end = 160n;
  #delayed = Promise.resolve();

  static async open(folder: string): Promise<EventLog> {
    const log = new EventLog();
    log.setMaxListeners(0);
    log.#file = await RecordFile.open(folder, (records) => {
      for (const record of records) {
        log.#stream(record.stream).events.push(record);
        log.#publish(record);
      }
    });
    return log;
  }

  /** The position after the last event. */
  get end(): bigint {
    return this.#end;
  }

  /** Returns the readable events of a stream; undefined when it does not exist or is soft-deleted. */
  read(name: string): readonly LoggedEvent[] | 'tombstoned' | undefined {
    const stream = this.#streams.get(name);
    if (stream === undefined || stream.visible.length === 0) return undefined;
    if (stream.tombstoned) return 'tombstoned';
    if (stream.truncatedBefore === SOFT_DELETED) return undefined;
    return stream.truncatedBefore === 0 ? stream.visible : stream.visible.slice(stream.truncatedBefore);
  }

  /** Appends events; resolves when the outcome is on disk. */
  async append(name: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendOutcome> {
    const stream = this.#stream(name);
    const last = stream.events.length - 1;
    if (stream.tombstoned) return { kind: 'tombstoned' };
    const decided = this.#checkExpected(name, stream, expected, events);
    if (decided !== undefined) return decided;
    if (stream.truncatedBefore === SOFT_DELETED) await this.#truncate(name, last + 1);
    return await this.#write(name, stream, events);
  }

  /** Returns the outcome without a write; undefined when the events have to be written. */
  #checkExpected(
    name: string,
    stream: StreamState,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): AppendOutcome | undefined {
    const last = stream.events.length - 1;
    const wrong: AppendOutcome = { kind: 'wrong', actual: last < 0 ? undefined : last };
    if (expected === 'stream_exists' && last < 0) return wrong;
    if (expected === 'any' || expected === 'stream_exists') return this.#checkRecentIds(name, stream, events);
    const from = expected === 'no_stream' ? 0 : Number(expected) + 1;
    if (from === last + 1 || (from === 0 && stream.truncatedBefore === SOFT_DELETED)) return undefined;
    if (from > last + 1) return wrong;
    return events.every(({ id }, index) => stream.events[from + index]?.id === id)
      ? this.#repeatOutcome(stream, from + events.length - 1)
      : wrong;
  }

  #checkRecentIds(name: string, stream: StreamState, events: readonly NewEvent[]): AppendOutcome | undefined {
    const first = this.#recentIds.get(events[0]?.id ?? '');
    if (first?.stream !== name) return undefined;
    const whole = events.every(({ id }, index) => stream.events[first.revision + index]?.id === id);
    return whole
      ? this.#repeatOutcome(stream, first.revision + events.length - 1)
      : { kind: 'wrong', actual: stream.events.length - 1 };
  }

  #repeatOutcome(stream: StreamState, revision: number): AppendOutcome {
    const last = stream.visible[revision];
    return last === undefined ? { kind: 'dropped' } : { kind: 'known', revision, position: last.offset };
  }

  async #write(name: string, stream: StreamState, events: readonly NewEvent[]): Promise<AppendOutcome> {
    const from = stream.events.length;
    stream.events.push(...events);
    for (const [index, { id }] of events.entries()) this.#recentIds.set(id, { stream: name, revision: from + index });
    const position = await new Promise<bigint>((done) => {
      this.#pending.push({ stream: name, from, events, done });
      void this.#flush();
    });
    return { kind: 'written', revision: from + events.length - 1, position };
  }

  /** Appends that arrive during a sync share the next one. */
  async #flush(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    while (this.#pending.length > 0) {
      await this.#delayed;
      const group = this.#pending.splice(0);
      const records = group.map((waiting) => this.#assignPositions(waiting));
      await this.#file?.append(records);
      for (const record of records.flat()) this.#publish(record);
      for (const [index, { done }] of group.entries()) done(BigInt(records[index]?.at(-1)?.position ?? 0));
      this.emit('appended');
    }
    this.#writing = false;
  }

  #assignPositions({ stream, from, events }: PendingAppend): EventRecord[] {
    const created = (BigInt(Date.now()) * 10_000n).toString();
    return events.map((event, index) => {
      const position = this.#end;
      this.#end += sizeOf(stream, event);
      return { ...event, position: position.toString(), stream, revision: from + index, created };
    });
  }

  #publish(record: EventRecord): void {
    const event = { ...record, offset: BigInt(record.position) };
    this.all.push(event);
    this.#stream(record.stream).visible.push(event);
    this.#end = event.offset + sizeOf(record.stream, record);
    if (record.type === '$streamDeleted') this.#stream(record.stream).tombstoned = true;
    if (record.type === '$metadata') this.#setMetadata(record);
  }

  #setMetadata({ stream, data }: EventRecord): void {
    const { $tb } = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as { readonly $tb?: number };
    if ($tb !== undefined) this.#stream(stream.slice(2)).truncatedBefore = $tb;
  }

  /** Delays writes by `ms` milliseconds, as a fault. */
  delay(ms: number): void {
    this.#delayed = pause(ms);
  }

  /** Deletes a stream softly: it can be written again. */
  async delete(name: string): Promise<void> {
    await this.#truncate(name, SOFT_DELETED);
  }

  /** Deletes a stream permanently. */
  async tombstone(name: string): Promise<void> {
    await this.#write(name, this.#stream(name), [systemEvent('$streamDeleted', {})]);
  }

  async #truncate(name: string, $tb: number): Promise<void> {
    await this.writeSystemEvent(`$$${name}`, '$metadata', { $tb });
  }

  /** Writes a system event. */
  async writeSystemEvent(stream: string, type: string, data: unknown): Promise<void> {
    await this.#write(stream, this.#stream(stream), [systemEvent(type, data)]);
  }

  #stream(name: string): StreamState {
    const found = this.#streams.get(name);
    if (found !== undefined) return found;
    const created: StreamState = { events: [], visible: [], truncatedBefore: 0, tombstoned: false };
    this.#streams.set(name, created);
    return created;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

function systemEvent(type: string, data: unknown): NewEvent {
  const bytes = Buffer.from(JSON.stringify(data)).toString('base64');
  return { id: randomUUID(), type, contentType: 'application/json', data: bytes, metadata: '' };
}

/** Returns the bytes of an event in the log file; positions are offsets in this file. */
function sizeOf(stream: string, { type, data, metadata }: NewEvent): bigint {
  return BigInt(
    96 + stream.length + type.length + Buffer.byteLength(data, 'base64') + Buffer.byteLength(metadata, 'base64'),
  );
}
