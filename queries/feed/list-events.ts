import { z } from 'zod';
import { eventEntries } from '#projections/event-entries/event-entries.ts';
import { Refusal, refusalsOf, wrongField } from '#domain/refusals.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { testModeOf, testModeSearch, wholeNumber } from '../lists.ts';
import { defineQuery, type FeedResponse, type QueryContext } from '../query.ts';
import { type Feed, feedFor, type FeedQuery, keyOfPosition, showsEntry } from './feed.ts';
import { type FeedStart, READ_ERRORS, readEvents, type ShownEvent } from './read-events.ts';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
const MAX_TIMEOUT_MS = 30_000;
/** Part of the detail, because a consumer that stops may show its operator nothing else. */
const UNKNOWN_CURSOR_ACTION =
  'Check key and mode; after a backup was restored, read from the beginning (after=0) and drop the events whose ids you know';

const search = z.strictObject({
  lastEventId: z
    .uuid('must be the id of an event')
    .toLowerCase()
    .optional()
    .meta({ description: 'Only events after this one, which a page has shown: the cursor to keep' }),
  after: z
    .string()
    .regex(/^\d{1,20}$/, 'must be a position in the log')
    .transform(BigInt)
    .optional()
    .meta({
      description: 'Only events after this position in the log, such as a `Surety-Position`; 0 is the beginning',
    }),
  limit: wholeNumber(`must be a whole number from 1 to ${MAX_LIMIT}`, 1, MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({
      description: `The most events on a page; ${DEFAULT_LIMIT} when it is not given`,
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
    }),
  subject: z.uuid('must be a UUID').toLowerCase().optional().meta({
    description: 'Only events of this policy, claim, merchant, insurer or product',
  }),
  timeout: wholeNumber(`must be a whole number from 0 to ${MAX_TIMEOUT_MS}`, 0, MAX_TIMEOUT_MS).default(0).meta({
    description: 'Milliseconds that the response waits for an event where there is none; 0 when it is not given',
    type: 'integer',
    minimum: 0,
    maximum: MAX_TIMEOUT_MS,
  }),
  ...testModeSearch,
});
type Search = z.output<typeof search>;

const refuse = refusalsOf('cursor_unknown');

export const listEvents = defineQuery({
  name: 'ListEvents',
  roles: ['merchant', 'admin', 'auditor'],
  summary: 'Lists public events in the order of the log, and waits for the next one.',
  description: `An HTTP feed ([http-feeds.org](https://www.http-feeds.org/)) of public events as CloudEvents 1.0 in structured mode, in the order of the log. A merchant's key sees the events of its merchant, policies and claims in its mode; platform keys see all of a mode, also those of insurers and products. [All types](/docs/public-events/).

Follow \`Link: rel="next"\`, which names the last event of the page in \`lastEventId\`: it is the cursor to keep. An empty page is the end for now: ask its link again, with \`timeout\` to wait for the next event. \`Surety-Position\` is the position up to which events are published, whatever the page holds: continue from it only after an empty page, or with \`?limit=1\` to start from now. An event is shown when all read models reflect it, so what it names can be read.

The response is \`application/cloudevents-batch+json\`, or \`application/json\` where \`Accept\` names it. At most 8 requests of a key wait at a time; a further one is answered at once, with \`Retry-After\`. At most 4 pages of a key are made at a time, and 12 more wait; a further request is 503 \`busy\`. A page may end before its \`limit\`, after 4 MiB. An event that this version of Surety cannot read ends the page before it, and is \`event_unreadable\` as the next one.`,
  errors: [...refuse.codes, ...READ_ERRORS],
  example: { search: { subject: 'c530ddb5-2b6b-5b7a-ae28-8fa4b289d210', limit: 2 } },
  search,
  isFeed: true,
  response: z.array(z.looseObject({ id: z.uuid(), type: z.string() })),
  async respond({ search: parameters }, context) {
    try {
      return await respond(parameters, context);
    } catch (error) {
      if (error instanceof Refusal && (error.code === 'cursor_unknown' || error.code === 'event_unreadable'))
        context.publicEvents.countRefused(error.code);
      throw error;
    }
  },
});

async function respond(parameters: Search, context: QueryContext): Promise<FeedResponse> {
  const { reader } = context;
  const feed = feedFor(reader.role === 'merchant' ? reader.merchantId : undefined, testModeOf(reader, parameters));
  const query = { feed, subject: parameters.subject, limit: parameters.limit };
  const { makePage, makeWokenPage } = context.publicEvents;
  const { start, first } = await makePage(async () => {
    // Many pages that are asked for at once must not hold the event loop.
    await context.nextTurn();
    const start = await startOf(context, feed, parameters);
    return { start, first: await readPage(context, query, start) };
  });
  if (first.events.length > 0 || parameters.timeout === 0) return responseOf(parameters, first);
  const poll = context.publicEvents.startPoll(query, parameters.timeout);
  if (poll === undefined) {
    context.publicEvents.countRefused('too_many_polls');
    return { ...responseOf(parameters, first), retryAfter: 1 };
  }
  try {
    for (let page = first; ; page = await makeWokenPage(async () => await readPage(context, query, start))) {
      if (page.events.length > 0) {
        await context.checkKey();
        return responseOf(parameters, page);
      }
      const outcome = await poll.waitAfter(page.position);
      if (outcome === 'timed_out') return responseOf(parameters, page);
      if (outcome === 'stopped') return { ...responseOf(parameters, page), retryAfter: 1 };
    }
  } finally {
    poll.end();
  }
}

interface Page {
  readonly events: readonly ShownEvent[];
  /** The published position, up to which the page was read. */
  readonly position: Position;
}

async function readPage(
  context: QueryContext,
  query: FeedQuery & { readonly limit: number },
  start: FeedStart,
): Promise<Page> {
  const position = context.publicEvents.publishedPosition();
  return { events: await readEvents(context, query, start, position), position };
}

function responseOf({ lastEventId, after = 0n }: Search, { events, position }: Page): FeedResponse {
  const last = events.at(-1);
  const sameCursor = lastEventId === undefined ? { after: String(after) } : { lastEventId };
  const next = last === undefined ? sameCursor : { lastEventId: last.id };
  return { kind: 'feed', events: events.map(({ text }) => text), next, position };
}

/** @throws {Refusal} for both cursors, or an unknown one */
async function startOf(context: QueryContext, feed: Feed, { lastEventId, after }: Search): Promise<FeedStart> {
  if (lastEventId !== undefined && after !== undefined)
    throw wrongField('after', 'must not be given together with `lastEventId`');
  if (lastEventId !== undefined) return await startAfterEvent(context, feed, lastEventId);
  const position = after ?? 0n;
  if (position > context.publicEvents.publishedPosition()) {
    const end = (await context.eventStore.lastPosition()) ?? 0n;
    if (position > end) throw unknownCursor('after', 'lies beyond the end of the log');
  }
  return { position, key: keyOfPosition(position) };
}

/** The event may be above the position that this process knows as published: another process may have served it. */
async function startAfterEvent(context: QueryContext, feed: Feed, id: string): Promise<FeedStart> {
  const entry = await context.readModels.get(eventEntries.name, id);
  if (entry !== undefined && showsEntry(feed, entry)) return { position: entry.position, key: entry };
  if (entry === undefined) context.publicEvents.requireCaughtUp();
  throw unknownCursor('lastEventId', 'is no event of this feed');
}

function unknownCursor(field: string, message: string): Refusal {
  const detail = `${field}: ${message}. ${UNKNOWN_CURSOR_ACTION}`;
  return refuse('cursor_unknown', detail, { fields: [{ field, message }] });
}
