import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { EventStore } from '../../../src/event-store/event-store.ts';
import { type Projector, lagFailure } from '../../../src/projector/projector.ts';
import { PublishedProgress } from '../../../src/projector/published-progress.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import { startTestProjector } from '../../support/test-projector.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { events, newStream } from '../event-store/subject.ts';

/** Factor by which the clock of the test is faster. */
const CLOCK_FACTOR = 10;

/** Creates the progress as a process without a projector reads it. */
async function createRecordedProgress(store: EventStore): Promise<Projector> {
  const position = await store.lastPosition();
  return await Promise.resolve(
    new PublishedProgress({
      readPublishedPosition: async () => await Promise.resolve(position),
      eventStore: store,
      monotonic: () => performance.now() * CLOCK_FACTOR,
      pause: async (milliseconds, signal) =>
        await pause(milliseconds / CLOCK_FACTOR, undefined, { signal }).catch(() => {}),
    }),
  );
}

const startOwnProjector = async (eventStore: EventStore): Promise<Projector> =>
  await startTestProjector({ eventStore, readModels: new MemoryReadModels() });

describe('Readiness of read models on EventStoreDB with silent subscriptions', () => {
  let harness: StandInHarness;
  let store: EventStore;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    harness.server.faults.isSilent = true;
    store = harness.store();
    await store.append(newStream(), 'no_stream', events(1));
  });
  afterEach(() => harness.dispose());

  test.each([
    ['a projector in the same process', startOwnProjector],
    ['a projector in another process', createRecordedProgress],
  ])('%s: read models count as behind while the server does not lead', async (_, start) => {
    const projector = await start(store);
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    const timer = setInterval(() => harness.server.faults.pushReads('not_leader', 'not_leader'), 1);
    await waitUntil(() => lagFailure(projector.status()) !== undefined);
    clearInterval(timer);
    while (harness.server.faults.nextRead() !== undefined);
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    await projector.stop();
  });

  test.each([
    ['a projector in the same process', startOwnProjector],
    ['a projector in another process', createRecordedProgress],
  ])('%s: read models count as behind while the server is unreachable', async (_, start) => {
    const projector = await start(store);
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    await harness.server.stop();
    await waitUntil(() => lagFailure(projector.status()) !== undefined);
    await harness.start();
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    await projector.stop();
    expect(projector.status().position).toBe(await store.lastPosition());
  });
});
