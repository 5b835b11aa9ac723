import { sixEvents } from './support/plain-client.ts';
import { BACKWARDS, END, ErrorType, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { AppendExpectedRevision, CommandError, EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { newStream } from '../../ports/event-store/subject.ts';
import { EVENTSTORE_UNDER_TEST, NAMED_EVENTSTORE } from '../support/named-eventstore.ts';
import { type ServerUnderTest, openServerUnderTest } from './support/server-under-test.ts';

/** Behaviour observed on the real server (23.10.6) that the adapter relies on and the stand-in imitates. */
describe(`Rules of EventStoreDB on ${EVENTSTORE_UNDER_TEST} through the client`, () => {
  let server: ServerUnderTest;
  let client: EventStoreDBClient;
  let stream: string;
  let positions: bigint[];
  beforeAll(async () => {
    server = await openServerUnderTest();
    ({ client } = server);
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    stream = newStream();
    positions = [];
    for (const n of Array(6).keys()) {
      const { position } = await append(n === 0 ? NO_STREAM : BigInt(n - 1), [n]);
      positions.push(position?.commit ?? 0n);
    }
  });

  const { append, length } = sixEvents(
    () => client,
    () => stream,
  );

  test.each<[string, AppendExpectedRevision, number[], number]>([
    ['accepts the first event again at "no stream" as a repeat', NO_STREAM, [0], 6],
    ['writes a known event again at the last revision', 5n, [0], 7],
    ['accepts all events again as a repeat', NO_STREAM, [0, 1, 2, 3, 4, 5], 6],
    ['accepts a prefix again as a repeat', NO_STREAM, [0, 1, 2], 6],
    ['accepts a suffix again at its revision as a repeat', 2n, [3, 4, 5], 6],
    ['accepts a range that spans several writes as a repeat', 1n, [2, 3], 6],
    ['writes the same id twice in one append at the last revision', 5n, [7, 7], 8],
  ])('%s', async (_, expected, places, stored) => {
    expect((await append(expected, places)).success).toBe(true);
    expect(await length()).toBe(stored);
  });

  test.each<[string, AppendExpectedRevision, number[]]>([
    ['rejects the first event after the last revision', 6n, [0]],
    ['rejects the first event at another revision', 4n, [0]],
    ['rejects all events again with one more', NO_STREAM, [0, 1, 2, 3, 4, 5, 9]],
    ['rejects known events in another order', NO_STREAM, [1, 0]],
    ['rejects known events mixed with an unknown one', NO_STREAM, [0, 9, 2]],
  ])('%s', async (_, expected, places) => {
    const wrong = { type: 'wrong-expected-version', actualVersion: 5n, streamName: stream };
    await expect(append(expected, places)).rejects.toMatchObject(wrong);
    expect(await length()).toBe(6);
  });

  test('positions have gaps; a read from within a record fails, a read from after the end does not', async () => {
    expect(positions.every((position, n) => n === 0 || position > (positions[n - 1] ?? 0n) + 1n)).toBe(true);
    const from = async (commit: bigint): Promise<number> => {
      let count = 0;
      for await (const { event: one } of client.readAll({ fromPosition: { commit, prepare: commit } })) {
        if (one?.streamId === stream) count += 1;
      }
      return count;
    };
    expect(await from(positions[2] ?? 0n)).toBe(4);
    await expect(from((positions[2] ?? 0n) + 1n)).rejects.toMatchObject({ type: 'unknown', code: 2 });
    expect(await from((positions[5] ?? 0n) + 1_000_000_000n)).toBe(0);
  });

  test('backward reads start with the newest event', async () => {
    const read: unknown[] = [];
    for await (const { event: one } of client.readStream(stream, {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 2,
    })) {
      read.push(one?.data);
    }
    expect(read).toEqual([{ n: 5 }, { n: 4 }]);
  });

  test('refuses an append of more than 1 MiB, which KurrentDB 26.1 writes', async () => {
    const large = jsonEvent({ type: 'Counted.v1', data: { text: 'x'.repeat(1024 * 1024) } });
    const outcome = await client.appendToStream(stream, large, { expectedRevision: 5n }).then(
      () => 'written',
      ({ type }: CommandError) => type,
    );
    const refused = ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED;
    expect(NAMED_EVENTSTORE === undefined ? [refused] : [refused, 'written']).toContain(outcome);
    expect(await length()).toBe(outcome === 'written' ? 7 : 6);
  });

  test('reports errors for an invalid id, and a missing or deleted stream', async () => {
    const wrongId = jsonEvent({ id: 'one', type: 'Counted.v1', data: {} });
    await expect(client.appendToStream(stream, wrongId, { expectedRevision: 5n })).rejects.toBeInstanceOf(Error);
    expect(await length()).toBe(6);
    const read = async (name: string): Promise<void> => {
      for await (const _ of client.readStream(name)) expect(_).toBeDefined();
    };
    await expect(read('policy-missing')).rejects.toMatchObject({ type: 'stream-not-found' });
    await client.deleteStream(stream);
    await expect(read(stream)).rejects.toMatchObject({ type: 'stream-not-found' });
    await client.tombstoneStream(stream);
    await expect(read(stream)).rejects.toMatchObject({ type: 'stream-deleted' });
  });
});
