import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { startCompletion } from '../../src/processes/completion/completion.ts';
import { createScheduler, schedulerStarter, startScheduler } from '../../src/processes/scheduler/scheduler.ts';
import { StoreUnavailable } from '../../src/event-store/event-store.ts';
import { importTerm, makeMerchant, type MerchantScene, type MerchantWorld, termRow } from '../support/api-scene.ts';
import { type ApiAnswer, type ApiService, startApiService } from '../support/api-service.ts';
import { givenQuote } from '../support/quotes.ts';
import { until } from '../support/until.ts';

const TODAY = '2026-03-10T09:30:00.000Z';
let service: ApiService;
let acme: MerchantScene;

beforeAll(async () => {
  service = await startApiService();
  acme = await makeMerchant(service, 'Acme');
});
beforeEach(() => {
  service.clock.now = TODAY;
});
afterAll(async () => {
  await service.stop();
});

const at = async (moment: string): Promise<void> => {
  service.clock.now = moment;
  await service.scheduler.runOnce();
};

async function get(path: string, key = acme.live.key): Promise<ApiAnswer['json']> {
  const answer = await service.send('GET', `/api/v1/${path}`, { key });
  expect(answer.status).toBe(200);
  return answer.json;
}

async function send(path: string, body: object, key = acme.live.key): Promise<ApiAnswer['json']> {
  const answer = await service.send('POST', `/api/v1/${path}`, { key, body });
  if (answer.status > 201) throw new Error(answer.text);
  return answer.json;
}

/** Buys for an annual 365.00, for a customer of one's own; resolves with the policy. */
async function buy(
  changes: object,
  offered: object = {},
  world: MerchantWorld = acme.live,
): Promise<ApiAnswer['json']> {
  const owner = { merchantId: acme.tenantId, environmentId: world.environmentId, testMode: world === acme.test };
  const email = `customer-${(await service.log()).length}@time.example`;
  const customer = { first_name: 'Ada', last_name: 'Obi', email };
  const { quote_code } = await givenQuote(service.eventStore, owner, offered, { customer });
  return await send('policies', { quote_code, ...changes }, world.key);
}

