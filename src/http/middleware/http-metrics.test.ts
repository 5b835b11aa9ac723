import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { ProjectorStatus } from '../../projector/projector.ts';
import type { CheckResult } from '../health-checks.ts';
import { declareProjectorGauges } from './http-metrics.ts';

const LEVEL: ProjectorStatus = {
  collections: [],
  position: 7n,
  head: 7n,
  lagMs: 0,
  caughtUp: true,
  unroutable: 0,
  failure: undefined,
};

/** Health checks that find the event store so. */
function finding(ok: boolean): { results: () => Promise<readonly CheckResult[]> } {
  return { results: async () => await Promise.resolve([{ name: 'event_store', ok, seconds: 0 }]) };
}

test('given a process that projects no more, then it tells nothing of single read models any more', async () => {
  let collections: ProjectorStatus['collections'] = [{ collection: 'policies', version: 1, position: 7n, parked: 2 }];
  const metrics = new Registry();
  declareProjectorGauges(metrics, { status: () => ({ ...LEVEL, collections }) }, finding(true));
  const told = async (): Promise<readonly string[]> =>
    (await metrics.metrics()).split('\n').filter((line) => line.includes('{collection='));
  expect(await told()).toEqual([
    'surety_read_model_position{collection="policies"} 7',
    'surety_parked_documents{collection="policies"} 2',
  ]);
  collections = [];
  expect(await told()).toEqual([]);
});

test.each([
  ['answers', true, 0, ['surety_projector_lag_seconds 0', 'surety_log_position 7']],
  ['answers, while an event waits', true, 2_000, ['surety_projector_lag_seconds 2', 'surety_log_position 7']],
  ['does not answer', false, 0, []],
  ['does not answer while an event is known to wait', false, 6_000, ['surety_projector_lag_seconds 6']],
])(
  'given a log that %s, then what only it knows is told or not, whatever was told before',
  async (_how, ok, lagMs, expected) => {
    let health = finding(!ok);
    const metrics = new Registry();
    const results = async (): Promise<readonly CheckResult[]> => await health.results();
    declareProjectorGauges(metrics, { status: () => ({ ...LEVEL, lagMs }) }, { results });
    await metrics.metrics();
    health = finding(ok);
    const told = (await metrics.metrics()).split('\n');
    expect(told.filter((line) => /^surety_(projector_lag_seconds|log_position)/.test(line))).toEqual(expected);
  },
);
