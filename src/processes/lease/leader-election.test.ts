import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '#test/support/manual-clock.ts';
import { pointAt } from '#test/support/log-points.ts';
import { MemoryRecords } from '#test/support/memory-records.ts';
import type { Fence } from '#stores/records/records.ts';
import { Checkpoint } from '../runtime/checkpoint.ts';
import { runPeriodically } from '../runtime/run-periodically.ts';
import { declareLeadershipMetric, electLeader } from './leader-election.ts';

const now = (): string => '2026-03-01T10:00:00.000Z';

/** One of several processes that have the same role. */
function process(holder: string, records: MemoryRecords, calls: string[]) {
  const { monotonic, pause } = new ManualClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const start = (name: string) => ({
    name,
    start: (fence: { readonly token: number } | undefined) => {
      calls.push(`${holder} starts ${name} with ${fence?.token}`);
      return {
        name,
        check: () => (name === 'mails' ? 'no broker' : undefined),
        stop: async () => {
          calls.push(`${holder} stops ${name}`);
          if (name === 'events') await Promise.reject(new Error('stuck'));
        },
      };
    },
  });
  const lease = { holder, leases: records, monotonic, now, pause, log };
  return electLeader('relay', [start('mails'), start('events')], lease);
}

describe('leader election of a role', () => {
  test('the leader runs all processes of the role and reports their health; the standby is ready', async () => {
    const [records, calls] = [new MemoryRecords(), [] as string[]];
    const one = process('one', records, calls);
    await nextTurn();
    const two = process('two', records, calls);
    await nextTurn();
    expect(calls).toEqual(['one starts mails with 1', 'one starts events with 1']);
    expect(one.processes.map(({ name, check }) => [name, check()])).toEqual([
      ['mails', 'no broker'],
      ['events', undefined],
    ]);
    expect(two.processes.map(({ check }) => check())).toEqual([undefined, undefined]);

    const metrics = new Registry();
    declareLeadershipMetric(
      metrics,
      new Map([
        ['relay', two.leadingSince],
        ['projector', one.leadingSince],
      ]),
    );
    expect(await metrics.metrics()).toContain('surety_leading{role="relay"} 0');
    expect(await metrics.metrics()).toContain('surety_leading{role="projector"} 1');

    // Stopping each part ends all, once; that one is stuck keeps no other from ending, nor the lease from being given back.
    for (const { stop } of one.processes) await stop();
    expect(calls.slice(2)).toEqual(['one stops events', 'one stops mails']);
    expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
    for (const { stop } of two.processes) await stop();
  });

  test('the leader takes a token above that of the checkpoint when the records were restored without leases', async () => {
    const records = new MemoryRecords();
    await new Checkpoint('mail-jobs', records, { token: 37 }).save(pointAt(5n));
    const checkpoint = new Checkpoint('mail-jobs', records);
    const time = new ManualClock();
    const read: unknown[] = [];
    const start = (fence: Fence | undefined) =>
      runPeriodically({
        name: 'mails',
        log: pino({ level: 'silent' }),
        now,
        pause: time.pause,
        nextDelayMs: () => 1_000,
        run: async () => void read.push(await checkpoint.withFence(fence).read()),
      });
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const lease = { holder: 'one', leases: records, monotonic: time.monotonic, now, pause: time.pause, log };
    const turns = electLeader('relay', [{ name: 'mails', start }], lease);
    await time.advance(5_000);
    expect(read[0]).toEqual(pointAt(5n));
    expect(turns.leadingSince()).toBe(now());
    expect(turns.processes.map(({ check }) => check())).toEqual([undefined]);
    expect(await records.readLease('relay')).toMatchObject({ holder: 'one', token: 38 });
    for (const { stop } of turns.processes) await stop();
  });
});
