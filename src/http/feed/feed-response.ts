import type { FeedAccess, FeedResponse } from '#queries/query.ts';
import { Refusal } from '#domain/refusals.ts';
import { structuredEvent } from '#public-events/translate.ts';
import { linkToPage } from '../api/messages/links.ts';
import type { RouteResponse } from '../api/messages/response.ts';
import type { AuthenticatedCall, RouteContext } from '../server/route.ts';

/** A batch of CloudEvents 1.0 (JSON Event Format, 4). */
export const BATCH_TYPE = 'application/cloudevents-batch+json';
const BATCH_IN_UTF8 = `${BATCH_TYPE}; charset=utf-8`;
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Makes the response to a page of the feed: the cursor of the next page is in `Link` (http-feeds.org), also of an empty
 * page.
 */
export function feedResponse(
  { events, next, position, retryAfter }: FeedResponse,
  call: AuthenticatedCall,
  { publicUrl, feedMetrics }: RouteContext,
): RouteResponse {
  feedMetrics.countServed(events.length);
  return {
    status: 200,
    headers: {
      // The first is for a client that accepts any type.
      'Content-Type': call.request.accepts([BATCH_IN_UTF8, JSON_TYPE]) === JSON_TYPE ? JSON_TYPE : BATCH_IN_UTF8,
      'Cache-Control': 'no-store',
      Vary: 'X-API-Key, Accept',
      Link: `<${linkToPage(call, publicUrl, next)}>; rel="next"`,
      'Surety-Position': String(position),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body: `[${events.join(',')}]`,
  };
}

/** Returns what the feed needs of the process. @param signal aborts when the client closes the connection */
export function feedAccess(
  { caller }: AuthenticatedCall,
  { translator, feedPolls, feedLimit, feedMetrics, projector }: RouteContext,
  signal: () => AbortSignal,
): FeedAccess {
  const requireCaughtUp = (): void => {
    if (!projector.status().caughtUp)
      throw new Refusal('read_models_building', 'The read models have not caught up with the log yet; ask again');
  };
  return {
    structuredEventOf: (event) => {
      const message = translator.messageOf(event);
      return message && structuredEvent(message);
    },
    publishedPosition: () => {
      const { position } = projector.status();
      if (position === undefined) requireCaughtUp();
      return position ?? 0n;
    },
    requireCaughtUp,
    countRefused: feedMetrics.countRefused,
    makePage: async (make) => await feedLimit.run(caller.id, make),
    makeWokenPage: async (make) => await feedLimit.run(caller.id, make, Number.POSITIVE_INFINITY),
    startPoll: (query, timeoutMs) => feedPolls.start(query, caller.id, timeoutMs, signal()),
  };
}
