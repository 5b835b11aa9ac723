import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PortfolioThread } from '../../../src/composition/portfolio-thread.ts';
import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startStandIn } from '../../servers/eventstoredb/stand-in.ts';
import { appendSamples, policyImported } from '../../support/sample-events.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REQUEST = { asOf: '2026-06-30', knownAt: undefined, groupBy: undefined, testMode: false };
const { signal } = new AbortController();

describe('the thread of portfolios on EventStoreDB', () => {
  const { folder, remove } = temporaryFolder();
  let standIn: Awaited<ReturnType<typeof startStandIn>>;

  beforeAll(async () => {
    standIn = await startStandIn(folder);
  });
  afterAll(async () => {
    await standIn.stop();
    remove();
  });

  test('reads the log with a client of its own, which ends with the thread', async () => {
    const store = openEventStoreDB({ url: standIn.url });
    const position = await appendSamples(store, policyImported(1, 1), policyImported(1, 2));
    const thread = new PortfolioThread({ url: standIn.url });
    const portfolio = await thread.run(REQUEST, signal);
    expect(portfolio).toMatchObject({ position, rows: [{ premium_written: '200.00', customers: 0 }] });
    // The worker has ended: the next one starts at once.
    expect(await thread.run(REQUEST, signal)).toEqual(portfolio);
    await thread.stop();
    await store.close();
  });

  test('reports a server that does not answer as an outage', async () => {
    const thread = new PortfolioThread({ url: 'esdb://127.0.0.1:1?tls=false' });
    await expect(thread.run(REQUEST, signal)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      store: 'EventStoreDB',
    });
  });
});
