import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import {
  appendTo,
  type AppendResult,
  type EventStore,
  type EventToAppend,
} from '../../../src/event-store/event-store.ts';
import { event, events, ids, newStream } from './subject.ts';
import type { EventStoreSubject, OpenEventStore } from './subject.ts';

export function describeRepeating(open: OpenEventStore): void {
  describe('a repeated append', () => {
    let subject: EventStoreSubject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await open();
      store = subject.store;
    });
    afterAll(() => subject.dispose());

    /** A stream of 3 events from one append and 2 from another. */
    async function writeStream(): Promise<{ stream: string; all: EventToAppend[]; first: AppendResult }> {
      const stream = newStream();
      const all = events(5);
      const { revision, position } = await appendTo(store, stream, 'no_stream', all.slice(0, 3));
      await appendTo(store, stream, 2, all.slice(3));
      return { stream, all, first: { revision, position } };
    }

    async function expectUnchanged(stream: string, all: readonly EventToAppend[]): Promise<void> {
      const stored = await store.readStream(stream);
      expect(ids(stored)).toEqual(ids(all));
      expect(stored.map(({ data }) => data)).toEqual(all.map(({ data }) => data));
    }

    test('at the same revision changes nothing and returns the first result', async () => {
      const { stream, all, first } = await writeStream();
      expect(await appendTo(store, stream, 'no_stream', all.slice(0, 3))).toEqual(first);
      await expectUnchanged(stream, all);
    });

    test('of a prefix returns the end of the prefix', async () => {
      const { stream, all } = await writeStream();
      const { revision, position } = await appendTo(store, stream, 'no_stream', all.slice(0, 2));
      expect(revision).toBe(1);
      expect(position).toBe((await store.readStream(stream, { from: 1, limit: 1 }))[0]?.position);
      await expectUnchanged(stream, all);
    });

    test('with other data changes nothing', async () => {
      const { stream, all, first } = await writeStream();
      const other = all.slice(0, 3).map(({ id }) => event(99, id));
      const { position: until } = await appendTo(store, stream, 'no_stream', other);
      expect(until).toBe(first.position);
      await expectUnchanged(stream, all);
      const appended = (await store.readStream(stream, { until })).slice(0, 3);
      expect(appended.map(({ data }) => data)).toEqual(all.slice(0, 3).map(({ data }) => data));
    });

    test('with one more event is rejected', async () => {
      const { stream, all } = await writeStream();
      await expect(appendTo(store, stream, 2, [...all.slice(3), event(6)])).rejects.toMatchObject({ actual: 4 });
      await expectUnchanged(stream, all);
    });

    test('in another order, or with another id, is rejected', async () => {
      const { stream, all } = await writeStream();
      const swapped = [all[1], all[0]].filter((one) => one !== undefined);
      await expect(appendTo(store, stream, 'no_stream', swapped)).rejects.toMatchObject({ actual: 4 });
      const mixed = [...all.slice(0, 1), event(7), ...all.slice(2, 3)];
      await expect(appendTo(store, stream, 'no_stream', mixed)).rejects.toMatchObject({ actual: 4 });
      await expectUnchanged(stream, all);
    });

    test('at another revision is rejected', async () => {
      const { stream, all } = await writeStream();
      await expect(appendTo(store, stream, 1, all.slice(0, 1))).rejects.toMatchObject({ actual: 4 });
      await expect(appendTo(store, stream, 6, all.slice(0, 1))).rejects.toMatchObject({ actual: 4 });
      await expectUnchanged(stream, all);
    });

    test('in another stream is a new append', async () => {
      const { all } = await writeStream();
      const other = newStream();
      expect((await appendTo(store, other, 'no_stream', all)).revision).toBe(4);
      await expectUnchanged(other, all);
    });

    test('returns the first result after a restart', async () => {
      const { stream, all, first } = await writeStream();
      store = await subject.reopen();
      expect(await appendTo(store, stream, 'no_stream', all.slice(0, 3))).toEqual(first);
      await expectUnchanged(stream, all);
    });
  });
}
