import { describe, expect, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import * as sample from '#test/support/sample-events.ts';
import {
  readAllDocuments,
  waitUntilCaughtUp,
  waitForPosition,
  type LoggedLine,
  LONG_MS,
  runTestProjector,
  startTestProjector,
} from '#test/support/test-projector.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { logOrder } from '#stores/read-models/read-models.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { PROJECTIONS } from '#projections/registry.ts';

const { appendSamples, sampleId } = sample;
const BOOK = [
  sample.customerRegistered(1),
  sample.valueReserved(1),
  sample.policyImported(1, 1),
  sample.claimImported(1, 1, 1),
  sample.claimSettled(1, 1, 1),
];

function createStores() {
  return { eventStore: new MemoryEventStore(), readModels: openTestReadModels(), lines: [] as LoggedLine[] };
}

/** An event store whose subscriptions are created by the test. */
function withSubscribe(store: MemoryEventStore, subscribe: EventStore['subscribe']): EventStore {
  return new Proxy<EventStore>(store, {
    get: (_, name: keyof EventStore) => (name === 'subscribe' ? subscribe : (store as EventStore)[name]?.bind(store)),
  });
}

describe('catching up and live events', () => {
  test('reflects events from before the start and logs that it has caught up', async () => {
    const { eventStore, readModels } = createStores();
    const position = await appendSamples(eventStore, ...BOOK);
    const projector = await startTestProjector({ eventStore, readModels });
    await waitForPosition(projector, position);
    expect(await readModels.get('claims', sampleId('claim', 1))).toMatchObject({
      stream: `claim-${sampleId('claim', 1)}`,
      revision: 1,
      position,
      order: logOrder(4n),
    });
    await waitForPosition(projector, await appendSamples(eventStore, sample.valueReserved(2)));
    const status = projector.status();
    expect(status).toMatchObject({ caughtUp: true, lagMs: 0, failure: undefined, unroutable: 0 });
    expect(status.position).toBe(status.head);
    expect(status.collections.map(({ collection }) => collection)).toEqual(PROJECTIONS.map(({ name }) => name));
    expect(status.collections.every((collection) => collection.position === status.head)).toBe(true);
    await projector.stop();
  });

  test('has caught up at once on an empty log and then reflects new events', async () => {
    const { eventStore, readModels } = createStores();
    const projector = await startTestProjector({ eventStore, readModels });
    await waitUntilCaughtUp(projector);
    expect(projector.status()).toMatchObject({ lagMs: 0, head: undefined, position: undefined });
    const position = await appendSamples(eventStore, sample.customerRegistered(1));
    await waitForPosition(projector, position);
    expect(await readModels.get('customers', sampleId('customer', 1))).toBeDefined();
    await projector.stop();
  });

  test('resolves a wait with false after its time and when it is stopped', async () => {
    const { eventStore, readModels } = createStores();
    const projector = await startTestProjector({ eventStore, readModels });
    expect(await projector.waitFor(1_000n, 5)).toBe(false);
    const waiting = projector.waitFor(1_000n, LONG_MS);
    await projector.stop();
    expect(await waiting).toBe(false);
    expect(await projector.waitFor(1_000n, LONG_MS)).toBe(false);
    expect(projector.status().head).toBeUndefined();
  });

  test('resumes after the stored checkpoint', async () => {
    const { eventStore, readModels } = createStores();
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, ...BOOK));
    const asked: (bigint | undefined)[] = [];
    const watched = withSubscribe(eventStore, (options) => {
      asked.push(options.after);
      return eventStore.subscribe(options);
    });
    const position = await appendSamples(eventStore, sample.customerRegistered(2));
    await runTestProjector({ eventStore: watched, readModels }, position);
    expect(asked).toEqual([BigInt(BOOK.length)]);
    expect(await readModels.checkpoint()).toMatchObject({ position, latestRecordedAt: sample.RECORDED_AT });
  });

  test('writes a document once for all events of a batch', async () => {
    const { eventStore, readModels } = createStores();
    const position = await appendSamples(eventStore, ...BOOK);
    const written: string[] = [];
    readModels.beforeWrite = (collection, documents) =>
      written.push(...documents.map(({ key }) => `${collection}/${key}`));
    await runTestProjector({ eventStore, readModels }, position);
    const documents = [...(await readAllDocuments(readModels)).keys()];
    expect(written.toSorted()).toEqual(documents.toSorted());
  });
});

