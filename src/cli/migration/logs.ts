import { createHash } from 'node:crypto';
import {
  type Append,
  bytesOf,
  type EventStore,
  type EventToAppend,
  MAX_APPEND_BYTES,
  type Position,
  type StoredEvent,
  WrongExpectedRevision,
} from '#stores/event-log/event-log.ts';
import { OperatorError } from '#stores/shared/errors.ts';

/** Events that are read at a time, so at most as many are in one append. */
const PAGE = 200;
/** Limit for an append of several events; a single event may be larger. */
const MAX_BYTES_PER_APPEND = MAX_APPEND_BYTES / 2;

/** Returns the error for servers that hold other events than the folder. */
export function logsDiffer(what: string): OperatorError {
  const why = 'another process wrote to the servers, or they hold a part of another folder';
  return new OperatorError(`${what}: ${why}. Empty them (the log, the database, the topics), and run surety setup.`);
}

/**
 * Appends the events that the target lacks, in the order of the log across all streams. After a kill it continues
 * behind the last event of the target; an append that was written before the kill has no effect.
 * @throws {OperatorError} when the target has other events
 * @throws {StoreUnavailable}
 */
export async function copyLog(
  source: Pick<EventStore, 'readAll' | 'readStream'>,
  target: Pick<EventStore, 'append' | 'lastPosition' | 'readAt'>,
  onCopied: (events: number) => void,
): Promise<void> {
  for (let from = await lastCopied(source, target); ; ) {
    const page = await source.readAll({ after: from, limit: PAGE });
    if (page.length === 0) return;
    await target.append(appendsOf(page)).catch((error: unknown) => {
      throw error instanceof WrongExpectedRevision ? logsDiffer(error.message) : error;
    });
    onCopied(page.length);
    from = page.at(-1)?.position;
  }
}

/** Returns the position in the source of the last event of the target. */
async function lastCopied(
  source: Pick<EventStore, 'readStream'>,
  target: Pick<EventStore, 'lastPosition' | 'readAt'>,
): Promise<Position | undefined> {
  const end = await target.lastPosition();
  const copy = end === undefined ? undefined : await target.readAt(end);
  if (copy === undefined) return undefined;
  const [original] = await source.readStream(copy.stream, { from: copy.revision, limit: 1 });
  if (original?.id !== copy.id) throw logsDiffer(`The folder does not have the last event of the servers (${copy.id})`);
  return original.position;
}

/** Joins neighbouring events of one stream into one append. */
function appendsOf(page: readonly StoredEvent[]): readonly Append[] {
  const appends: (Append & { readonly events: EventToAppend[] })[] = [];
  let bytes = 0;
  for (const { stream, revision, id, type, data, metadata } of page) {
    const event = { id, type, data, metadata };
    const last = appends.at(-1);
    bytes = bytesOf(event) + (last?.stream === stream ? bytes : 0);
    if (last?.stream === stream && bytes <= MAX_BYTES_PER_APPEND) {
      last.events.push(event);
    } else {
      appends.push({ stream, expected: revision === 0 ? 'no_stream' : revision - 1, events: [event] });
      bytes = bytesOf(event);
    }
  }
  return appends;
}

/**
 * Returns how many events a log has, and the SHA-256 over stream, revision, id, type, data and metadata of all of them
 * in their order.
 * @throws {StoreUnavailable}
 */
export async function digestOf(log: Pick<EventStore, 'readAll'>, onRead: (events: number) => void = () => {}) {
  const hash = createHash('sha256');
  let events = 0;
  for (let after: Position | undefined; ; ) {
    const page = await log.readAll({ after, limit: PAGE });
    if (page.length === 0) return { events, sha256: hash.digest('hex') };
    for (const { stream, revision, id, type, data, metadata } of page)
      hash.update(`${JSON.stringify([stream, revision, id, type, data, metadata])}\n`);
    events += page.length;
    onRead(page.length);
    after = page.at(-1)?.position;
  }
}
