import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { appendTo, type AppendResult, type EventStore, type EventToAppend } from '#stores/event-log/event-log.ts';
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

    test('with other data changes nothing', async () => {
      const { stream, all, first } = await writeStream();
      const other = all.slice(0, 3).map(({ id }) => event(99, id));
      const { position: until } = await appendTo(store, stream, 'no_stream', other);
      expect(until).toBe(first.position);
      await expectUnchanged(stream, all);
      const appended = (await store.readStream(stream, { until })).slice(0, 3);
      expect(appended.map(({ data }) => data)).toEqual(all.slice(0, 3).map(({ data }) => data));
    });

    test('returns the first result after a restart', async () => {
      const { stream, all, first } = await writeStream();
      store = await subject.reopen();
      expect(await appendTo(store, stream, 'no_stream', all.slice(0, 3))).toEqual(first);
      await expectUnchanged(stream, all);
    });
  });
}
