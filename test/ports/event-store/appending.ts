import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { appendTo, bytesOf, MAX_APPEND_BYTES, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import type { AppendResult, EventStore, ExpectedRevision, StoredEvent } from '#stores/event-log/event-log.ts';
import { event, events, newStream } from './subject.ts';
import type { EventStoreSubject, OpenEventStore } from './subject.ts';

export function describeAppending(open: OpenEventStore): void {
  describe('append', () => {
    let subject: EventStoreSubject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await open();
      store = subject.store;
    });
    afterAll(() => subject.dispose());

    test('returns the revision and position of its last event', async () => {
      const stream = newStream();
      const first = await appendTo(store, stream, 'no_stream', events(3));
      const second = await appendTo(store, stream, 2, events(1));
      expect([first.revision, second.revision]).toEqual([2, 3]);
      expect(second.position).toBeGreaterThan(first.position);
      const stored = await store.readStream(stream);
      expect(stored[2]?.position).toBe(first.position);
      expect(stored[3]?.position).toBe(second.position);
    });

    test('returns its events, if at all, as they are read', async () => {
      const stream = newStream();
      await appendTo(store, stream, 'no_stream', events(1));
      const appended = await appendTo(
        store,
        stream,
        0,
        events(2).map((one) => ({ ...one, data: { kept: 1, left: undefined } })),
      );
      const read = await store.readStream(stream, { from: 1 });
      expect((appended.events ?? read).map(partsOf)).toEqual(read.map(partsOf));
      expect(read[0]?.data).toEqual({ kept: 1 });
    });

    test('at a wrong revision is rejected and writes nothing', async () => {
      const stream = newStream();
      await appendTo(store, stream, 'no_stream', events(2));
      const absent = newStream();
      await expect(appendTo(store, stream, 'no_stream', events(1))).rejects.toMatchObject({
        name: 'WrongExpectedRevision',
        stream,
        expected: 'no_stream',
        actual: 1,
      });
      await expect(appendTo(store, stream, 0, events(2))).rejects.toMatchObject({ expected: 0, actual: 1 });
      await expect(appendTo(store, stream, 2, events(1))).rejects.toMatchObject({ expected: 2, actual: 1 });
      await expect(appendTo(store, absent, 0, events(1))).rejects.toMatchObject({ expected: 0, actual: undefined });
      expect(await store.readStream(stream)).toHaveLength(2);
      expect(await store.readStream(absent)).toEqual([]);
    });

    test('without events, without a stream or with an invalid id is rejected as a programming error', async () => {
      const stream = newStream();
      const mistake = { name: 'TypeError' };
      await expect(appendTo(store, stream, 'no_stream', [])).rejects.toMatchObject(mistake);
      await expect(appendTo(store, '', 'no_stream', events(1))).rejects.toMatchObject(mistake);
      await expect(appendTo(store, stream, 'no_stream', [event(1, 'one')])).rejects.toMatchObject(mistake);
      expect(await store.readStream(stream)).toEqual([]);
    });

    test('accepts the maximum size in bytes, and rejects one byte more as a programming error', async () => {
      const stream = newStream();
      const [one, two] = events(2);
      if (one === undefined || two === undefined) throw new Error('no events');
      const eventOfSize = (bytes: number): typeof two => {
        const data = { text: '' };
        const room = bytes - bytesOf({ ...two, data });
        data.text = 'Ω'.repeat(room / 2) + 'x'.repeat(room % 2);
        return { ...two, data };
      };
      const largest = eventOfSize(MAX_APPEND_BYTES - bytesOf(one));
      expect(bytesOf(one) + bytesOf(largest)).toBe(MAX_APPEND_BYTES);
      const tooLarge = eventOfSize(MAX_APPEND_BYTES - bytesOf(one) + 1);
      await expect(appendTo(store, stream, 'no_stream', [one, tooLarge])).rejects.toMatchObject({ name: 'TypeError' });
      expect(await store.readStream(stream)).toEqual([]);
      await appendTo(store, stream, 'no_stream', [one, largest]);
      expect((await store.readStream(stream))[1]?.data).toEqual(largest.data);
    });

    test('is rejected only when the conflicting event can be read', async () => {
      for (let round = 0; round < 20; round += 1) {
        const stream = newStream();
        const seen = await Promise.all(
          events(6).map(async (one) => {
            const won = await isAppended(appendTo(store, stream, 'no_stream', [one]));
            return { won, stored: (await store.readStream(stream)).length };
          }),
        );
        expect(seen.filter(({ won }) => won)).toHaveLength(1);
        expect(seen.map(({ stored }) => stored)).toEqual([1, 1, 1, 1, 1, 1]);
      }
    });

    test('writes to several streams in order, until one is refused', async () => {
      const [first, second, third] = [newStream(), newStream(), newStream()];
      const toStream = (stream: string, expected: ExpectedRevision) => ({ stream, expected, events: events(1) });
      const all = [toStream(first, 'no_stream'), toStream(second, 'no_stream')];
      const results = await store.append(all);
      expect(results).toMatchObject([{ revision: 0 }, { revision: 0 }]);
      expect(results[0]?.position).toBeLessThan(results[1]?.position ?? 0n);
      // The same again returns the first results.
      const again = results.map(({ revision, position }) => ({ revision, position }));
      expect(await store.append(all)).toEqual(again);
      const refused = [toStream(first, 0), toStream(second, 'no_stream'), toStream(third, 'no_stream')];
      await expect(store.append(refused)).rejects.toMatchObject({ stream: second, actual: 0 });
      expect(await store.readStream(first)).toHaveLength(2);
      expect(await store.readStream(third)).toEqual([]);
    });

    test('stores any JSON: unicode, a megabyte, null, numbers and lists', async () => {
      const stream = newStream();
      const values = [
        { name: 'Zoë “Łódź” 保险 👩‍👩‍👧 \u0000 \ud800', ключ: ' \r\n\t"\\' },
        { large: 'x'.repeat(1_000_000) },
        null,
        12.5,
        ['a', [1, { b: false }]],
        'plain text',
      ];
      let expected: number | 'no_stream' = 'no_stream';
      for (const data of values) {
        const { revision }: AppendResult = await appendTo(store, stream, expected, [{ ...event(0), data }]);
        expected = revision;
      }
      const stored = await store.readStream(stream);
      expect(stored.map(({ data }) => data)).toEqual(values);
      expect(stored[0]?.metadata).toEqual({ recordedAt: '2026-11-01T00:00:00.000Z' });
      expect(stored[0]?.type).toBe('Counted.v1');
    });

    test('is not affected by later changes of the objects', async () => {
      const stream = newStream();
      const data = { n: 1 };
      const appended = appendTo(store, stream, 'no_stream', [{ ...event(0), data }]);
      data.n = 2;
      await appended;
      expect((await store.readLast(stream))?.data).toEqual({ n: 1 });
    });
  });
}

/** Copies an event's parts, which one adapter computes when they are read. */
function partsOf({ id, stream, revision, position, type, data, metadata }: StoredEvent): StoredEvent {
  return { id, stream, revision, position, type, data, metadata };
}

async function isAppended(append: Promise<AppendResult>): Promise<boolean> {
  try {
    await append;
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return false;
    throw error;
  }
}
