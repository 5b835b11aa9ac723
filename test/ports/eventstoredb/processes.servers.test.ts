import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { StoreUnavailable } from '../../../src/store-unavailable.ts';
import type { EventStore, StoredEvent } from '../../../src/event-store/event-store.ts';
import { event, events, ids, newStream, readRest } from '../event-store/subject.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startService } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { StandInProcess } from '../../servers/eventstoredb/support/stand-in-process.ts';
import { describeOnStandIn } from '../../servers/eventstoredb/support/stand-in-harness.ts';

describeOnStandIn('a server of EventStoreDB that is frozen or killed', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: StandInProcess;
  let store: EventStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await StandInProcess.start(folder.folder);
    store = openEventStoreDB({ url: server.url, readTimeoutMs: 1_000, attemptTimeoutMs: 1_000, appendTimeoutMs: 500 });
  });
  afterEach(async () => {
    await store.close();
    await server.kill();
    folder.remove();
  });

  test('calls and subscriptions to a frozen server end by their time limits', async () => {
    const stream = newStream();
    const first = events(2);
    const { position } = await retryWhileUnavailable(() => store.append(stream, 'no_stream', first));
    const { signal } = new AbortController();
    const messages = await retryWhileUnavailable(async () => {
      const subscription = store.subscribe({ after: position, batch: 10, signal })[Symbol.asyncIterator]();
      expect((await subscription.next()).value).toEqual({ kind: 'caught_up', position });
      return subscription;
    });
    const waiting = Promise.allSettled([messages.next()]);

    server.freeze();
    const began = performance.now();
    const unavailable = { name: 'StoreUnavailable' };
    const next = events(1);
    await expect(store.append(stream, 1, next)).rejects.toMatchObject(unavailable);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.readStream(stream)).rejects.toMatchObject(unavailable);
    expect(performance.now() - began).toBeLessThan(9_500);
    expect(await waiting).toMatchObject([{ status: 'rejected', reason: unavailable }]);

    server.thaw();
    expect((await retryWhileUnavailable(() => store.append(stream, 1, next))).revision).toBe(2);
    expect(ids(await retryWhileUnavailable(() => store.readStream(stream)))).toEqual(ids([...first, ...next]));
  });

  test('an idle service calls the server at most twice a second', async () => {
    const { process } = await startService({
      folder: join(folder.folder, 'data'),
      settings: { EVENTSTORE_URL: server.url, SURETY_SAMPLE: 'off' },
    });
    const callCount = async (): Promise<number> =>
      Object.values(await server.calls()).reduce((sum, calls) => sum + calls, 0);
    try {
      await waitUntil(async () => {
        const before = await callCount();
        await pause(5_000);
        return (await callCount()) - before <= 10;
      });
    } finally {
      await process.kill();
    }
  });

  test.each<[string, (server: StandInProcess) => Promise<void>, number]>([
    [
      'killed',
      async (killed) => {
        await killed.kill();
        await killed.start();
      },
      3,
    ],
    [
      'frozen for 6 s',
      async (frozen) => {
        frozen.freeze();
        await pause(6_000);
        frozen.thaw();
      },
      2,
    ],
  ])('every answered append is stored and read once while the server is %s repeatedly', async (_, fail, times) => {
    const defaultStore = openEventStoreDB({ url: server.url });
    const stop = new AbortController();
    const acknowledged: { stream: string; ids: string[] }[] = [];
    const write = async (): Promise<void> => {
      const stream = newStream();
      const written: string[] = [];
      acknowledged.push({ stream, ids: written });
      for (let n = 0; !stop.signal.aborted; n += 1) {
        const one = event(n);
        const { revision } = await retryWhileUnavailable(() =>
          defaultStore.append(stream, n === 0 ? 'no_stream' : n - 1, [one]),
        );
        expect(revision).toBe(n);
        written.push(one.id);
      }
    };
    const read: StoredEvent[] = [];
    const reading = readUntilAborted(defaultStore, read, stop.signal);
    const writers = Promise.all(Array.from({ length: 24 }, write));
    for (let round = 0; round < times; round += 1) {
      const before = eventCount(acknowledged);
      await waitUntil(() => eventCount(acknowledged) >= before + 200);
      await fail(server);
    }
    const before = eventCount(acknowledged);
    await waitUntil(() => eventCount(acknowledged) >= before + 200 && read.length >= 200 * times);
    stop.abort();
    await writers;
    for (const { stream, ids: written } of acknowledged)
      expect(ids(await retryWhileUnavailable(() => defaultStore.readStream(stream)))).toEqual(written);
    const log = await retryWhileUnavailable(() => readRest(defaultStore, undefined, 500));
    expect(new Set(ids(log)).size).toBe(eventCount(acknowledged));
    expect(log).toHaveLength(eventCount(acknowledged));
    await reading;
    expect(ids(read)).toEqual(ids(log).slice(0, read.length));
    await defaultStore.close();
  });
});

/** Reads the log until the signal aborts; resumes after the last event when the subscription ends. */
async function readUntilAborted(store: EventStore, read: StoredEvent[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const message of store.subscribe({ after: read.at(-1)?.position, batch: 100, signal })) {
        if (message.kind === 'events') read.push(...message.events);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await pause(50);
    }
  }
}

/** Repeats a read, or an append with the same ids at the same revision, while the store is unavailable. */
async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

function eventCount(acknowledged: readonly { readonly ids: readonly string[] }[]): number {
  return acknowledged.reduce((sum, { ids: written }) => sum + written.length, 0);
}
