import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { appendTo, type EventToAppend, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { derivedId } from '../identifiers.ts';
import { overlayStore } from './preview.ts';

const STREAM = 'policy-1';
const eventOf = (name: string): EventToAppend => ({
  id: derivedId('preview', name),
  type: name,
  data: {},
  metadata: {},
});

let store: MemoryEventStore;
let overlay: ReturnType<typeof overlayStore>;

beforeEach(async () => {
  store = new MemoryEventStore();
  await appendTo(store, STREAM, 'no_stream', [eventOf('a'), eventOf('b')]);
  overlay = overlayStore(store);
});

const typesOf = async (
  ...options: Parameters<typeof overlay.readStream> extends [string, ...infer Rest] ? Rest : never
) => (await overlay.readStream(STREAM, ...options)).map(({ type, revision }) => `${type}${revision}`);

describe('The overlay of an event store', () => {
  test('continues the streams of the store, which stays as it is', async () => {
    expect(await overlay.append([{ stream: STREAM, expected: 1, events: [eventOf('c'), eventOf('d')] }])).toMatchObject(
      [{ revision: 3 }],
    );
    expect(await typesOf()).toEqual(['a0', 'b1', 'c2', 'd3']);
    expect(await typesOf({ from: 1, limit: 2 })).toEqual(['b1', 'c2']);
    expect(await typesOf({ from: 3 })).toEqual(['d3']);
    expect(await overlay.readLast(STREAM)).toMatchObject({ type: 'd', revision: 3 });
    expect(await store.readStream(STREAM)).toHaveLength(2);
    await expect(overlay.append([{ stream: STREAM, expected: 2, events: [eventOf('e')] }])).rejects.toThrow(
      WrongExpectedRevision,
    );
  });

  test('passes the options of a read on, because a store may know no other values', async () => {
    const asked: unknown[] = [];
    const readStream = store.readStream.bind(store);
    store.readStream = async (stream, options) => {
      asked.push(options);
      return await readStream(stream, options);
    };
    await overlay.readStream(STREAM, { from: 1 });
    await overlay.append([{ stream: STREAM, expected: 1, events: [eventOf('c')] }]);
    await overlay.readStream(STREAM, { from: 1 });
    expect(asked).toEqual([{ from: 1 }, { from: 1 }]);
  });

  test('has one event at a revision when the store goes on meanwhile', async () => {
    await overlay.append([{ stream: STREAM, expected: 1, events: [eventOf('c')] }]);
    await appendTo(store, STREAM, 1, [eventOf('x'), eventOf('y')]);
    expect(await typesOf()).toEqual(['a0', 'b1', 'c2']);
  });
});
