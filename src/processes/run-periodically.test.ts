import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { runPeriodically } from './run-periodically.ts';
import { stallMetrics } from './stalls.ts';
import { until } from '../../test/support/until.ts';

test('given a round without an end, when it works again after failures, then the process says so and pauses anew', async () => {
  const pauses: number[] = [];
  const failAgain = Promise.withResolvers<void>();
  let rounds = 0;
  const metrics = new Registry();
  const process = runPeriodically({
    name: 'relay',
    stalls: stallMetrics(metrics),
    log: pino({ level: 'silent' }),
    now: () => '2026-03-01T10:00:00.000Z',
    pause: async (milliseconds, signal) => {
      pauses.push(milliseconds);
      await pause(1, undefined, { signal });
    },
    untilNext: () => 0,
    round: async (signal, works) => {
      rounds += 1;
      if (rounds <= 3) throw new Error('the store is away');
      works();
      await Promise.race([rounds === 4 ? failAgain.promise : aborted(signal), aborted(signal)]);
      if (!signal.aborted) throw new Error('the store is away again');
    },
  });
  await until(() => rounds === 4);
  expect(process.check()).toBeUndefined();
  failAgain.resolve();
  await until(() => rounds === 5);
  await process.stop();
  expect(pauses).toEqual([100, 200, 400, 100]);
  expect(await metrics.metrics()).toContain('surety_stalls_total{process="relay"} 4');
});

async function aborted(signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => done.resolve());
  await done.promise;
}