describe('read models that have never caught up with the log', () => {
  /** Starts a projector that gets one event more, and stops it. */
  async function startPartly({
    eventStore,
    readModels,
  }: Pick<ReturnType<typeof createStores>, 'eventStore' | 'readModels'>) {
    const ending = withSubscribe(eventStore, async function* ({ after }) {
      yield { kind: 'events', events: await eventStore.readAll({ after, limit: 1 }) };
      throw new StoreUnavailable('the line is cut');
    });
    const projector = await startTestProjector({ eventStore: ending, readModels });
    await waitUntil(() => projector.status().failure !== undefined);
    const progress = projector.initialBuildProgress();
    await projector.stop();
    return progress;
  }

  test('are being built until they have caught up, also after a restart', async () => {
    const stores = createStores();
    const head = await appendSamples(stores.eventStore, ...BOOK);
    for (const _start of ['first', 'second']) expect(await startPartly(stores)).toMatchObject({ head });
    const projector = await startTestProjector(stores);
    await waitUntilCaughtUp(projector);
    expect(projector.initialBuildProgress()).toBeUndefined();
    await projector.stop();
  });

  test('are complete from then on, also while they are behind', async () => {
    const stores = createStores();
    await runTestProjector(stores, await appendSamples(stores.eventStore, ...BOOK));
    await appendSamples(stores.eventStore, sample.policyImported(2, 1));
    expect(await startPartly(stores)).toBeUndefined();
  });
});

