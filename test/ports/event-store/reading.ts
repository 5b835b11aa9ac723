import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { appendTo, type EventStore, type Position, type StoredEvent } from '#stores/event-log/event-log.ts';
import { event, events, ids, newStream, readRest } from './subject.ts';
import type { EventStoreSubject, OpenEventStore } from './subject.ts';

export function describeReading(open: OpenEventStore): void {
  describe('reading', () => {
    let subject: EventStoreSubject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await open();
      store = subject.store;
    });
    afterAll(() => subject.dispose());

    test('returns nothing for a stream that does not exist', async () => {
      expect(await store.readStream(newStream())).toEqual([]);
      expect(await store.readLast(newStream())).toBeUndefined();
    });

    test('reads a long stream whole, from a revision, and up to a limit', async () => {
      const stream = newStream();
      const all = events(1_100);
      await appendTo(store, stream, 'no_stream', all);
      for (const [from, limit] of [
        [0, undefined],
        [100, undefined],
        [0, 500],
        [99, 501],
        [200, 1_000],
        [1_100, undefined],
        [0, 0],
      ] as const) {
        const read = await store.readStream(stream, limit === undefined ? { from } : { from, limit });
        expect(ids(read)).toEqual(ids(all.slice(from, limit === undefined ? undefined : from + limit)));
      }
    });

    test('returns an event with stream, revision and position', async () => {
      const stream = newStream();
      const appended = { ...event(7), metadata: { $correlationId: 'c', recordedAt: '2026-11-01T00:00:00.000Z' } };
      const { position } = await appendTo(store, stream, 'no_stream', [appended]);
      const last = await store.readLast(stream);
      expect(last).toMatchObject({ ...appended, stream, revision: 0, position });
    });

    test('returns the log once, in order of position, in pages of any size', async () => {
      const after = await store.lastPosition();
      const streams = [newStream(), newStream(), newStream()];
      const written: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        for (const [index, stream] of streams.entries()) {
          const batch = events(1 + index);
          await appendTo(store, stream, round === 0 ? 'no_stream' : round * (1 + index) - 1, batch);
          written.push(...ids(batch));
        }
      }
      for (const page of [1, 3, 1_000]) {
        const read = (await readRest(store, after, page)).filter(({ stream }) => streams.includes(stream));
        expect(ids(read)).toEqual(written);
        expectRising(read);
      }
    });

    test('finds an event by position, and nothing after the last one', async () => {
      const stream = newStream();
      const { position } = await appendTo(store, stream, 'no_stream', events(3));
      for (const event of await store.readStream(stream)) expect(await store.readAt(event.position)).toEqual(event);
      expect(await store.readAt(position + 1_000_000_000n)).toBeUndefined();
      const last = await store.lastPosition();
      expect(last).toBeGreaterThanOrEqual(position);
      const own = (await readRest(store, last)).filter((one) => one.stream === stream);
      expect(own).toEqual([]);
    });

    test('returns the same after a restart', async () => {
      const after = await store.lastPosition();
      const stream = newStream();
      const { position } = await appendTo(store, stream, 'no_stream', events(30));
      const own = async (): Promise<readonly StoredEvent[]> =>
        (await readRest(store, after)).filter((one) => one.stream === stream);
      const before = await own();
      store = await subject.reopen();
      expect(before).toHaveLength(30);
      expect(await own()).toEqual(before);
      expect(await store.lastPosition()).toBeGreaterThanOrEqual(position);
      expect((await appendTo(store, stream, 29, events(1))).position).toBeGreaterThan(position);
    });

    test('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });

  describe('a closed store', () => {
    test('has completed appends in flight, and rejects later calls', async () => {
      const subject = await open();
      const stream = newStream();
      const all = Array.from({ length: 20 }, (_, n) => event(n));
      const appends = Promise.all(all.map((one) => appendTo(subject.store, `${stream}-${one.id}`, 'no_stream', [one])));
      const messages = subject.store.subscribe({ after: undefined, batch: 10, signal: new AbortController().signal });
      const iterator = messages[Symbol.asyncIterator]();
      await iterator.next();
      const closed = subject.store.close();
      expect(await appends).toHaveLength(20);
      await closed;
      await expect(appendTo(subject.store, newStream(), 'no_stream', events(1))).rejects.toMatchObject({
        name: 'StoreUnavailable',
      });
      await expect(subject.store.ping()).rejects.toMatchObject({ name: 'StoreUnavailable' });
      const store = await subject.reopen();
      for (const one of all) expect(ids(await store.readStream(`${stream}-${one.id}`))).toEqual([one.id]);
      await subject.dispose();
    });
  });
}

function expectRising(list: readonly { readonly position: Position }[]): void {
  let last = -1n;
  for (const { position } of list) {
    expect(position).toBeGreaterThan(last);
    last = position;
  }
}
