import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PortfolioThread } from '#service/threads/portfolio-thread.ts';
import { verifyEventLog } from '#service/compose/verify.ts';
import { appendTo } from '#stores/event-log/event-log.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { appendSamples, customerRegistered, policyImported, toEventToAppend } from '../../support/sample-events.ts';

const REQUEST = { asOf: '2026-06-30', knownAt: undefined, groupBy: undefined, testMode: false };
const { signal } = new AbortController();

describe('what reads the whole log on EventStoreDB', () => {
  let harness: StandInHarness;
  beforeEach(async () => {
    harness = await StandInHarness.start();
  });
  afterEach(() => harness.dispose());

  test('a portfolio reads it with a client of its own, which ends with the thread', async () => {
    const store = harness.store();
    const position = await appendSamples(store, policyImported(1, 1), policyImported(1, 2));
    const thread = new PortfolioThread({ url: harness.server.url });
    const portfolio = await thread.run(REQUEST, signal);
    expect(portfolio).toMatchObject({ position, rows: [{ premium_written: '200.00', customers: 0 }] });
    // The worker has ended: the next one starts at once.
    expect(await thread.run(REQUEST, signal)).toEqual(portfolio);
    await thread.stop();
  });

  test('a portfolio reports a server that does not answer as an outage', async () => {
    const thread = new PortfolioThread({ url: 'esdb://127.0.0.1:1?tls=false' });
    await expect(thread.run(REQUEST, signal)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      store: 'EventStoreDB',
    });
  });

  test('a verification takes gaps between positions for none, and names what cannot be read and ids that occur twice', async () => {
    const stores = { log: { url: harness.server.url }, documents: { url: 'mongodb://127.0.0.1:1' } };
    const store = harness.store();
    const last = await appendSamples(store, customerRegistered(1), customerRegistered(2), policyImported(1, 1));
    expect(await verifyEventLog(stores)).toEqual({ events: 3, up_to: String(last), faults: 0, first_faults: [] });
    const { id, ...event } = toEventToAppend(customerRegistered(1), 0);
    const stream = 'customer-another';
    const { position } = await appendTo(store, stream, 'no_stream', [{ ...event, id, type: 'Unknown.v9' }]);
    const found = await verifyEventLog(stores);
    const at = { position: String(position), event_id: id, stream, revision: 0 };
    expect(found).toMatchObject({
      faults: 2,
      first_faults: [
        { what: 'unknown_type', ...at },
        { what: 'repeated_id', ...at },
      ],
    });
  });
});
