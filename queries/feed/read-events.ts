import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { PUBLIC_CATEGORIES } from '#domain/public-events.ts';
import { type Refusal, refusalsOf } from '#domain/refusals.ts';
import { type RawEvent, UnreadableEvent } from '#event-sourcing/codec.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { SortKey, StoredDocument } from '#stores/read-models/read-models.ts';
import type { QueryContext } from '../query.ts';
import { type FeedQuery, showsEvent } from './feed.ts';

const refuse = refusalsOf('event_unreadable');

/** What `readEvents` throws. */
export const READ_ERRORS = refuse.codes;

/** Where a page begins: after an event at this position, which has this sort key among the entries. */
export interface FeedStart {
  readonly position: Position;
  readonly key: SortKey;
}

export interface ShownEvent {
  readonly id: string;
  /** As a CloudEvent in structured mode. */
  readonly text: string;
}

/** Characters after which a page ends before its limit, because it is in memory as a whole. */
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Events that are read from the log at a time. */
const CONCURRENT_READS = 16;

/**
 * Returns the events of a page. An event that this version cannot decode ends the page before it.
 * @param upTo the published position
 * @throws {Refusal} when the page would begin with such an event @throws {StoreUnavailable}
 */
export async function readEvents(
  context: QueryContext,
  query: FeedQuery & { readonly limit: number },
  start: FeedStart,
  upTo: Position,
): Promise<readonly ShownEvent[]> {
  if (upTo <= start.position) return [];
  const shown: ShownEvent[] = [];
  let characters = 0;
  const groups =
    query.subject === undefined ? byEntries(context, query, start, upTo) : bySubject(context, query, start, upTo);
  for await (const group of groups) {
    for (const event of group) {
      let text: string | undefined;
      try {
        text = context.publicEvents.structuredEventOf(event);
      } catch (error) {
        if (!(error instanceof UnreadableEvent)) throw error;
        if (shown.length > 0) return shown;
        throw unreadable(event);
      }
      // An older version, which did not know the type, has counted it as public.
      if (text === undefined) continue;
      shown.push({ id: event.id, text });
      characters += text.length;
      if (shown.length === query.limit || characters >= MAX_PAGE_CHARACTERS) return shown;
    }
    await context.nextTurn();
  }
  return shown;
}

function unreadable({ position }: RawEvent): Refusal {
  const members = { position: String(position) };
  return refuse('event_unreadable', 'The next event cannot be read by this version of Surety', { members });
}

/** Yields events that entries find, some at a time, until there are no more. */
async function* byEntries(
  context: QueryContext,
  query: FeedQuery & { readonly limit: number },
  { key }: FeedStart,
  upTo: Position,
): AsyncGenerator<readonly RawEvent[]> {
  for (let after = key; ; ) {
    const entries = await findEntries(context, query, after, upTo);
    for (let index = 0; index < entries.length; index += CONCURRENT_READS) {
      const group = entries.slice(index, index + CONCURRENT_READS);
      yield await Promise.all(group.map(async (entry) => await readEvent(context, entry)));
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < query.limit) return;
    after = last;
  }
}

/** Finds the events of the mode and those of both modes, and merges them. */
async function findEntries(
  { readModels }: QueryContext,
  { feed: { index, values }, limit }: FeedQuery & { readonly limit: number },
  after: SortKey,
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

/** Yields the events of the stream of a subject, whose id is in one category only. */
async function* bySubject(
  { eventStore }: QueryContext,
  { subject, feed }: FeedQuery,
  { position }: FeedStart,
  upTo: Position,
): AsyncGenerator<readonly RawEvent[]> {
  for (const category of PUBLIC_CATEGORIES) {
    const events = await eventStore.readStream(`${category}-${subject}`, { until: upTo });
    yield events.filter((event) => event.position > position && event.position <= upTo && showsEvent(feed, event));
    if (events.length > 0) return;
  }
}
