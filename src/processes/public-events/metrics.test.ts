import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { publicEventMetrics } from './metrics.ts';

const never = new Promise<never>(() => {});

test.each<[string, { position?: bigint; end: () => Promise<bigint> }, string | undefined]>([
  ['is behind', { position: 3n, end: async () => await Promise.resolve(10n) }, '7'],
  ['is level', { position: 10n, end: async () => await Promise.resolve(10n) }, '0'],
  ['stands by', { end: async () => await Promise.resolve(10n) }, undefined],
  [
    'cannot see the log',
    { position: 3n, end: async () => await Promise.reject(new StoreUnavailable('away')) },
    undefined,
  ],
  ['gets no answer from the log', { position: 3n, end: async () => await never }, undefined],
])(
  'given a relay that %s, then its lag is told where it is known, within 2 s',
  async (_how, { position, end }, lag) => {
    const metrics = new Registry();
    const figures = publicEventMetrics(metrics, { lastPosition: end });
    figures.told(1n, 0);
    await metrics.metrics();
    figures.told(position, 0);
    const began = performance.now();
    const text = await metrics.metrics();
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(/^surety_public_events_lag (.*)$/m.exec(text)?.[1]).toBe(lag);
    expect(/^surety_public_events_position (.*)$/m.exec(text)?.[1]).toBe(position?.toString());
  },
);
