import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { NoneServed } from '#stores/read-models/read-models.ts';
import { runPeriodically } from './run-periodically.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { declareStallMetric } from './process.ts';

test('resets the pause once a run that does not return has reported that it is healthy', async () => {
  const pauses: number[] = [];
  const failAgain = Promise.withResolvers<void>();
  let runs = 0;
  const metrics = new Registry();
  const process = runPeriodically({
    name: 'mail_relay',
    stalls: declareStallMetric(metrics),
    log: pino({ level: 'silent' }),
    now: () => '2026-03-01T10:00:00.000Z',
    pause: async (milliseconds, signal) => {
      pauses.push(milliseconds);
      await pause(1, undefined, { signal });
    },
    nextDelayMs: () => 0,
    run: async (signal, reportHealthy) => {
      runs += 1;
      if (runs <= 3) throw new Error('the store is away');
      reportHealthy();
      await Promise.race([runs === 4 ? failAgain.promise : aborted(signal), aborted(signal)]);
      if (!signal.aborted) throw new Error('the store is away again');
    },
  });
  await waitUntil(() => runs === 4);
  expect(process.check()).toBeUndefined();
  failAgain.resolve();
  await waitUntil(() => runs === 5);
  await process.stop();
  expect(pauses).toEqual([100, 200, 400, 100]);
  expect(await metrics.metrics()).toContain('surety_stalls_total{process="mail_relay"} 4');
});

test('a wait for read models that are being built is no stall', async () => {
  let runs = 0;
  const metrics = new Registry();
  const process = runPeriodically({
    name: 'completion',
    stalls: declareStallMetric(metrics),
    log: pino({ level: 'silent' }),
    now: () => '2026-03-01T10:00:00.000Z',
    pause: async (_milliseconds, signal) => await pause(1, undefined, { signal }),
    nextDelayMs: () => 0,
    run: async () => {
      runs += 1;
      await Promise.reject(new NoneServed());
    },
  });
  await waitUntil(() => runs > 2);
  expect(process.check()).toBeUndefined();
  await process.stop();
  expect(await metrics.metrics()).not.toContain('surety_stalls_total{process="completion"} 1');
});

async function aborted(signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => done.resolve());
  await done.promise;
}
