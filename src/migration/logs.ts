import {
  bytesOf,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type Position,
  type StoredEvent,
} from '../event-store/event-store.ts';

type Log = Pick<EventStore, 'readAll'>;

/** The target's log is not what the source's log begins with: it is somebody else's, and is left as it is. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch';
  constructor(number: number) {
    super(`Event ${number.toLocaleString('en')} of the target's log is not the one that the folder's log has there`);
  }
}

/** The folder holds an event that no target takes: it was written when a folder still took larger ones. */
export class TooLargeEvent extends Error {
  override readonly name = 'TooLargeEvent';
  constructor({ stream, revision }: StoredEvent, bytes: number) {
    const [found, most] = [bytes.toLocaleString('en'), MAX_APPEND_BYTES.toLocaleString('en')];
    super(`Event ${revision} of ${stream} has ${found} bytes, and no event of more than ${most} can be moved`);
  }
}

/** Called with every event of the source and the same event in the target, in the order of the log. */
export type OnPair = (from: StoredEvent, to: StoredEvent) => void;

const PAGE = 1_000;
/** The most events in one append, and the most bytes of several. */
const MOST_IN_APPEND = 200;
const MOST_BYTES_TOGETHER = MAX_APPEND_BYTES / 2;

/**
 * Walks both logs side by side as far as the target's goes.
 * @returns how many events the target has, all of them the source's, and the last of these in the source
 * @throws {LogMismatch} at the first event that is not the same
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
      if (original === undefined || !isCopy(original, copy)) throw new LogMismatch(events);
      onPair(original, copy);
      last = original.position;
    }
    [from, to] = [last, copies.at(-1)?.position];
  }
}

/** Looks through everything behind `after` before any of it is copied. @throws {TooLargeEvent} at the first that is too large */
export async function refuseTooLarge(source: Log, after: Position | undefined): Promise<void> {
  for (let from = after; ; ) {
    const page = await source.readAll({ after: from, limit: PAGE });
    if (page.length === 0) return;
    for (const event of page) {
      const bytes = bytesOf(event);
      if (bytes > MAX_APPEND_BYTES) throw new TooLargeEvent(event, bytes);
    }
    from = page.at(-1)?.position;
  }
}

/**
 * Appends everything behind `after` to the target, one append at a time and so in the order of the log, across all streams.
 * What was begun by an earlier copy that was killed is answered by the store as if it were done now.
 * @throws {StoreUnavailable} @throws {WrongExpectedRevision} when somebody else writes to the target
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
      await target.append(first.stream, expectedBefore(first), run.map(asHandedIn));
      copied += run.length;
      onCopied(copied);
    }
    from = page.at(-1)?.position;
  }
}

type Run = [StoredEvent, ...StoredEvent[]];

/** Neighbours of one stream go together. */
function runsOf(page: readonly StoredEvent[]): readonly Run[] {
  const runs: Run[] = [];
  let bytes = 0;
  for (const event of page) {
    const run = runs.at(-1);
    const size = bytesOf(event);
    bytes += size;
    const fits = run !== undefined && run.length < MOST_IN_APPEND && bytes <= MOST_BYTES_TOGETHER;
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

function asHandedIn({ id, type, data, metadata }: StoredEvent): EventToAppend {
  return { id, type, data, metadata };
}

/** Everything but the position is the same. */
function isCopy(original: StoredEvent, copy: StoredEvent): boolean {
  return (
    original.id === copy.id &&
    original.stream === copy.stream &&
    original.revision === copy.revision &&
    original.type === copy.type &&
    JSON.stringify([original.data, original.metadata]) === JSON.stringify([copy.data, copy.metadata])
  );
}
