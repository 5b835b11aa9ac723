import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { EventStore } from '../../../src/event-store/event-store.ts';
import { lagFailure } from '../../../src/projector/lag.ts';
import type { Projector } from '../../../src/projector/projector.ts';
import { RecordedProgress } from '../../../src/projector/recorded-progress.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import { startTestProjector } from '../../support/test-projector.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { events, newStream } from '../event-store/subject.ts';

/** Speed of the test's clock. */
const HASTE = 10;

/** In a process without a projector. */
async function recorded(store: EventStore): Promise<Projector> {
  const reached = await store.lastPosition();
  return await Promise.resolve(
    new RecordedProgress({
      readPublishedPosition: async () => await Promise.resolve(reached),
      eventStore: store,
      monotonic: () => performance.now() * HASTE,
      pause: async (milliseconds, signal) => await pause(milliseconds / HASTE, undefined, { signal }).catch(() => {}),
    }),
  );
}

const own = async (eventStore: EventStore): Promise<Projector> =>
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
    ['a projector of its own', own],
    ['a projector elsewhere', recorded],
  ])('%s: read models count as behind while the server does not lead', async (_, start) => {
    const projector = await start(store);
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    const refusing = setInterval(() => harness.server.faults.pushReads('not_leader', 'not_leader'), 1);
    await waitUntil(() => lagFailure(projector.status()) !== undefined);
    clearInterval(refusing);
    while (harness.server.faults.nextRead() !== undefined);
    await waitUntil(() => lagFailure(projector.status()) === undefined);
    await projector.stop();
  });

  test.each([
    ['a projector of its own', own],
    ['a projector elsewhere', recorded],
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
