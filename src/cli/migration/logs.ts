import { isDeepStrictEqual } from 'node:util';
import {
  appendTo,
  bytesOf,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type Position,
  type StoredEvent,
} from '#stores/event-log/event-log.ts';

type Log = Pick<EventStore, 'readAll'>;

/** The log of the target is not a prefix of the log of the source. It is left unchanged. */
export class TargetLogMismatch extends Error {
  override readonly name = 'TargetLogMismatch';
  constructor(number: number) {
    super(`Event ${number.toLocaleString('en')} of the target's log differs from the event in the folder's log`);
  }
}

type OnPair = (original: StoredEvent, copy: StoredEvent) => void;

const PAGE = 1_000;
const MAX_EVENTS_PER_APPEND = 200;
/** Limit for an append of several events; a single event may be larger. */
const MAX_BYTES_PER_APPEND = MAX_APPEND_BYTES / 2;

/**
 * Compares the log of the target with the start of the log of the source.
 * @returns the number of events of the target, and the position of the last of them in the source
 * @throws {TargetLogMismatch} at the first difference
 */
export async function compareLogs(
  source: Log,
  target: Log,
  onPair: OnPair = () => {},
): Promise<{ readonly events: number; readonly last: Position | undefined }> {
  let events = 0;
  let last: Position | undefined;
  for (let [from, to]: (Position | undefined)[] = []; ; ) {
    const copies = await target.readAll({ after: to, limit: PAGE });
    if (copies.length === 0) return { events, last };
    const originals = await source.readAll({ after: from, limit: copies.length });
    for (const [index, copy] of copies.entries()) {
      const original = originals[index];
      events += 1;
      if (original === undefined || !isCopy(original, copy)) throw new TargetLogMismatch(events);
      onPair(original, copy);
      last = original.position;
    }
    [from, to] = [last, copies.at(-1)?.position];
  }
}

/**
 * Appends every event after `after` to the target, one append at a time, so in the order of the log across all streams. Repeating an
 * append of an earlier copy that was killed has no effect.
 * @throws {StoreUnavailable} @throws {WrongExpectedRevision} when another process writes to the target
 */
export async function copyLog(
  source: Log,
  target: Pick<EventStore, 'append'>,
  after: Position | undefined,
  onCopied: (events: number) => void,
): Promise<number> {
  let copied = 0;
  for (let from = after; ; ) {
    const page = await source.readAll({ after: from, limit: PAGE });
    if (page.length === 0) return copied;
    for (const run of runsOf(page)) {
      const [first] = run;
      await appendTo(target, first.stream, expectedBefore(first), run.map(toAppend));
      copied += run.length;
      onCopied(copied);
    }
    from = page.at(-1)?.position;
  }
}

type Run = [StoredEvent, ...StoredEvent[]];

function runsOf(page: readonly StoredEvent[]): readonly Run[] {
  const runs: Run[] = [];
  let bytes = 0;
  for (const event of page) {
    const run = runs.at(-1);
    const size = bytesOf(event);
    bytes += size;
    const fits = run !== undefined && run.length < MAX_EVENTS_PER_APPEND && bytes <= MAX_BYTES_PER_APPEND;
    if (fits && run[0].stream === event.stream) {
      run.push(event);
    } else {
      runs.push([event]);
      bytes = size;
    }
  }
  return runs;
}

function expectedBefore({ revision }: StoredEvent): ExpectedRevision {
  return revision === 0 ? 'no_stream' : revision - 1;
}

function toAppend({ id, type, data, metadata }: StoredEvent): EventToAppend {
  return { id, type, data, metadata };
}

/** Ignores the position, which differs between logs. */
function isCopy(original: StoredEvent, copy: StoredEvent): boolean {
  const isInPlace = original.stream === copy.stream && original.revision === copy.revision;
  return isInPlace && isDeepStrictEqual(toAppend(original), toAppend(copy));
}
