import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { HandMovedTime } from '../../test/support/hand-moved-time.ts';
import { MemoryRecords } from '../../test/support/memory-records.ts';
import { declareLeadingFigure, takingTurns } from './taking-turns.ts';

/** One of several processes that have the same role. */
function process(holder: string, records: MemoryRecords, told: string[]) {
  const { monotonic, pause } = new HandMovedTime();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const start = (name: string) => ({
    name,
    start: (fence: { readonly token: number } | undefined) => {
      told.push(`${holder} starts ${name} with ${fence?.token}`);
      return {
        name,
        check: () => (name === 'mails' ? 'no broker' : undefined),
        stop: async () => {
          told.push(`${holder} stops ${name}`);
          if (name === 'events') await Promise.reject(new Error('stuck'));
        },
      };
    },
  });
  return takingTurns('relay', [start('mails'), start('events')], { holder, leases: records, monotonic, pause, log });
}

describe('processes of a role that take turns', () => {
  test('given two, then one runs both of its processes and tells how they are, and the other is ready to', async () => {
    const [records, told] = [new MemoryRecords(), [] as string[]];
    const one = process('one', records, told);
    await nextTurn();
    const two = process('two', records, told);
    await nextTurn();
    expect(told).toEqual(['one starts mails with 1', 'one starts events with 1']);
    expect(one.processes.map(({ name, check }) => [name, check()])).toEqual([
      ['mails', 'no broker'],
      ['events', undefined],
    ]);
    expect(two.processes.map(({ check }) => check())).toEqual([undefined, undefined]);

    const metrics = new Registry();
    declareLeadingFigure(metrics, new Map([['relay', two.isLeading]]));
    expect(await metrics.metrics()).toContain('surety_leading{role="relay"} 0');

    // Stopping each part ends all, once; that one is stuck keeps no other from ending, nor the lease from being given back.
    for (const { stop } of one.processes) await stop();
    expect(told.slice(2)).toEqual(['one stops events', 'one stops mails']);
    expect(await records.readLease('relay')).toMatchObject({ holder: undefined });
    for (const { stop } of two.processes) await stop();
  });
});
