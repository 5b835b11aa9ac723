import { Agent, get } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { termRow } from '../support/merchant-fixture.ts';
import type { Service } from '../support/service-process.ts';
import { LONGEST_TURN_MS, startWatchedService } from '../support/watched-service.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();
/** Fewer than a service serves, and more than certificates may wait. */
const agent = new Agent({ keepAlive: true, maxSockets: 500 });
afterEach(() => agent.destroy());

interface Outcome {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly start: string;
}

async function importPolicy(service: Service, environment?: unknown): Promise<string> {
  const environment_id = environment ?? (await service.createEnvironment()).environment_id;
  const { policy_id } = await service.run('ImportPolicyTerm', { ...termRow('MOT-1'), environment_id });
  return String(policy_id);
}

async function askForCertificate(service: Service, policyId: string): Promise<Outcome> {
  return await new Promise((resolve, reject) => {
    const url = `${service.url}/api/v1/policies/${policyId}/certificate/`;
    const request = get(url, { agent, headers: { 'x-api-key': service.adminKey } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).once('error', reject);
      response.once('end', () => {
        const start = Buffer.concat(parts).subarray(0, 5).toString();
        resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'], start });
      });
    });
    request.once('error', reject);
  });
}

test('2,000 certificates at once are made or refused, while other requests are served', async () => {
  const service = await startWatchedService(place);
  const policyId = await importPolicy(service);
  const outcomes: Outcome[] = [];
  const probes = await service.probeWhile(async () => {
    const requests = Array.from({ length: 2_000 }, async () => await askForCertificate(service, policyId));
    outcomes.push(...(await Promise.all(requests)));
  });
  const kinds = new Set(outcomes.map(({ status, retryAfter, start }) => `${status} ${retryAfter ?? start}`));
  expect(kinds).toEqual(new Set(['200 %PDF-', '503 1']));
  expect(probes.failures).toEqual([]);
  const { longestTurnMs, peakMib } = await service.load();
  expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS);
  expect(peakMib).toBeLessThan(600);
});

test('A stop makes or refuses the certificates that wait', async () => {
  const service = await place.startService({ settings: { LOG_LEVEL: 'error' } });
  const policyId = await importPolicy(service);
  const requests = Array.from({ length: 30 }, async () => await askForCertificate(service, policyId));
  const waiting = Promise.allSettled(requests);
  await Promise.race(requests);
  const startedAt = Date.now();
  expect(await service.process.stop()).toMatchObject({ code: 0 });
  expect(Date.now() - startedAt).toBeLessThan(14_000);
  const statuses = (await waiting).map((one) => (one.status === 'fulfilled' ? one.value.status : 'closed'));
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
});

const DAY_MS = 24 * 60 * 60 * 1_000;

test('certificates with 20,000 letters without a glyph, whose client may leave, leave turns to those of others', async () => {
  const service = await startWatchedService(place);
  const other = await importPolicy(service);
  const { environment_id } = await service.createEnvironment();
  const { api_key } = await service.run('IssueApiKey', { environment_id, label: 'attack' });
  const policyId = await importPolicy(service, environment_id);
  const headers = { 'x-api-key': String(api_key), 'content-type': 'application/json' };
  const covered_items = '\uac00'.repeat(9_990);
  // As many letters as the changes of a policy may have.
  const changes = ['Cover 1', 'Cover 2'].map((coverage_name) => ({
    action: 'add',
    coverage_name,
    additional_amount: '1.00',
    covered_items,
  }));
  const init = { method: 'POST', headers, body: JSON.stringify({ changes }) };
  expect((await service.request(`/api/v1/policies/${policyId}/changes/`, init)).status).toBe(200);
  // A change may take effect on the next day.
  const day = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);
  const attack = async (signal: AbortSignal): Promise<number> => {
    const response = await service.request(`/api/v1/policies/${policyId}/certificate/?as_of=${day}`, {
      headers,
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  };
  expect(await attack(AbortSignal.timeout(60_000))).toBe(200);
  const outcomes: Outcome[] = [];
  const waits: number[] = [];
  const probes = await service.probeWhile(async () => {
    for (let round = 0; round < 20; round += 1) {
      const leaving = new AbortController();
      const attacks = Promise.allSettled(Array.from({ length: 10 }, async () => await attack(leaving.signal)));
      const askedAt = performance.now();
      outcomes.push(await askForCertificate(service, other));
      waits.push(performance.now() - askedAt);
      leaving.abort();
      await attacks;
    }
  });
  expect(new Set(outcomes.map(({ status, start }) => `${status} ${start}`))).toEqual(new Set(['200 %PDF-']));
  expect(probes.failures).toEqual([]);
  expect(Math.max(...waits)).toBeLessThan(5_000);
  const { longestTurnMs, peakMib } = await service.load();
  expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS);
  expect(peakMib).toBeLessThan(512);
});
