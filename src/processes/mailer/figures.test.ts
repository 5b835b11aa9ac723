import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { MemoryReadModels } from '../../../test/support/memory-read-models.ts';
import { declareMailFigures } from './figures.ts';

test('given read models that are away, then the figures are still told, but for that of parked mails', async () => {
  const metrics = new Registry();
  const readModels = new MemoryReadModels();
  declareMailFigures({ metrics, readModels });
  await readModels.close();
  const told = await metrics.metrics();
  expect(told).toMatch(/^surety_mail_jobs_dead_total 0$/m);
  expect(told).not.toMatch(/^surety_mail_jobs_parked/m);
});

test('given read models that do not answer, then the others are told within seconds', async () => {
  const metrics = new Registry();
  const readModels = Object.assign(new MemoryReadModels(), { find: async () => await new Promise<never>(() => {}) });
  declareMailFigures({ metrics, readModels });
  const told = await metrics.metrics();
  expect(told).toMatch(/^surety_mail_jobs_dead_total 0$/m);
  expect(told).not.toMatch(/^surety_mail_jobs_parked/m);
});

test('given a consumer, then its open jobs are told, and those that died are counted', async () => {
  const metrics = new Registry();
  const figures = declareMailFigures({ metrics, readModels: new MemoryReadModels() });
  expect(await metrics.metrics()).not.toMatch(/^surety_mail_jobs_open/m);
  figures.follow({ open: () => 3, overdueMs: () => 1_500 });
  figures.died();
  const told = await metrics.metrics();
  expect(told).toMatch(/^surety_mail_jobs_open 3$/m);
  expect(told).toMatch(/^surety_mail_jobs_overdue_seconds 1\.5$/m);
  expect(told).toMatch(/^surety_mail_jobs_dead_total 1$/m);
});

test('given a consumer that does not reach its store any more, then nothing is told of its jobs, until it does', async () => {
  const metrics = new Registry();
  let open: number | undefined = 3;
  const figures = declareMailFigures({ metrics, readModels: new MemoryReadModels() });
  figures.follow({ open: () => open, overdueMs: () => open });
  expect(await metrics.metrics()).toMatch(/^surety_mail_jobs_open 3$/m);
  open = undefined;
  expect(await metrics.metrics()).not.toMatch(/^surety_mail_jobs_(open|overdue)/m);
  open = 0;
  expect(await metrics.metrics()).toMatch(/^surety_mail_jobs_open 0$/m);
});
