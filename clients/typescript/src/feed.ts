import type { PublicEvent } from './api-types.ts';
import { type ListOptions, takeItems } from './api.ts';
import type { CallOptions, Http } from './http.ts';
import { sleep } from './messages.ts';
import type { Query } from './operation-types.ts';

const PATH = '/api/v1/events/';

/** Where the feed begins, and what it shows. */
export type FeedQuery = Omit<Query<typeof PATH>, 'timeout'>;

export interface FeedOptions extends ListOptions {
  /**
   * Waits for more events after the newest one, instead of ending: until `signal` ends it, also while the service is
   * down.
   */
  readonly follow?: boolean | undefined;
  /** Begins after the newest event, without a cursor. */
  readonly fromNow?: boolean | undefined;
}

const POLL_MS = 30_000;
const MIN_POLL_MS = 1_000;
/** The most events that the service returns at once. */
const MAX_PAGE = 1_000;

/**
 * Yields public events in the order of the log.
 * @throws {SuretyError} with the code `cursor_unknown` when the log lacks the cursor
 */
export function readFeed(
  http: Http,
  query: FeedQuery = {},
  { max, ...options }: FeedOptions = {},
): AsyncGenerator<PublicEvent, void, undefined> {
  return takeItems(pagesOf(http, query, options), max);
}

/** How far from its end the log is read for the newest events, in positions: of a server they count bytes. */
const WINDOWS = [100n, 1_000n, 10_000n, 100_000n];

/**
 * Returns the newest public events that the key may see, the newest first: so many, or the fewer that are near the end
 * of the log.
 * @throws {SuretyError}
 */
export async function readNewest(http: Http, count: number, options: CallOptions = {}): Promise<PublicEvent[]> {
  const read = async (query: object) =>
    await http.send<readonly PublicEvent[]>({ method: 'GET', path: PATH, query }, options, isFeedPage);
  const { position = '0' } = await read({ limit: 1 });
  let newest: readonly PublicEvent[] = [];
  for (const window of WINDOWS) {
    const after = BigInt(position) - window;
    const { body } = await read({ after: String(after < 0n ? 0n : after), limit: MAX_PAGE });
    // A full page ends before the newest event.
    if (body.length === MAX_PAGE) break;
    newest = body;
    if (newest.length >= count || after <= 0n) break;
  }
  return [...newest].reverse().slice(0, count);
}

async function* pagesOf(
  http: Http,
  { lastEventId, after, ...query }: FeedQuery,
  { follow = false, fromNow = false, ...options }: FeedOptions,
): AsyncGenerator<readonly PublicEvent[], void, undefined> {
  const read = async (cursor: object, waitMs: number, limits?: object) => {
    const call = { method: 'GET', path: PATH, query: { ...query, ...cursor, timeout: waitMs }, waitMs };
    return await http.send<readonly PublicEvent[]>(call, { ...options, ...limits }, isFeedPage);
  };
  let cursor: object = { lastEventId, after };
  if (fromNow) cursor = { after: (await read({ limit: 1 }, 0)).position };
  let limits: object | undefined;
  for (;;) {
    const start = performance.now();
    const { body: page, retryAfterMs } = await read(cursor, follow ? POLL_MS : 0, limits);
    // A feed that has begun waits for the service as long as it takes.
    if (follow) limits = { callTimeoutMs: Infinity, retryForMs: Infinity };
    yield page;
    const last = page.at(-1);
    if (last !== undefined) cursor = { lastEventId: last.id };
    else if (!follow) return;
    else {
      // A poll that the service did not hold is repeated after a pause.
      const pauseMs = performance.now() - start < MIN_POLL_MS ? MIN_POLL_MS : 0;
      await sleep(Math.min(retryAfterMs ?? pauseMs, POLL_MS), options.signal);
    }
  }
}

/** Returns whether each event has an id: without one the feed would begin again. */
function isFeedPage(body: unknown): boolean {
  if (!Array.isArray(body)) return false;
  const events: readonly unknown[] = body;
  return events.every(
    (event) => typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string',
  );
}
