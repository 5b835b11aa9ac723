import { UnreadableEvent } from '../../src/event-sourcing/codec.ts';
import { eventEntries } from '../../projections/event-entries/event-entries.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import type { RawEvent } from '../../src/event-sourcing/codec.ts';
import type { Position } from '../../src/event-store/event-store.ts';
import type { SortKey, StoredDocument } from '../../src/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';
import { type Feed, showsEvent } from './feed.ts';

export interface FeedQuery {
  readonly feed: Feed;
  /** Id of the aggregate of which alone events are shown. */
  readonly subject: string | undefined;
  readonly limit: number;
}

/** Where a page begins: behind this sort key of entries, which is that of an event at this position or before it. */
export interface FeedStart {
  readonly position: Position;
  readonly key: SortKey;
}

export interface ShownEvent {
  readonly id: string;
  /** As a CloudEvent in structured mode. */
  readonly text: string;
}

/**
 * Returns the events of a page. An event that this version cannot decode ends the page before it.
 * @param upTo the published position
 * @throws {Refusal} `event_unreadable` when the first event of the page is such a one @throws {StoreUnavailable}
 */
export async function readEvents(
  context: QueryContext,
  query: FeedQuery,
  start: FeedStart,
  upTo: Position,
): Promise<readonly ShownEvent[]> {
  if (upTo <= start.position) return [];
  const stored =
    query.subject === undefined
      ? await readByEntries(context, query, start, upTo)
      : await readSubject(context, query.subject, query, start, upTo);
  const shown: ShownEvent[] = [];
  for (const event of stored) {
    const text = translated(context, event, shown.length === 0);
    if (text === undefined) break;
    shown.push({ id: event.id, text });
    await context.nextTurn();
  }
  return shown;
}

/** Returns undefined for an event that cannot be decoded. @throws {Refusal} `event_unreadable` when it is the first one */
function translated({ publicEvents }: QueryContext, event: RawEvent, isFirst: boolean): string | undefined {
  try {
    return publicEvents.structuredEventOf(event);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    if (!isFirst) return undefined;
    throw new Refusal('event_unreadable', 'The next event cannot be read by this version of Surety', {
      members: { position: String(event.position) },
    });
  }
}

const CONCURRENT_READS = 16;

async function readByEntries(
  context: QueryContext,
  query: FeedQuery,
  start: FeedStart,
  upTo: Position,
): Promise<readonly RawEvent[]> {
  const entries = await findEntries(context, query, start, upTo);
  const events: RawEvent[] = [];
  for (let index = 0; index < entries.length; index += CONCURRENT_READS) {
    const reads = entries.slice(index, index + CONCURRENT_READS).map(async (entry) => await readEvent(context, entry));
    events.push(...(await Promise.all(reads)));
    await context.nextTurn();
  }
  return events;
}

/** Finds the events of the mode and those of both modes, and merges them. */
async function findEntries(
  { readModels }: QueryContext,
  { feed: { index, values }, limit }: FeedQuery,
  { key: after }: FeedStart,
  upTo: Position,
): Promise<readonly StoredDocument[]> {
  const found = await Promise.all(
    values.map(async (value) => {
      const where = { [index]: value };
      return await readModels.find(eventEntries.name, { where, after, skipCount: true, limit, offset: 0 });
    }),
  );
  return found
    .flatMap(({ documents }) => documents)
    .filter(({ position }) => position <= upTo)
    .sort((a, b) => (a.position < b.position ? -1 : 1))
    .slice(0, limit);
}

/** @throws {Error} when the log has another event at the position of the entry */
async function readEvent({ eventStore }: QueryContext, { key, position }: StoredDocument): Promise<RawEvent> {
  const event = await eventStore.readAt(position);
  if (event?.id !== key) throw new Error(`the log has no event ${key} at ${position}`);
  return event;
}

const CATEGORIES = ['policy', 'claim', 'merchant', 'provider', 'product'];

async function readSubject(
  { eventStore }: QueryContext,
  subject: string,
  { feed, limit }: FeedQuery,
  { position }: FeedStart,
  upTo: Position,
): Promise<readonly RawEvent[]> {
  const streams = await Promise.all(
    CATEGORIES.map(async (category) => await eventStore.readStream(`${category}-${subject}`)),
  );
  return streams
    .flat()
    .filter((event) => event.position > position && event.position <= upTo && showsEvent(feed, event))
    .slice(0, limit);
}
