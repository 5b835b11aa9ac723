import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { EventStore } from '../../../src/event-store/event-store.ts';
import { lagFailure } from '../../../src/projector/lag.ts';
import type { Projector } from '../../../src/projector/projector.ts';
import { RecordedProgress } from '../../../src/projector/recorded-progress.ts';
import { World } from '../../servers/eventstoredb/support/world.ts';
import { MemoryReadModels } from '../../support/memory-read-models.ts';
import { projecting } from '../../support/projector-world.ts';
import { until } from '../../support/until.ts';
import { events, newStream } from '../event-store/subject.ts';

/** So many times faster than time passes. */
const HASTE = 10;

/** In a process without a projector of its own. */
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
  await projecting({ eventStore, readModels: new MemoryReadModels() });

describe('the readiness of read models on EventStoreDB whose subscriptions are silent', () => {
  let world: World;
  let store: EventStore;
  beforeEach(async () => {
    world = await World.start();
    world.server.faults.isMute = true;
    store = world.store();
    await store.append(newStream(), 'no_stream', events(1));
  });
  afterEach(() => world.dispose());

  test.each([
    ['a projector of its own', own],
    ['a projector elsewhere', recorded],
  ])(
    'given %s and a server that no longer leads, then they count as behind until a leader answers',
    async (_, start) => {
      const projector = await start(store);
      await until(() => lagFailure(projector.status()) === undefined);
      const refusing = setInterval(() => world.server.faults.pushReads('not_leader', 'not_leader'), 1);
      await until(() => lagFailure(projector.status()) !== undefined);
      clearInterval(refusing);
      while (world.server.faults.nextRead() !== undefined);
      await until(() => lagFailure(projector.status()) === undefined);
      await projector.stop();
    },
  );

  test.each([
    ['a projector of its own', own],
    ['a projector elsewhere', recorded],
  ])('given %s and a server that is away, then they count as behind until it answers', async (_, start) => {
    const projector = await start(store);
    await until(() => lagFailure(projector.status()) === undefined);
    await world.server.stop();
    await until(() => lagFailure(projector.status()) !== undefined);
    await world.start();
    await until(() => lagFailure(projector.status()) === undefined);
    await projector.stop();
    expect(projector.status().position).toBe(await store.lastPosition());
  });
});
