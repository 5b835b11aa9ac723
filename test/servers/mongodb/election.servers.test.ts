import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { StoreUnavailable } from '../../../src/store-unavailable.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../../src/read-models/read-models.ts';
import { openMongoRecords } from '../../../src/records/mongodb/mongo-records.ts';
import type { Records } from '../../../src/records/records.ts';
import * as sample from '../../support/sample-events.ts';
import { MemoryEventStore } from '../../support/memory-event-store.ts';
import { waitUntilCaughtUp, waitForPosition, startTestProjector } from '../../support/test-projector.ts';
import { MongodbProcess } from '../support/mongodb-process.ts';
import { describeOwnServers } from '../support/own-servers.ts';

jest.setTimeout(60_000);

const ELECTION_MS = 10_000;

describeOwnServers(['MONGODB_URL'], 'MongoDB without a primary for 10 s, as during an election', () => {
  let server: MongodbProcess;
  let readModels: ReadModels;
  let records: Records;
  beforeEach(async () => {
    server = await MongodbProcess.start();
    const url = `mongodb://127.0.0.1:${server.port}/surety`;
    readModels = openMongoReadModels({ url });
    records = openMongoRecords({ url });
  });
  afterEach(async () => {
    await readModels.close();
    await records.close();
    await server.dispose();
  });

  test('requests fail within about 2 s, writes of processes wait, and all recover at once', async () => {
    const eventStore = new MemoryEventStore();
    const projector = await startTestProjector({ eventStore, readModels, fence: { token: 1 } });
    await waitUntilCaughtUp(projector);
    await records.setValue('checkpoint', '1', { token: 1 });
    await sample.appendSamples(eventStore, sample.customerRegistered(1));
    const customer = sample.sampleId('customer', 1);
    await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n);

    await server.kill();
    const end = performance.now() + ELECTION_MS;
    const position = await sample.appendSamples(eventStore, sample.policyImported(1, 1));
    const requests = [
      async () => await records.isKeyRevoked('key'),
      async () => await readModels.get('customers', customer),
    ];
    // Until the driver notices the failure, requests fail at once with their connections.
    await Promise.all(requests.map(async (request) => await untilNoticed(request)));
    const writing = records.setValue('checkpoint', '2', { token: 1 });
    const seconds: number[] = [];
    await Promise.all(
      requests.map(async (request) => {
        while (performance.now() < end) seconds.push(await secondsToRefusal(request));
      }),
    );
    expect(seconds.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...seconds)).toBeLessThan(3.5);

    await server.start();
    const back = performance.now();
    await Promise.all([
      writing,
      waitForPosition(projector, position),
      ...requests.map(async (request) => await request()),
    ]);
    expect((performance.now() - back) / 1_000).toBeLessThan(10);
    expect(await records.getValue('checkpoint')).toBe('2');
    expect(await readModels.get('policies', sample.sampleId('policy', 1))).toBeDefined();
    expect(await readModels.checkpoint(PROJECTIONS[0]?.name ?? '')).toBe(position);
    expect(projector.status().failure).toBeUndefined();
    await projector.stop();
  });
});

async function untilNoticed(request: () => Promise<unknown>): Promise<void> {
  while ((await secondsToRefusal(request)) < 1.5);
}

async function secondsToRefusal(request: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await expect(request()).rejects.toThrow(StoreUnavailable);
  return (performance.now() - start) / 1_000;
}
