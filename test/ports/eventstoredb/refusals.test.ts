import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type AppendResult, type EventStore } from '../../../src/event-store/event-store.ts';
import { type ServerUnderTest, openServerUnderTest } from '../../servers/eventstoredb/support/server-under-test.ts';
import { EVENTSTORE_UNDER_TEST } from '../../servers/support/named-eventstore.ts';
import { event, events, ids, newStream } from '../event-store/subject.ts';

describe(`repeated and invalid appends, on ${EVENTSTORE_UNDER_TEST}`, () => {
  let server: ServerUnderTest;
  let store: EventStore;
  let stream: string;
  beforeAll(async () => {
    server = await openServerUnderTest();
    ({ store } = server);
  });
  afterAll(() => server.dispose());
  beforeEach(() => {
    stream = newStream();
  });

  test('answers a repeated part of a stream without changes', async () => {
    const all = events(6);
    const first = await appendTo(store, stream, 'no_stream', all.slice(0, 3));
    const second = await appendTo(store, stream, 2, all.slice(3, 5));
    await appendTo(store, stream, 4, all.slice(5));
    const repeated = async (from: number, to: number): Promise<AppendResult> =>
      await appendTo(store, stream, from === 0 ? 'no_stream' : from - 1, all.slice(from, to));
    expect(await repeated(0, 3)).toEqual(first);
    expect(await repeated(1, 3)).toEqual(first);
    expect(await repeated(2, 5)).toEqual(second);
    expect((await repeated(0, 2)).revision).toBe(1);
    expect((await repeated(4, 6)).revision).toBe(5);
    expect(ids(await store.readStream(stream))).toEqual(ids(all));
  });

  test('rejects known ids in part or in another order', async () => {
    const all = events(3);
    await appendTo(store, stream, 'no_stream', all.slice(0, 2));
    await expect(appendTo(store, stream, 'no_stream', all)).rejects.toMatchObject({ expected: 'no_stream', actual: 1 });
    await expect(appendTo(store, stream, 'no_stream', [...all.slice(0, 2)].reverse())).rejects.toMatchObject({
      actual: 1,
    });
    expect(await store.readStream(stream)).toHaveLength(2);
  });

  test('rejects an append of more than 1 MiB as a programming error', async () => {
    const large = { ...event(0), data: 'x'.repeat(1024 * 1024) };
    const mistake = { name: 'TypeError', message: expect.stringContaining('too large') };
    await expect(appendTo(store, stream, 'no_stream', [large])).rejects.toMatchObject(mistake);
    expect(await store.readStream(stream)).toEqual([]);
  });

  test('rejects data that is not JSON as a programming error', async () => {
    const mistake = { name: 'TypeError', message: 'Data or metadata of Counted.v1 is not JSON' };
    await expect(appendTo(store, stream, 'no_stream', [{ ...event(0), data: undefined }])).rejects.toMatchObject(
      mistake,
    );
  });

  test('reads a deleted stream as empty, and can write to it again', async () => {
    await appendTo(store, stream, 'no_stream', events(2));
    await server.client.deleteStream(stream);
    expect(await store.readStream(stream)).toEqual([]);
    expect(await store.readLast(stream)).toBeUndefined();
    const again = events(1);
    expect((await appendTo(store, stream, 'no_stream', again)).revision).toBe(2);
    expect(ids(await store.readStream(stream))).toEqual(ids(again));
  });

  test('reports a tombstoned stream when it is read or written', async () => {
    await appendTo(store, stream, 'no_stream', events(2));
    await server.client.tombstoneStream(stream);
    const tombstoned = { name: 'StreamTombstoned', message: `${stream} is tombstoned in EventStoreDB` };
    await expect(store.readStream(stream)).rejects.toMatchObject(tombstoned);
    await expect(appendTo(store, stream, 1, events(1))).rejects.toMatchObject(tombstoned);
  });
});
