import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { ProcessParts, StartProcess } from '#processes/runtime/process.ts';
import { schedulerStarter } from '#processes/scheduler/scheduler.ts';
import { createScheduler } from '../support/run-scheduler.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { createMerchant, type EnvironmentFixture } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { givenQuote } from '../support/quotes.ts';
import { waitUntil } from '../support/wait-until.ts';

const TODAY = '2026-03-10T09:30:00.000Z';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
beforeEach(() => {
  service.clock.now = TODAY;
});

const runSchedulerAt = async (instant: string): Promise<void> => {
  service.clock.now = instant;
  await service.scheduler.runOnce();
};

async function get(path: string, key = acme.live.key): Promise<ApiResponse['json']> {
  const response = await service.send('GET', `/api/v1/${path}`, { key });
  expect(response.status).toBe(200);
  return response.json;
}

async function send(path: string, body: object, key = acme.live.key): Promise<ApiResponse['json']> {
  const response = await service.send('POST', `/api/v1/${path}`, { key, body });
  if (response.status > 201) throw new Error(response.text);
  return response.json;
}

/** Buys a policy for 365.00 a year for a new customer and returns it. */
async function buy(
  changes: object,
  offered: object = {},
  environment: EnvironmentFixture = acme.live,
): Promise<ApiResponse['json']> {
  const owner = {
    merchantId: acme.tenantId,
    environmentId: environment.environmentId,
    testMode: environment === acme.test,
  };
  const email = `customer-${(await service.log()).length}@time.example`;
  const customer = { first_name: 'Ada', last_name: 'Obi', email };
  const { quote_code } = await givenQuote(service.eventStore, owner, offered, { customer });
  return await send('policies', { quote_code, ...changes }, environment.key);
}

describe('A policy that starts on a later day', () => {
  test.each(['live', 'test'] as const)('is active on its start day in %s', async (mode) => {
    const { key } = acme[mode];
    const { policy_id, status } = await buy({ effective_from: '2026-03-20' }, {}, acme[mode]);
    expect(status).toBe('accepted');
    await runSchedulerAt('2026-03-19T23:59:59.999Z');
    expect((await get(`policies/${policy_id}`, key)).status).toBe('accepted');
    await runSchedulerAt('2026-03-20T00:00:00.000Z');
    expect((await get(`policies/${policy_id}`, key)).status).toBe('active');
    const cancelled = await send('policies/cancel', { policy_id, cancellation_reason: 'sold' }, key);
    expect(cancelled.data.policy_status).toBe('cancelled');
  });
});

describe('A policy with automatic renewal', () => {
  test('has every term once when several schedulers and the merchant renew it concurrently', async () => {
    const { policy_id } = await buy({ auto_renew: true, policy_duration: 30 });
    service.clock.now = '2026-06-15T00:00:00.000Z';
    const others = [1, 2].map(() => createScheduler({ ...service.parts, metrics: new Registry() }));
    const byHand = { policy_id, preferred_policy_start_date: '2026-08-01', policy_duration: 20, auto_renew: true };
    const [response] = await Promise.all([
      service.send('POST', '/api/v1/policies/renew', { key: acme.live.key, body: byHand }),
      ...[service.scheduler, ...others].map(async ({ runOnce }) => await runOnce()),
    ]);
    expect(response.status).toBe(200);
    const events = (await service.log()).filter(({ stream }) => stream === `policy-${policy_id}`);
    const starts = events.slice(1).map(({ data }) => (data as ApiResponse['json']).term.from);
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts.at(-1)).toBe('2026-08-01');
    await runSchedulerAt('2026-08-21T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ effective_from: '2026-08-21', premium: '20.00' });
  });
});

describe('A service with a running scheduler', () => {
  let running: ApiService;
  beforeAll(async () => {
    running = await startApiService({ roles: ['api', 'scheduler'] });
  });
  afterAll(async () => {
    await running.stop();
  });

  const checks = async () => (await running.send('GET', '/readyz')).json.checks;

  test('reports its processes in /readyz', async () => {
    expect(await checks()).toEqual(
      expect.arrayContaining([
        { name: 'completion', ok: true },
        { name: 'scheduler', ok: true },
      ]),
    );
    const metrics = async () => (await running.send('GET', '/metrics')).text;
    const expected = [
      'surety_scheduler_due 0',
      'surety_scheduler_actions_total{kind="renewal"} 0',
      'surety_scheduler_failures_total 0',
      'surety_unfinished_commands 0',
      'surety_unfinished_commands_given_up 0',
    ];
    // Each process reports after its first run.
    await waitUntil(async () => {
      const text = await metrics();
      return expected.every((line) => text.includes(line));
    }, metrics);
  });
});

test('/readyz shows since when the scheduler fails while the event log is unavailable', async () => {
  let isUnavailable = false;
  const prepareFailing = async (parts: ProcessParts): Promise<StartProcess> => {
    const { eventStore } = parts.commandPorts;
    const lastPosition = async (): Promise<bigint | undefined> => {
      if (isUnavailable) throw new StoreUnavailable('away');
      return await eventStore.lastPosition();
    };
    const commandPorts = { ...parts.commandPorts, eventStore: { ...eventStore, lastPosition } };
    const start = await schedulerStarter({ ...parts, commandPorts });
    isUnavailable = true;
    return start;
  };
  const failingService = await startApiService({
    processes: [{ name: 'scheduler', prepare: prepareFailing }],
  });
  const scheduler = async () => {
    const { status, json } = await failingService.send('GET', '/readyz', { key: ADMIN_KEY });
    return { status, ...json.checks.find(({ name }: { name: string }) => name === 'scheduler') };
  };
  let found = await scheduler();
  while (found.ok) found = await scheduler();
  await failingService.stop();
  expect(found).toEqual({
    status: 503,
    name: 'scheduler',
    ok: false,
    severity: 'failure',
    reason: `failing since ${TODAY}, will retry; the log has the reason`,
  });
});
