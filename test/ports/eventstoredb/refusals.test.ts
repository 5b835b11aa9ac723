import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { appendTo, type EventStore } from '#stores/event-log/event-log.ts';
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
