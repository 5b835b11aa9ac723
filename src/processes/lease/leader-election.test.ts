import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ManualClock } from '#test/support/manual-clock.ts';
import { pointAt } from '#test/support/log-points.ts';
import { MemoryLeases } from '#test/support/memory-leases.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import type { EventReference } from '#stores/event-log/log-identity.ts';
import { Checkpoint } from '../runtime/checkpoint.ts';
import { runPeriodically } from '../runtime/run-periodically.ts';
import { declareLeadershipMetric, electLeader } from './leader-election.ts';

const now = (): string => '2026-03-01T10:00:00.000Z';

/** One of several processes that have the same role. */
function process(holder: string, leases: MemoryLeases, calls: string[]) {
  const { monotonic, pause } = new ManualClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const start = (name: string) => ({
    name,
    start: () => {
      calls.push(`${holder} starts ${name}`);
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
  const lease = { holder, leases, monotonic, now, pause, log };
  return electLeader('relay', [start('mails'), start('events')], lease);
}

describe('leader election of a role', () => {
  test('the leader runs all processes of the role and reports their health; the standby is ready', async () => {
    const [leases, calls] = [new MemoryLeases(), [] as string[]];
    const one = process('one', leases, calls);
    await nextTurn();
    const two = process('two', leases, calls);
    await nextTurn();
    expect(calls).toEqual(['one starts mails', 'one starts events']);
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

    // Stopping each part ends all, once; that one is stuck keeps no other from ending, nor the lease from being given
    // back.
    for (const { stop } of one.processes) await stop();
    expect(calls.slice(2)).toEqual(['one stops events', 'one stops mails']);
    expect(await leases.findHolder('relay', 8_000)).toBeUndefined();
    for (const { stop } of two.processes) await stop();
  });

  test('a leader whose checkpoint was taken over stops all processes of the role and leads again', async () => {
    const [records, leases, time] = [openTemporaryRecords(), new MemoryLeases(), new ManualClock()];
    await new Checkpoint('mail-jobs', records).save(pointAt(5n));
    const calls: unknown[] = [];
    const mails = () => {
      const checkpoint = new Checkpoint('mail-jobs', records);
      let point: EventReference | undefined;
      return runPeriodically({
        name: 'mails',
        log: pino({ level: 'silent' }),
        now,
        pause: time.pause,
        nextDelayMs: () => 1_000,
        run: async () => {
          if (point === undefined) calls.push((point = await checkpoint.takeOver()));
          else await checkpoint.save(point);
        },
      });
    };
    const events = () => ({
      name: 'events',
      check: () => undefined,
      stop: async () => void (await Promise.resolve(calls.push('events stops'))),
    });
    const starts = [
      { name: 'mails', start: mails },
      { name: 'events', start: events },
    ];
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const lease = { holder: 'one', leases, monotonic: time.monotonic, now, pause: time.pause, log };
    const election = electLeader('relay', starts, lease);
    await time.advance(5_000);
    await records.setValue('checkpoint mail-jobs', '7 event-7');
    await time.advance(5_000);
    expect(calls).toEqual([pointAt(5n), 'events stops', pointAt(7n)]);
    expect(election.leadingSince()).toBe(now());
    for (const { stop } of election.processes) await stop();
  });
});
