import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { declarePublicEventMetrics } from './metrics.ts';

const never = new Promise<never>(() => {});

test.each<[string, { position?: bigint; end: () => Promise<bigint> }, string | undefined]>([
  ['is behind', { position: 3n, end: async () => await Promise.resolve(10n) }, '7'],
  ['has caught up', { position: 10n, end: async () => await Promise.resolve(10n) }, '0'],
  ['stands by', { end: async () => await Promise.resolve(10n) }, undefined],
  [
    'cannot read the log',
    { position: 3n, end: async () => await Promise.reject(new StoreUnavailable('away')) },
    undefined,
  ],
  ['gets no response from the log', { position: 3n, end: async () => await never }, undefined],
])('shows the lag within 2 s where it is known, for a relay that %s', async (_how, { position, end }, lag) => {
  const metrics = new Registry();
  const relayMetrics = declarePublicEventMetrics(metrics, { lastPosition: end });
  relayMetrics.recordProgress(1n, 0);
  await metrics.metrics();
  relayMetrics.recordProgress(position, 0);
  const startedAt = performance.now();
  const text = await metrics.metrics();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(/^surety_public_events_lag (.*)$/m.exec(text)?.[1]).toBe(lag);
  expect(/^surety_public_events_position (.*)$/m.exec(text)?.[1]).toBe(position?.toString());
});
