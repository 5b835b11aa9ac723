import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { StoreUnavailable } from '../../../src/event-store/event-store.ts';
import type { AppendResult, EventStore } from '../../../src/event-store/event-store.ts';
import { event, events, ids, newStream, readRest } from '../event-store/subject.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ServerProcess } from '../../servers/eventstoredb/support/server-process.ts';
import { describeOnStandIn } from '../../servers/eventstoredb/support/world.ts';

describeOnStandIn('a server of EventStoreDB that is frozen or killed', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: ServerProcess;
  let store: EventStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await ServerProcess.start(folder.folder);
    store = openEventStoreDB({ url: server.url, readLimitMs: 1_000, tryLimitMs: 1_000, patienceMs: 500 });
  });
  afterEach(async () => {
    await store.close();
    await server.kill();
    folder.remove();
  });

  test('given a frozen server, when it is called, then calls end by their limits and subscriptions by the keepalive', async () => {
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
    expect(performance.now() - began).toBeLessThan(15_000);

    server.thaw();
    expect((await insist(() => store.append(stream, 1, more))).revision).toBe(2);
    expect(ids(await store.readStream(stream))).toEqual(ids([...all, ...more]));
  });

  test('given many writers, when the server is killed again and again, then what was answered is there, and nothing twice', async () => {
    const writers = 24;
    const over = new AbortController();
    const answered: { stream: string; ids: string[] }[] = [];
    const write = async (): Promise<void> => {
      const stream = newStream();
      const own: string[] = [];
      answered.push({ stream, ids: own });
      for (let n = 0; !over.signal.aborted; n += 1) {
        const one = event(n);
        const { revision } = await insist(() => store.append(stream, n === 0 ? 'no_stream' : n - 1, [one]));
        expect(revision).toBe(n);
        own.push(one.id);
      }
    };
    const all = Promise.all(Array.from({ length: writers }, write));
    for (let kills = 0; kills < 3; kills += 1) {
      const before = count(answered);
      while (count(answered) < before + 200) await pause(10);
      await server.kill();
      await server.start();
    }
    over.abort();
    await all;
    for (const { stream, ids: own } of answered) expect(ids(await store.readStream(stream))).toEqual(own);
    const log = await readRest(store, undefined, 500);
    expect(new Set(ids(log)).size).toBe(count(answered));
    expect(log).toHaveLength(count(answered));
  });
});

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