describe('Given a policy that begins on a later day', () => {
  test.each(['live', 'test'] as const)('when its start day comes in %s, then it is active', async (world) => {
    const { key } = acme[world];
    const { policy_id, status } = await buy({ effective_from: '2026-03-20' }, {}, acme[world]);
    expect(status).toBe('accepted');
    await at('2026-03-19T23:59:59.999Z');
    expect((await get(`policies/${policy_id}`, key)).status).toBe('accepted');
    await at('2026-03-20T00:00:00.000Z');
    expect((await get(`policies/${policy_id}`, key)).status).toBe('active');
    const cancelled = await send('policies/cancel', { policy_id, cancellation_reason: 'sold' }, key);
    expect(cancelled.data.policy_status).toBe('cancelled');
  });

  test('when it was taken over from another book, then it is active on its start day as well', async () => {
    const later = { term_from: '2026-04-01', term_through: '2027-03-31' };
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('LATER-1', later));
    expect((await get(`policies/${policy_id}`)).status).toBe('accepted');
    await at('2026-04-01T00:00:00.000Z');
    expect((await get(`policies/${policy_id}`)).status).toBe('active');
  });

  test('when an inspection is needed, then it waits for a person, and renews only from then on', async () => {
    const { policy_id } = await buy({ auto_renew: true }, { inspectionRequired: true });
    await at('2026-09-01T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ status: 'accepted', effective_through: '2027-03-10' });
    await service.admin('ActivatePolicy', { policy_id });
    await at('2027-03-11T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ status: 'active', effective_from: '2027-03-11' });
  });
});

describe('Given a policy that renews by itself', () => {
  test('when nobody looks for five years, then every term is there at its price, in every view', async () => {
    const bought = await buy({ auto_renew: true, policy_duration: 365 });
    const { policy_id, policy_holder } = bought;
    await at('2031-06-01T12:00:00.000Z');

    expect(await get(`policies/${policy_id}`)).toEqual({
      ...bought,
      effective_from: '2031-03-14',
      effective_through: '2032-03-13',
      renewal_date: '2032-03-14T00:00:00.000Z',
    });
    const customer = await get(`customers/${policy_holder.customer_id}`);
    const summary = { policy_id, status: 'active', start_date: '2031-03-14', end_date: '2032-03-13' };
    expect(customer.purchased_policies).toMatchObject([{ ...summary, premium_amount: '365.00' }]);
    expect(customer.active_policies).toMatchObject([summary]);

    const events = (await service.log()).filter(({ stream }) => stream === `policy-${policy_id}`);
    const renewals = events.slice(1).map(({ data, metadata }) => {
      const { term, effectiveAt } = data as ApiAnswer['json'];
      const { actor, recordedAt } = metadata as ApiAnswer['json'];
      return [term.from, term.through, term.premium, effectiveAt, actor.role, recordedAt.slice(0, 10)];
    });
    expect(renewals).toEqual(
      [
        ['2027-03-11', '2028-03-10'],
        ['2028-03-11', '2029-03-11'],
        ['2029-03-12', '2030-03-12'],
        ['2030-03-13', '2031-03-13'],
        ['2031-03-14', '2032-03-13'],
      ].map(([from, through]) => [from, through, '365.00', from, 'system', '2031-06-01']),
    );
  });

  test('when a month passes after the other, then each costs its days, and an incident in one of them is covered', async () => {
    const { policy_id, premium } = await buy({ auto_renew: true, policy_duration: 30 });
    expect(premium).toBe('30.00');
    for (const moment of ['2026-04-10T00:00:00.000Z', '2026-05-11T08:00:00.000Z']) await at(moment);
    expect(await get(`policies/${policy_id}`)).toMatchObject({
      effective_from: '2026-05-11',
      effective_through: '2026-06-10',
      premium: '30.00',
    });
    const claim = await send('claims', {
      policy_id,
      claim_details: { claim_type: 'Collision', incident_date: '2026-05-10' },
    });
    expect(claim.claim_status).toBe('pending');
  });

  test('when it is cancelled, then no term follows any more', async () => {
    const { policy_id } = await buy({ auto_renew: true, policy_duration: 30 });
    await at('2026-04-15T00:00:00.000Z');
    await send('policies/cancel', { policy_id, cancellation_reason: 'sold' });
    await at('2028-01-01T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ status: 'cancelled', effective_from: '2026-04-10' });
  });

  test('when it is renewed by hand without going on, then it ends with that term', async () => {
    const { policy_id } = await buy({ auto_renew: true, policy_duration: 30 });
    const byHand = { policy_id, preferred_policy_start_date: '2026-04-10', policy_duration: 10 };
    await send('policies/renew', byHand);
    await at('2028-01-01T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ status: 'active', effective_through: '2026-04-20' });
  });

  test('when several schedulers are at work while its merchant renews it, then every term is there once', async () => {
    const { policy_id } = await buy({ auto_renew: true, policy_duration: 30 });
    service.clock.now = '2026-06-15T00:00:00.000Z';
    const others = [1, 2].map(() => createScheduler({ ...service.parts, metrics: new Registry() }));
    const byHand = { policy_id, preferred_policy_start_date: '2026-08-01', policy_duration: 20, auto_renew: true };
    const [answer] = await Promise.all([
      service.send('POST', '/api/v1/policies/renew', { key: acme.live.key, body: byHand }),
      ...[service.scheduler, ...others].map(async ({ runOnce }) => await runOnce()),
    ]);
    expect(answer.status).toBe(200);
    const events = (await service.log()).filter(({ stream }) => stream === `policy-${policy_id}`);
    const starts = events.slice(1).map(({ data }) => (data as ApiAnswer['json']).term.from);
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts.at(-1)).toBe('2026-08-01');
    await at('2026-08-22T00:00:00.000Z');
    expect(await get(`policies/${policy_id}`)).toMatchObject({ effective_from: '2026-08-22', premium: '20.00' });
  });
});

describe('Given a service with its scheduler at work', () => {
  let running: ApiService;
  beforeAll(async () => {
    running = await startApiService({ processes: [startCompletion, startScheduler] });
  });
  afterAll(async () => {
    await running.stop();
  });

  const checks = async () => (await running.send('GET', '/readyz')).json.checks;

  test('when it is asked how it is, then it tells of its processes', async () => {
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
    // Each process reports after its first round.
    await until(async () => {
      const text = await metrics();
      return expected.every((line) => text.includes(line));
    }, metrics);
  });
});

test('Given a service whose log is away, when it is asked how it is, then it tells since when the scheduler fails', async () => {
  let isAway = false;
  const failing = await startApiService({
    processes: [
      async (parts) => {
        const { eventStore } = parts.commandPorts;
        const lastPosition = async (): Promise<bigint | undefined> => {
          if (isAway) throw new StoreUnavailable('away');
          return await eventStore.lastPosition();
        };
        const commandPorts = { ...parts.commandPorts, eventStore: { ...eventStore, lastPosition } };
        const start = await schedulerStarter({ ...parts, commandPorts });
        isAway = true;
        return start(undefined);
      },
    ],
  });
  const scheduler = async () => {
    const { status, json } = await failing.send('GET', '/readyz');
    return { status, ...json.checks.find(({ name }: { name: string }) => name === 'scheduler') };
  };
  let found = await scheduler();
  while (found.ok) found = await scheduler();
  await failing.stop();
  expect(found).toEqual({
    status: 503,
    name: 'scheduler',
    ok: false,
    severity: 'failure',
    reason: `failing since ${TODAY}, will retry; the log has the reason`,
  });
});
