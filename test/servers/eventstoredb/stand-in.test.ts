import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ANY, BACKWARDS, END, excludeSystemEvents, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { AppendExpectedRevision, EventStoreDBClient, Position } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { event, newStream } from '../../ports/event-store/subject.ts';
import { World } from './support/world.ts';

/** What was seen on the real server (23.10.6) by the client itself, and what the stand-in does alike. */
describe('the stand-in for EventStoreDB, asked by the bare client', () => {
  let world: World;
  let client: EventStoreDBClient;
  let stream: string;
  const six = Array.from({ length: 6 }, (_, n) => event(n));
  beforeEach(async () => {
    world = await World.start();
    client = world.client();
    stream = newStream();
    for (const n of six.keys()) await append(n === 0 ? NO_STREAM : BigInt(n - 1), [n]);
  });
  afterEach(() => world.dispose());

  const append = async (expectedRevision: AppendExpectedRevision, places: readonly number[]) => {
    const all = places.map((n) => jsonEvent({ id: (six[n] ?? event(n)).id, type: 'Counted.v1', data: { n } }));
    return await client.appendToStream(stream, all, { expectedRevision });
  };

  const length = async (): Promise<number> => {
    let count = 0;
    for await (const _ of client.readStream(stream)) count += 1;
    return count;
  };

  test.each<[string, AppendExpectedRevision, number[], number]>([
    ['the first event at "no stream" again is known', NO_STREAM, [0], 6],
    ['a known event at the tip is written again', 5n, [0], 7],
    ['the whole again is known', NO_STREAM, [0, 1, 2, 3, 4, 5], 6],
    ['a prefix again is known', NO_STREAM, [0, 1, 2], 6],
    ['a suffix again, at its revision, is known', 2n, [3, 4, 5], 6],
    ['a part again that spans several writes is known', 1n, [2, 3], 6],
    ['the same id twice in one append at the tip is written twice', 5n, [7, 7], 8],
  ])('%s', async (_, expected, places, stored) => {
    expect((await append(expected, places)).success).toBe(true);
    expect(await length()).toBe(stored);
  });

  test.each<[string, AppendExpectedRevision, number[]]>([
    ['the first event beyond the tip is a wrong version', 6n, [0]],
    ['the first event at another revision is a wrong version', 4n, [0]],
    ['the whole again with one more is a wrong version', NO_STREAM, [0, 1, 2, 3, 4, 5, 9]],
    ['known events in another order are a wrong version', NO_STREAM, [1, 0]],
    ['known events with a strange one among them are a wrong version', NO_STREAM, [0, 9, 2]],
  ])('%s', async (_, expected, places) => {
    const wrong = { type: 'wrong-expected-version', message: '', actualVersion: 5n, streamName: stream };
    await expect(append(expected, places)).rejects.toMatchObject(wrong);
    expect(await length()).toBe(6);
  });

  test('a repeat is answered like the first time, also after a restart; "any" has forgotten by then', async () => {
    const first = await append(5n, [7]);
    expect(await append(ANY, [0])).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await length()).toBe(7);
    await world.restart();
    const seventh = world.server.log.read(stream)?.at(-1);
    expect(String(first.position?.commit)).toBe((seventh as { position: string }).position);
    expect(await retried(() => append(NO_STREAM, [0]))).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await append(ANY, [0])).toMatchObject({ success: true, nextExpectedRevision: 7n });
    expect(await length()).toBe(8);
  });

  test('what a kill left of an append is not there after a restart, and the log goes on behind the last whole one', async () => {
    await world.server.stop();
    appendFileSync(join(world.folder, 'log.ndjson'), '[{"position":"99999","stream":"policy-torn","revi');
    await world.start();
    expect(await retried(length)).toBe(6);
    await append(5n, [7]);
    await world.restart();
    expect(await retried(length)).toBe(7);
  });

  test('positions have gaps, one within a record is an error, one behind the end is none', async () => {
    const places: Position[] = [];
    for await (const { event: one } of client.readAll()) if (one !== undefined) places.push(one.position);
    expect(places.every(({ commit }, n) => n === 0 || commit > (places[n - 1]?.commit ?? 0n) + 1n)).toBe(true);
    const from = async (commit: bigint): Promise<number> => {
      let count = 0;
      for await (const _ of client.readAll({ fromPosition: { commit, prepare: commit } })) count += 1;
      return count;
    };
    expect(await from(places[2]?.commit ?? 0n)).toBe(places.length - 2);
    await expect(from((places[2]?.commit ?? 0n) + 1n)).rejects.toMatchObject({ type: 'unknown', code: 2 });
    expect(await from(10_000_000n)).toBe(0);
  });

  test('reads backwards begin with the newest', async () => {
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

  test('a filtered subscription says how far it got after every 32 events, and can be taken up there', async () => {
    for (let n = 0; n < 70; n += 1) await world.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
    await append(5n, [7]);
    const checkpoints: Position[] = [];
    let caughtUp = false;
    const subscribe = async (fromPosition: Position | undefined): Promise<number> => {
      let count = 0;
      const filter = excludeSystemEvents({
        checkpointReached: async (_, position) => {
          checkpoints.push(position);
          await Promise.resolve();
        },
      });
      const subscription = client.subscribeToAll(fromPosition === undefined ? { filter } : { fromPosition, filter });
      subscription.on('caughtUp', () => {
        caughtUp = true;
        void subscription.unsubscribe();
        subscription.push(null);
      });
      for await (const _ of subscription) count += 1;
      return count;
    };
    expect(await subscribe(undefined)).toBe(7);
    expect(caughtUp).toBe(true);
    expect(checkpoints.map(({ prepare }) => prepare)).toEqual([0n, 0n]);
    expect(await subscribe(checkpoints.at(-1))).toBe(1);
  });

  test('an id that is no UUID, an append that is too large, a stream that is missing or deleted have their errors', async () => {
    const wrongId = jsonEvent({ id: 'one', type: 'Counted.v1', data: {} });
    await expect(client.appendToStream(stream, wrongId)).rejects.toMatchObject({ code: 3 });
    const large = jsonEvent({ type: 'Counted.v1', data: { text: 'x'.repeat(1024 * 1024) } });
    const tooLarge = { type: 'maximum-append-size-exceeded', maxAppendSize: 1024 * 1024 };
    await expect(client.appendToStream(stream, large)).rejects.toMatchObject(tooLarge);
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

/** The first call on a connection that was cut may find that out. */
async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await call();
    } catch {
      await pause(50);
    }
  }
  return await call();
}
