import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { StoreUnavailable } from '../../../src/event-store/event-store.ts';
import type { AppendResult, EventStore, StoredEvent } from '../../../src/event-store/event-store.ts';
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
    const all = events(2);
    const { position } = await store.append(stream, 'no_stream', all);
    const stop = new AbortController();
    const messages = store.subscribe({ after: position, batch: 10, signal: stop.signal })[Symbol.asyncIterator]();
    expect((await messages.next()).value).toEqual({ kind: 'caught_up', position });
    const waiting = Promise.allSettled([messages.next()]);

    server.freeze();
    const began = performance.now();
    const unavailable = { name: 'StoreUnavailable' };
    const more = events(1);
    await expect(store.append(stream, 1, more)).rejects.toMatchObject(unavailable);
    await expect(store.ping()).rejects.toMatchObject(unavailable);
    await expect(store.readStream(stream)).rejects.toMatchObject(unavailable);
    expect(performance.now() - began).toBeLessThan(9_500);
    expect(await waiting).toMatchObject([{ status: 'rejected', reason: unavailable }]);

    server.thaw();
    expect((await insist(() => store.append(stream, 1, more))).revision).toBe(2);
    expect(ids(await store.readStream(stream))).toEqual(ids([...all, ...more]));
  });

  test('an idle service calls the server at most twice a second', async () => {
    const { process } = await startService({
      folder: join(folder.folder, 'data'),
      settings: { EVENTSTORE_URL: server.url, SURETY_SAMPLE: 'off' },
    });
    const count = async (): Promise<number> =>
      Object.values(await server.calls()).reduce((sum, calls) => sum + calls, 0);
    try {
      await waitUntil(async () => {
        const before = await count();
        await pause(5_000);
        return (await count()) - before <= 10;
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
    const usual = openEventStoreDB({ url: server.url });
    const over = new AbortController();
    const answered: { stream: string; ids: string[] }[] = [];
    const write = async (): Promise<void> => {
      const stream = newStream();
      const own: string[] = [];
      answered.push({ stream, ids: own });
      for (let n = 0; !over.signal.aborted; n += 1) {
        const one = event(n);
        const { revision } = await insist(() => usual.append(stream, n === 0 ? 'no_stream' : n - 1, [one]));
        expect(revision).toBe(n);
        own.push(one.id);
      }
    };
    const read: StoredEvent[] = [];
    const reading = readOn(usual, read, over.signal);
    const all = Promise.all(Array.from({ length: 24 }, write));
    for (let round = 0; round < times; round += 1) {
      const before = count(answered);
      await waitUntil(() => count(answered) >= before + 200);
      await fail(server);
    }
    const before = count(answered);
    await waitUntil(() => count(answered) >= before + 200);
    over.abort();
    await all;
    for (const { stream, ids: own } of answered) expect(ids(await usual.readStream(stream))).toEqual(own);
    const log = await readRest(usual, undefined, 500);
    expect(new Set(ids(log)).size).toBe(count(answered));
    expect(log).toHaveLength(count(answered));
    await reading;
    expect(read.length).toBeGreaterThanOrEqual(200 * times);
    expect(ids(read)).toEqual(ids(log).slice(0, read.length));
    await usual.close();
  });
});

/** Reads the log on and on until the signal aborts, from what it has whenever the subscription is lost. */
async function readOn(store: EventStore, read: StoredEvent[], signal: AbortSignal): Promise<void> {
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

/** Tries until the store is there: with the same ids at the same revision, as the port asks for. */
async function insist(append: () => Promise<AppendResult>): Promise<AppendResult> {
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

function count(answered: readonly { readonly ids: readonly string[] }[]): number {
  return answered.reduce((sum, { ids: own }) => sum + own.length, 0);
}
