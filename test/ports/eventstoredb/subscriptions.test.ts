import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import {
  appendTo,
  type AppendResult,
  type EventStore,
  type EventToAppend,
  type Position,
  type StoredEvent,
  type SubscriptionMessage,
} from '#stores/event-log/event-log.ts';
import { StandInHarness } from '../../servers/eventstoredb/support/stand-in-harness.ts';
import { median } from '../../bench/table.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type event, events, ids, newStream } from '../event-store/subject.ts';

describe('subscriptions to EventStoreDB', () => {
  let harness: StandInHarness;
  let store: EventStore;
  let stop: AbortController;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    store = harness.store();
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await harness.dispose();
  });

  const subscribe = (after: Position | undefined, batch = 100): AsyncIterator<SubscriptionMessage> =>
    store.subscribe({ after, batch, signal: stop.signal })[Symbol.asyncIterator]();

  const append = async (count = 1): Promise<AppendResult> =>
    await appendTo(store, newStream(), 'no_stream', events(count));

  /** Writes as another process does, so that the store is not notified. */
  const appendElsewhere = async (list: readonly ReturnType<typeof event>[]): Promise<void> => {
    await harness.server.log.append(newStream(), 'no_stream', list.map(toNewEvent));
  };

  /** Reads a subscription in the background. */
  const startReader = async (after: Position | undefined, batch?: number): Promise<SubscriptionReader> => {
    const messages = subscribe(after, batch);
    await readUntilCaughtUp(messages);
    return new SubscriptionReader(messages);
  };

  /** Resolves when the store is idle: it has opened another subscription, which ends with its first event. */
  const waitUntilIdle = async (before = 0): Promise<void> => {
    await waitUntil(() => harness.server.faults.calls.subscribe > before);
  };

  test.each<[string, (harness: StandInHarness) => Promise<void> | void]>([
    ['its connection is cut', ({ server }) => server.cut()],
    ['the server ends subscriptions without an error', ({ server }) => server.endSubscriptions()],
    ['the server ends subscriptions because it is being stopped', ({ server }) => server.endSubscriptions('internal')],
    ['the server ends subscriptions as too slow', ({ server }) => server.endSubscriptions('too_slow')],
  ])('continue at the end of the log when %s', async (_, fail) => {
    const { position } = await append(3);
    const reader = await startReader(position);
    await waitUntilIdle();
    await fail(harness);
    const next = events(2);
    await appendElsewhere(next);
    await reader.waitUntil(2);
    expect(ids(reader.events)).toEqual(ids(next));
  });

  test.each<[string, (harness: StandInHarness) => Promise<void> | void]>([
    ['the server stops', async ({ server }) => await server.stop()],
    ['the server no longer leads its cluster', ({ server }) => server.faults.pushReads('not_leader', 'not_leader')],
    ['the server fails a read', ({ server }) => server.faults.pushReads('handler')],
  ])('at the end of the log fail with StoreUnavailable when %s', async (_, fail) => {
    const { position } = await append(3);
    const messages = subscribe(undefined);
    await readUntilCaughtUp(messages);
    const next = messages.next();
    await fail(harness);
    await expect(next).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await messages.next()).toEqual({ done: true, value: undefined });
    await harness.restart();
    const after = events(2);
    await appendTo(store, newStream(), 'no_stream', after);
    expect(ids(await nextEvents(subscribe(position), 2))).toEqual(ids(after));
  });

  test('end with StoreUnavailable when the log is replaced', async () => {
    await append(3);
    const messages = subscribe(undefined);
    await readUntilCaughtUp(messages);
    // Settled at once: it may fail before the server has started again.
    const next = Promise.allSettled([messages.next()]);
    await harness.server.stop();
    rmSync(join(harness.folder, 'log.ndjson'));
    await harness.start();
    expect(await next).toMatchObject([{ status: 'rejected', reason: { name: 'StoreUnavailable' } }]);
  });

  test('do not wait for a slow subscription', async () => {
    const slow = subscribe(undefined, 50);
    const quick = [subscribe(undefined, 100), subscribe(undefined, 1_000)];
    for (const messages of [slow, ...quick]) await readUntilCaughtUp(messages);
    const written: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const list = events(300);
      written.push(...ids(list));
      await appendElsewhere(list);
    }
    for (const messages of quick) expect(ids(await nextEvents(messages, 3_000))).toEqual(written);
    const { eventsRead } = harness.server.faults;
    expect(ids(await nextEvents(slow, 3_000))).toEqual(written);
    // It reads its own pages, except the newest.
    expect(harness.server.faults.eventsRead - eventsRead).toBeGreaterThan(2_400);
    expect(harness.server.faults.eventsRead - eventsRead).toBeLessThan(2_700);
  });

  describe('an append of the process', () => {
    /** Returns the number of reads of the stream that it takes. */
    const readAppended = async (from: number): Promise<number> => {
      const stream = newStream();
      const before = events(2);
      const appended = events(3);
      await appendTo(store, stream, 'no_stream', before);
      const { position: until } = await appendTo(store, stream, 1, appended);
      const { readStream } = harness.server.faults.calls;
      expect(ids(await store.readStream(stream, { from, until }))).toEqual(ids([...before, ...appended].slice(from)));
      return harness.server.faults.calls.readStream - readStream;
    };

    test.each([0, 2])(
      'is delivered to who waits for it, from revision %p, without a read of the stream',
      async (from) => {
        await startReader(undefined);
        expect(await readAppended(from)).toBe(0);
      },
    );

    test('is read where no subscription takes it, or has begun after it', async () => {
      expect(await readAppended(2)).toBe(1);
      const stuck = subscribe(undefined);
      await readUntilCaughtUp(stuck);
      expect(await readAppended(2)).toBe(1);
      const { position } = await appendTo(store, newStream(), 'no_stream', events(1));
      expect((await stuck.next()).value).toMatchObject({ kind: 'events' });
      expect(await store.readStream(newStream(), { until: position })).toEqual([]);
    });
  });

  test('stop reading the log when the consumer stops', async () => {
    for (let n = 0; n < 20; n += 1) await appendElsewhere(events(500));
    const messages = subscribe(undefined, 50);
    expect(await nextEvents(messages, 50)).toHaveLength(50);
    for (let read = -1; read !== harness.server.faults.eventsRead; await pause(300))
      read = harness.server.faults.eventsRead;
    expect(harness.server.faults.eventsRead).toBeLessThan(200);
    expect(await nextEvents(messages, 9_950)).toHaveLength(9_950);
  });

  test('catch up at once when the log has system events only', async () => {
    for (let n = 0; n < 100; n += 1) await harness.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
    const messages = subscribe(undefined);
    expect((await messages.next()).value).toEqual({ kind: 'caught_up', position: 0n });
  });

  test('end when the store is closed, also without a consumer', async () => {
    await append(30);
    const messages = subscribe(undefined, 5);
    await messages.next();
    await store.close();
    expect(await messages.next()).toEqual({ done: true, value: undefined });
  });

  describe('on an idle log', () => {
    /** Measures the median time until the subscription receives a new event, and the median time of a read. */
    const measureLatency = async (write: (list: EventToAppend[]) => Promise<unknown>, count: number) => {
      const reader = await startReader((await append()).position);
      const arrival: number[] = [];
      const reads: number[] = [];
      for (let previousCalls = 0; arrival.length < count; ) {
        await waitUntilIdle(previousCalls);
        previousCalls = harness.server.faults.calls.subscribe;
        const start = performance.now();
        await write(events(1));
        await reader.waitUntil(arrival.length + 1);
        arrival.push((reader.arrivals.at(-1) ?? Infinity) - start);
        const readStart = performance.now();
        await store.ping();
        reads.push(performance.now() - readStart);
      }
      return { arrivalMs: median(arrival), readMs: median(reads) };
    };

    /**
     * The next poll would come after half a second or more. On a busy machine a few reads may take longer than 400 ms.
     */
    const expectBeforeNextPoll = ({ arrivalMs, readMs }: Awaited<ReturnType<typeof measureLatency>>): void =>
      expect(arrivalMs).toBeLessThan(Math.max(400, 6 * readMs));

    test('the event of another process arrives before the next poll', async () => {
      expectBeforeNextPoll(await measureLatency(appendElsewhere, 11));
    });

    test('an event of the same process arrives before the next poll, also when wake-ups do not work', async () => {
      harness.server.faults.isSilent = true;
      expectBeforeNextPoll(
        await measureLatency(async (list) => await appendTo(store, newStream(), 'no_stream', list), 11),
      );
    });

    test('the event of another process arrives with the next read when wake-ups do not work', async () => {
      harness.server.faults.isSilent = true;
      expect((await measureLatency(appendElsewhere, 3)).arrivalMs).toBeLessThan(2_000);
    });

    test.each([
      ['work', () => {}],
      ['are silent', ({ server }: StandInHarness) => void (server.faults.isSilent = true)],
      ['end at once', ({ server }: StandInHarness) => server.endSubscriptions()],
    ])('where subscriptions %s, the server is read at most twice a second', async (_, fail) => {
      for (const _ of [1, 2, 3]) await startReader(undefined);
      await waitUntilIdle();
      const timer = setInterval(() => fail(harness), 10);
      const { calls } = harness.server.faults;
      const count = (): number => calls.readAll + calls.readStream + calls.subscribe;
      const [before, start] = [count(), performance.now()];
      await waitUntil(() => count() - before >= 5);
      clearInterval(timer);
      expect(performance.now() - start).toBeGreaterThan(1_900);
    });
  });

  test('open no wake-up subscription per event on a busy log', async () => {
    const reader = await startReader(undefined);
    const { calls } = harness.server.faults;
    const before = calls.subscribe;
    for (let n = 0; n < 100; n += 1) {
      await appendElsewhere(events(1));
      await pause(5);
    }
    await reader.waitUntil(100);
    expect(calls.subscribe - before).toBeLessThan(20);
  });
});

