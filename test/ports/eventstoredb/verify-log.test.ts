import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyEventLog } from '../../../src/composition/verify.ts';
import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startStandIn } from '../../servers/eventstoredb/stand-in.ts';
import { appendSamples, customerRegistered, policyImported, toEventToAppend } from '../../support/sample-events.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { appendTo } from '../../../src/event-store/event-store.ts';

describe('the verification of a log on EventStoreDB', () => {
  const { folder, remove } = temporaryFolder();
  let standIn: Awaited<ReturnType<typeof startStandIn>>;

  beforeAll(async () => {
    standIn = await startStandIn(folder);
  });
  afterAll(async () => {
    await standIn.stop();
    remove();
  });

  test('takes gaps between positions for none, and names what cannot be read and ids that occur twice', async () => {
    const stores = { log: { url: standIn.url }, documents: { url: 'mongodb://127.0.0.1:1' } };
    const store = openEventStoreDB(stores.log);
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
    await store.close();
  });
});