describe('failures', () => {
  test('subscribes again after the stored checkpoints when a subscription fails or ends', async () => {
    const { eventStore, readModels, lines } = createStores();
    const position = await appendSamples(eventStore, ...BOOK);
    let subscriptions = 0;
    const breaking = withSubscribe(eventStore, async function* (options) {
      subscriptions += 1;
      if (subscriptions > 2) return yield* eventStore.subscribe(options);
      const events = await eventStore.readAll({ after: options.after, limit: 2 });
      yield { kind: 'events', events };
      if (subscriptions === 1) throw new StoreUnavailable('the line is cut');
    });
    const projector = await startTestProjector({ eventStore: breaking, readModels, lines });
    await waitForPosition(projector, position);
    expect(subscriptions).toBe(3);
    expect(lines.filter(({ level }) => level === 'error').map(({ details }) => details)).toMatchObject([
      { reason: 'the line is cut', pauseMs: 50 },
      { reason: 'The subscription has ended', pauseMs: 50 },
    ]);
    await waitForPosition(projector, await appendSamples(eventStore, sample.customerRegistered(2)));
    expect(projector.status().failure).toBeUndefined();
    await projector.stop();
    expect((await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).differences).toEqual([]);
  });

  test.each(['beforeWrite', 'afterWrite'] as const)(
    'pauses longer each time and repeats the events when writes fail (%s)',
    async (door) => {
      const { eventStore, readModels, lines } = createStores();
      const position = await appendSamples(eventStore, ...BOOK);
      let failures = 0;
      readModels[door] = (collection) => {
        if (collection === 'customers' && failures++ < 3) throw new StoreUnavailable('the disk is full');
      };
      const projector = await startTestProjector({ eventStore, readModels, lines });
      await waitForPosition(projector, position);
      await projector.stop();
      const pauses = lines.flatMap(({ details }) => ('pauseMs' in details ? [details.pauseMs] : []));
      expect(pauses.slice(0, 3)).toEqual(door === 'beforeWrite' ? [50, 100, 200] : [50]);
      expect(await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS })).toMatchObject({
        up_to: String(position),
        compared: 15,
        differences: [],
      });
    },
  );

  describe('of 5,500 customers', () => {
    const registrations = Array.from({ length: 5_500 }, (_, customer) => sample.customerRegistered(customer));
    const projections = PROJECTIONS.filter(({ name }) => name === 'customers');

    test('writes what is folded when 5,000 documents have changed', async () => {
      const { eventStore, readModels } = createStores();
      const position = await appendSamples(eventStore, ...registrations);
      const parts: unknown[] = [];
      readModels.beforeWrite = (_collection, documents) => parts.push(documents.length);
      readModels.beforeCheckpoint = (checkpoint) => parts.push(checkpoint.position);
      await runTestProjector({ eventStore, readModels, projections }, position);
      expect(parts).toEqual([5_000, 5_000n, 500, position]);
    });

    test('splits many documents into several writes, and loses nothing when one of them fails', async () => {
      const { eventStore, readModels } = createStores();
      const position = await appendSamples(eventStore, ...registrations);
      const parts: unknown[] = [];
      readModels.beforeWrite = (_collection, documents) => {
        parts.push(documents.length);
        if (parts.length === 2) throw new StoreUnavailable('the disk is full');
      };
      readModels.beforeCheckpoint = (checkpoint) => parts.push(checkpoint.position);
      await runTestProjector({ eventStore, readModels, projections, batchSize: registrations.length }, position);
      // The second time, what is there already is recognised and not written again.
      expect(parts).toEqual([5_000, 500, 500, position]);
      expect((await verifyDocuments({ eventStore, readModels, projections })).differences).toEqual([]);
    });
  });

  test('reports the reason and a growing lag while it is stalled, and counts the stall', async () => {
    const { eventStore, readModels } = createStores();
    let now = Date.parse(sample.RECORDED_AT) + 1_000;
    const paused = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    let isFull = true;
    let stalls = 0;
    readModels.beforeWrite = () => {
      if (isFull) throw new StoreUnavailable('the disk is full');
    };
    const position = await appendSamples(eventStore, ...BOOK);
    const projector = await startTestProjector({
      eventStore,
      readModels,
      now: () => new Date(now).toISOString(),
      onStall: () => {
        stalls += 1;
      },
      pause: () => {
        paused.resolve();
        return resumed.promise;
      },
    });
    await paused.promise;
    expect(projector.status()).toMatchObject({
      failure: 'the disk is full',
      lagMs: 1_000,
      caughtUp: false,
      head: position,
    });
    now += 5_000;
    expect(projector.status().lagMs).toBe(6_000);
    expect(stalls).toBe(1);
    isFull = false;
    resumed.resolve();
    await waitForPosition(projector, position);
    expect(projector.status()).toMatchObject({ failure: undefined, lagMs: 0, position });
    await projector.stop();
  });

  test('stops at once during a pause', async () => {
    const { eventStore, readModels } = createStores();
    readModels.beforeWrite = () => {
      throw new StoreUnavailable('the disk is full');
    };
    await appendSamples(eventStore, ...BOOK);
    const paused = Promise.withResolvers<void>();
    const projector = await startTestProjector({
      eventStore,
      readModels,
      pause: () => {
        paused.resolve();
        return new Promise(() => {});
      },
    });
    await paused.promise;
    await projector.stop();
    expect(projector.status().position).toBeUndefined();
  });

  test('refuses read models of another, longer log and reports what to do', async () => {
    const { eventStore, readModels } = createStores();
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, ...BOOK));
    const shorter = new MemoryEventStore();
    await appendSamples(shorter, sample.customerRegistered(9));
    const lines: LoggedLine[] = [];
    const projector = await startTestProjector({ eventStore: shorter, readModels, lines });
    expect(await projector.waitFor(100n, 20)).toBe(false);
    const failure = expect.stringMatching(/built from another log: .* keep them/);
    expect(projector.status()).toMatchObject({ failure, hasLogMismatch: true });
    await projector.stop();
    expect(await readModels.get('customers', sampleId('customer', 9))).toBeUndefined();
  });

  test('refuses read models of a log that was restored from a backup and has grown again', async () => {
    const { eventStore, readModels } = createStores();
    await runTestProjector({ eventStore, readModels }, await appendSamples(eventStore, ...BOOK));
    const restored = new MemoryEventStore();
    const others = [5, 6, 7, 8, 9, 10].map((number) => sample.customerRegistered(number));
    const position = await appendSamples(restored, ...BOOK.slice(0, 2), ...others);
    const projector = await startTestProjector({ eventStore: restored, readModels });
    expect(await projector.waitFor(position, 20)).toBe(false);
    expect(projector.status().failure).toMatch(/built from another log: .* keep them/);
    await projector.stop();
    expect(await readModels.get('customers', sampleId('customer', 10))).toBeUndefined();
  });
});

describe('events that are delivered more than once', () => {
  test('change nothing in documents that are ahead of their checkpoint', async () => {
    const { eventStore, readModels } = createStores();
    const position = await appendSamples(eventStore, ...BOOK);
    await runTestProjector({ eventStore, readModels }, position);
    const before = await readAllDocuments(readModels);
    readModels.setCheckpoint(undefined);
    let written = 0;
    readModels.beforeWrite = (collection, documents) => {
      // The store ignores rows that it has.
      if (!['transactions', 'event_entries', 'search_terms'].includes(collection)) written += documents.length;
    };
    await runTestProjector({ eventStore, readModels, batchSize: 2 }, position);
    expect(written).toBe(0);
    expect(await readAllDocuments(readModels)).toEqual(before);
  });
});
