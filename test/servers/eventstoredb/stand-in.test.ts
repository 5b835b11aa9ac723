import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ANY, excludeSystemEvents, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { AppendExpectedRevision, EventStoreDBClient, Position } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { event, newStream } from '../../ports/event-store/subject.ts';
import { describeOnStandIn, World } from './support/world.ts';

/** Beside `rules.test.ts`: what takes a restart, or a look into the server's file. */
describeOnStandIn('the stand-in for EventStoreDB, asked by the bare client', () => {
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

  test('an append of which a kill left all but the end of its line is not there after a restart, and takes none with it', async () => {
    await world.server.stop();
    const file = join(world.folder, 'log.ndjson');
    truncateSync(file, statSync(file).size - 1);
    await world.start();
    expect(await retried(length)).toBe(5);
    await append(4n, [5, 7]);
    await world.restart();
    expect(await retried(length)).toBe(7);
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
