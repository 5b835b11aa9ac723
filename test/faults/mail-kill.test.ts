import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Service } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { useWorkspace } from '../support/workspace.ts';

const KILLS = 4;
const MERCHANTS_PER_ROUND = 12;

const place = useWorkspace();
const serviceOptions = { settings: { LOG_LEVEL: 'error' } };

interface MailJob {
  readonly job_id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly tenant_id: string;
}

/** Registers merchants concurrently; returns the tenant ids of acknowledged registrations. */
async function register(service: Service, round: number): Promise<string[]> {
  const requests = Array.from({ length: MERCHANTS_PER_ROUND }, async (_, index) => {
    const body = { name: `Bank ${round} ${index}`, business_email: 'office@bank.example' };
    return String((await service.run('RegisterMerchant', body))['tenant_id']);
  });
  const results = await Promise.allSettled(requests);
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function listJobs(service: Service): Promise<readonly MailJob[]> {
  const response = await service.request('/api/v1/admin/mail-jobs?limit=100');
  return ((await response.json()) as { results: MailJob[] }).results;
}

test('a service that is killed while it sends mails loses none and sends none twice', async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round++) {
    const service = await place.startService(serviceOptions);
    const registering = register(service, round);
    // Each round is killed a little later: between jobs, attempts and results.
    await pause(15 + 20 * round);
    await service.process.kill();
    acknowledged.push(...(await registering));
  }
  const last = await place.startService(serviceOptions);
  acknowledged.push(...(await register(last, KILLS)));
  const outbox = join(place.folder, 'outbox');
  const fileCountOf = (jobId: string): number =>
    readdirSync(outbox).filter((name) => name.endsWith(`-${jobId}.eml`)).length;
  const isSettled = ({ status, attempts }: MailJob): boolean =>
    status === 'sent' || (status === 'waiting' && attempts === 1);
  let jobs: readonly MailJob[] = [];
  const unsettledTenants = (): readonly string[] =>
    acknowledged.filter((tenant) => !jobs.some((job) => job.tenant_id === tenant && isSettled(job)));
  await waitUntil(
    async () => {
      jobs = await listJobs(last);
      return unsettledTenants().length === 0;
    },
    () => `the mails of these tenants are not settled: ${unsettledTenants().join(' ')}\n${JSON.stringify(jobs)}`,
  );
  // Attempts in progress at a kill are parked 60 s later and not repeated.
  for (const { job_id: jobId, status, attempts } of jobs) {
    expect([jobId, attempts]).toEqual([jobId, 1]);
    if (status === 'sent') expect([jobId, fileCountOf(jobId)]).toEqual([jobId, 1]);
    else expect(fileCountOf(jobId)).toBeLessThanOrEqual(1);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(MERCHANTS_PER_ROUND);
  await last.process.stop();
});
