import type { PublicEvent } from './api-types.ts';
import type { ListOptions } from './api.ts';
import { type Http, sleep } from './http.ts';
import type { Query } from './operation-types.ts';

export interface FeedOptions extends ListOptions {
  /** Waits for more events after the last one, instead of ending. */
  readonly follow?: boolean;
}

const PATH = '/api/v1/events/';
const LONGEST_POLL_MS = 30_000;

/**
 * Yields public events in the order of the log, after `lastEventId` or `after`, else from the first. Save the `id` of the last event that
 * was processed: it is the `lastEventId` to continue with. Types may be added.
 * @throws {SuretyError} with the code `cursor_unknown` when the log does not contain `lastEventId`
 */
export async function* readFeed(
  http: Http,
  { lastEventId, after, timeout, ...query }: Query<typeof PATH> = {},
  { follow = false, max = Number.POSITIVE_INFINITY, ...options }: FeedOptions = {},
): AsyncGenerator<PublicEvent, void, undefined> {
  let cursor: object = { lastEventId, after };
  const waitMs = timeout ?? (follow ? LONGEST_POLL_MS : 0);
  for (let left = max; left > 0; ) {
    const call = { method: 'GET', path: PATH, query: { ...query, ...cursor, timeout: waitMs }, waitMs };
    const { body: page, retryAfterMs } = await http.send<readonly PublicEvent[]>(call, options);
    for (const event of page) {
      yield event;
      cursor = { lastEventId: event.id };
      left -= 1;
      if (left <= 0) return;
    }
    if (page.length === 0 && !follow) return;
    if (page.length === 0 && retryAfterMs !== undefined) await sleep(retryAfterMs, options.signal);
  }
}
