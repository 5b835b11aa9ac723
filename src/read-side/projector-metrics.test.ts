import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { ProjectorStatus } from './projector.ts';
import type { CheckResult } from '#service/observability/health-checks.ts';
import { declareProjectorGauges } from './projector-metrics.ts';

const CAUGHT_UP: ProjectorStatus = {
  collections: [],
  position: 7n,
  head: 7n,
  lagMs: 0,
  caughtUp: true,
  unroutable: 0,
  failure: undefined,
};

function checksOfLog(ok: boolean): { results: () => Promise<readonly CheckResult[]> } {
  return { results: async () => await Promise.resolve([{ name: 'event_store', ok, seconds: 0 }]) };
}

test('removes metrics of single read models when the process no longer projects', async () => {
  let collections: ProjectorStatus['collections'] = [{ collection: 'policies', version: 1, position: 7n, parked: 2 }];
  const metrics = new Registry();
  declareProjectorGauges(metrics, { status: () => ({ ...CAUGHT_UP, collections }) }, checksOfLog(true));
  const report = async (): Promise<readonly string[]> =>
    (await metrics.metrics()).split('\n').filter((line) => line.includes('{collection='));
  expect(await report()).toEqual([
    'surety_read_model_position{collection="policies"} 7',
    'surety_parked_documents{collection="policies"} 2',
  ]);
  collections = [];
  expect(await report()).toEqual([]);
});

test.each([
  ['answers', true, 0, ['surety_projector_lag_seconds 0', 'surety_log_position 7']],
  ['answers, with a lag', true, 2_000, ['surety_projector_lag_seconds 2', 'surety_log_position 7']],
  ['does not answer', false, 0, []],
  ['does not answer, with a known lag', false, 6_000, ['surety_projector_lag_seconds 6']],
])('reports lag and position of a log that %s', async (_how, ok, lagMs, expected) => {
  let health = checksOfLog(!ok);
  const metrics = new Registry();
  const results = async (): Promise<readonly CheckResult[]> => await health.results();
  declareProjectorGauges(metrics, { status: () => ({ ...CAUGHT_UP, lagMs }) }, { results });
  await metrics.metrics();
  health = checksOfLog(ok);
  const report = (await metrics.metrics()).split('\n');
  expect(report.filter((line) => /^surety_(projector_lag_seconds|log_position)/.test(line))).toEqual(expected);
});
