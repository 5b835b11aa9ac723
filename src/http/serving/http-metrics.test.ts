import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { ProjectorStatus } from '../../projector/projector.ts';
import { declareProjectorGauges } from './http-metrics.ts';

test('given a process that projects no more, then it tells nothing of single read models any more', async () => {
  let collections: ProjectorStatus['collections'] = [{ collection: 'policies', version: 1, position: 7n, parked: 2 }];
  const rest = { position: 7n, head: 7n, lagMs: 0, caughtUp: true, unroutable: 0, failure: undefined };
  const metrics = new Registry();
  declareProjectorGauges(metrics, { status: () => ({ ...rest, collections }) });
  const told = async (): Promise<readonly string[]> =>
    (await metrics.metrics()).split('\n').filter((line) => line.includes('{collection='));
  expect(await told()).toEqual([
    'surety_read_model_position{collection="policies"} 7',
    'surety_parked_documents{collection="policies"} 2',
  ]);
  collections = [];
  expect(await told()).toEqual([]);
});
