import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { MemoryReadModels } from '../../../test/support/memory-read-models.ts';
import { declareMailFigures } from './figures.ts';

test('given read models that are away, then the figures are still told, and that of parked mails is not a number', async () => {
  const metrics = new Registry();
  const readModels = new MemoryReadModels();
  declareMailFigures({ metrics, readModels });
  await readModels.close();
  expect(await metrics.metrics()).toMatch(/^surety_mail_jobs_parked nan$/im);
});

test('given read models that do not answer, then the figures are told within seconds', async () => {
  const metrics = new Registry();
  const readModels = Object.assign(new MemoryReadModels(), { find: async () => await new Promise<never>(() => {}) });
  declareMailFigures({ metrics, readModels });
  expect(await metrics.metrics()).toMatch(/^surety_mail_jobs_parked nan$/im);
});

test('given a consumer, then its open jobs are told, and those that died are counted', async () => {
  const metrics = new Registry();
  const figures = declareMailFigures({ metrics, readModels: new MemoryReadModels() });
  expect(await metrics.metrics()).toMatch(/^surety_mail_jobs_open nan$/im);
  figures.follow({ open: () => 3 });
  figures.died();
  const told = await metrics.metrics();
  expect(told).toMatch(/^surety_mail_jobs_open 3$/m);
  expect(told).toMatch(/^surety_mail_jobs_dead_total 1$/m);
});
