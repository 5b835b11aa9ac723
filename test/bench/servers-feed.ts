import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import { plainClient } from '../servers/eventstoredb/support/plain-client.ts';
import type { Installation } from '../servers/support/installation.ts';
import { waitUntil } from '../support/wait-until.ts';
import { getFeed, PAGE, walkFeed } from './feed-walk.ts';
import { median, type Row, rateRow, whole } from './table.ts';

const ROUNDS = 3;
/** The relay and the projector have to take what was imported. */
const CATCH_UP_MS = 120_000;

/**
 * Measures a walk through the feed of the platform on servers, in pages of 1,000, against bare reads of the same log by
 * the client.
 */
export async function benchServersFeed(on: Installation): Promise<Row> {
  const { service } = await on.run('feed', 'api,projector,relay');
  const client = plainClient(on.eventStore.url);
  try {
    await untilPublished(on, service.url, service.adminKey);
    const rates: number[] = [];
    const bareRates: number[] = [];
    let read = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { events, seconds } = await walkFeed(service.url, service.adminKey);
      rates.push(events / seconds);
      read = events;
      const start = performance.now();
      let bare = 0;
      for await (const { event } of client.readAll({ direction: 'forwards' })) bare += event === undefined ? 0 : 1;
      bareRates.push((1_000 * bare) / (performance.now() - start));
    }
    const what = `feed of the platform on EventStoreDB (stand-in), ${whole(read)} events in pages of ${whole(PAGE)}, against bare reads of the log`;
    return rateRow(what, 'events/s', median(rates), median(bareRates));
  } finally {
    await client.dispose();
    await on.kill('feed');
  }
}

/** Waits until the relay has published what is in the log. */
async function untilPublished(on: Installation, url: string, key: string): Promise<void> {
  const eventStore = openEventStoreDB({ url: on.eventStore.url });
  const last = await eventStore.lastPosition();
  await eventStore.close();
  let published = 0;
  await waitUntil(
    async () => {
      const { headers } = await getFeed(`${url}/api/v1/events/?limit=1`, key);
      published = Number(headers.get('surety-position'));
      return published >= Number(last);
    },
    () => `published up to ${published} of ${last}`,
    CATCH_UP_MS,
  );
}