/** Collects the events of a subscription. */
class SubscriptionReader {
  readonly events: StoredEvent[] = [];
  /** Arrival time of each event. */
  readonly arrivals: number[] = [];
  #failure: Error | undefined;

  constructor(messages: AsyncIterator<SubscriptionMessage>) {
    void this.#read(messages).catch((error: Error) => (this.#failure = error));
  }

  /** Resolves when this many events have arrived. */
  async waitUntil(count: number): Promise<void> {
    await waitUntil(
      () => {
        if (this.#failure !== undefined) throw this.#failure;
        return this.events.length >= count;
      },
      () => `${this.events.length} events have arrived`,
    );
  }

  async #read(messages: AsyncIterator<SubscriptionMessage>): Promise<void> {
    for (;;) {
      const { value, done } = await messages.next();
      if (done === true) return;
      if (value.kind !== 'events') continue;
      this.events.push(...value.events);
      this.arrivals.push(...value.events.map(() => performance.now()));
    }
  }
}

async function readUntilCaughtUp(messages: AsyncIterator<SubscriptionMessage>): Promise<void> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true || value.kind === 'caught_up') return;
  }
}

/** Returns the next events. @throws {Error} when the subscription ends first */
async function nextEvents(messages: AsyncIterator<SubscriptionMessage>, count: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  while (found.length < count) {
    const { value, done } = await messages.next();
    if (done === true) throw new Error(`The subscription has ended after ${found.length} events`);
    if (value.kind === 'events') found.push(...value.events);
  }
  return found;
}

function toNewEvent({ id, type, data }: ReturnType<typeof event>) {
  const base64 = Buffer.from(JSON.stringify(data)).toString('base64');
  return { id, type, contentType: 'application/json', data: base64, metadata: '' };
}
