import { sixEvents } from './support/plain-client.ts';
import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { ANY, excludeSystemEvents, NO_STREAM } from '@eventstore/db-client';
import type { EventStoreDBClient, Position } from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

import { newStream } from '../../ports/event-store/subject.ts';
import { describeOnStandIn, StandInHarness } from './support/stand-in-harness.ts';

/** Rules that need a restart or access to the server's file; the others are in `rules.test.ts`. */
describeOnStandIn('Stand-in for EventStoreDB', () => {
  let harness: StandInHarness;
  let client: EventStoreDBClient;
  let stream: string;
  beforeEach(async () => {
    harness = await StandInHarness.start();
    client = harness.client();
    stream = newStream();
    for (const n of Array(6).keys()) await append(n === 0 ? NO_STREAM : BigInt(n - 1), [n]);
  });
  afterEach(() => harness.dispose());

  const { append, length } = sixEvents(
    () => client,
    () => stream,
  );

  test('recognises a repeat after a restart, but not with "any"', async () => {
    const first = await append(5n, [7]);
    expect(await append(ANY, [0])).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await length()).toBe(7);
    await harness.restart();
    const seventh = harness.server.log.read(stream)?.at(-1);
    expect(String(first.position?.commit)).toBe((seventh as { position: string }).position);
    expect(await retry(() => append(NO_STREAM, [0]))).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await append(ANY, [0])).toMatchObject({ success: true, nextExpectedRevision: 7n });
    expect(await length()).toBe(8);
  });

  test('drops an append without its final newline on restart, and no other append', async () => {
    await harness.server.stop();
    const file = join(harness.folder, 'log.ndjson');
    truncateSync(file, statSync(file).size - 1);
    await harness.start();
    expect(await retry(length)).toBe(5);
    await append(4n, [5, 7]);
    await harness.restart();
    expect(await retry(length)).toBe(7);
  });

  test('drops a partial append on restart and continues after the last complete one', async () => {
    await harness.server.stop();
    appendFileSync(join(harness.folder, 'log.ndjson'), '[{"position":"99999","stream":"policy-torn","revi');
    await harness.start();
    expect(await retry(length)).toBe(6);
    await append(5n, [7]);
    await harness.restart();
    expect(await retry(length)).toBe(7);
  });

  test('a filtered subscription sends a checkpoint every 32 events and can resume there', async () => {
    for (let n = 0; n < 70; n += 1) await harness.server.log.writeSystemEvent('$stats', '$statsCollected', { n });
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

/** Retries: the first call on a closed connection may fail. */
async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempts = 0; attempts < 20; attempts += 1) {
    try {
      return await call();
    } catch {
      await pause(50);
    }
  }
  return await call();
}
