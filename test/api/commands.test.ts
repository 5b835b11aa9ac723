import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importTerm, makeMerchant, type MerchantScene, termRow } from '../support/api-scene.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { expectShape, routeOf } from '../support/api-shape.ts';

let service: ApiService;
let acme: MerchantScene;

beforeAll(async () => {
  service = await startApiService();
  acme = await makeMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

describe('renewal and cancellation', () => {
  test('given a policy, when renewed and cancelled, then both answers and the policy tell it', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-RENEW'));
    const renewal = await service.send('POST', '/api/v1/policies/renew/', {
      key: acme.live.key,
      body: { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: 73 },
    });
    expectShape(renewal, routeOf(service, 'POST', '/api/v1/policies/renew'));
    expect(renewal.json).toEqual({
      renewal_status: 'success',
      message: expect.any(String),
      data: {
        policy_id,
        policy_number: 'MOT-RENEW',
        policy_duration: 73,
        policy_metadata: {
          product_name: 'Motor Basic',
          product_type: 'Auto',
          insurer: 'Imported Insurance',
          customer_name: 'Holder of MOT-RENEW',
          customer_email: 'mot-renew@customers.example',
          customer_phone: '+234 1 000',
          customer_address: '1 Marina, Lagos',
          policy_status: 'active',
          policy_id,
          renewable: true,
        },
        renewal_date: '2027-03-16',
      },
    });
    const read = await service.send('GET', `/api/v1/policies/${policy_id}`, { key: acme.live.key });
    expect(read.json).toMatchObject({
      effective_from: '2027-01-01',
      effective_through: '2027-03-15',
      premium: '73.00',
    });

    const cancellation = await service.send('POST', `/api/v1/policies/cancel?policy_number=MOT-RENEW`, {
      key: acme.live.key,
      body: { policy_id, cancellation_reason: 'sold the car' },
    });
    expectShape(cancellation, routeOf(service, 'POST', '/api/v1/policies/cancel'));
    expect(cancellation.json).toEqual({
      cancellation_status: 'success',
      message: 'Policy cancellation successful',
      data: {
        policy_id,
        policy_number: 'MOT-RENEW',
        policy_status: 'cancelled',
        cancellation_date: '2026-03-10T09:30:00.000Z',
        cancellation_reason: 'sold the car',
        cancellation_initiator: 'Acme',
      },
    });
    const after = await service.send('GET', `/api/v1/policies/${policy_id}`, { key: acme.live.key });
    expect(after.json).toMatchObject({
      status: 'cancelled',
      cancellation_initiator: 'Acme',
      cancellation_reason: 'sold the car',
      cancellation_date: '2026-03-10T09:30:00.000Z',
    });
  });

  test.each([
    ['in the query alone', (id: string) => ({ search: `?policy_id=${id}`, body: {} })],
    [
      'twice the same, in another case',
      (id: string) => ({ search: `?policy_id=${id.toUpperCase()}`, body: { policy_id: id } }),
    ],
  ] as const)('given the policy named %s, when cancelled, then it is that policy', async (how, request) => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(`MOT-${how.length}`));
    const { search, body } = request(policy_id);
    const answer = await service.send('POST', `/api/v1/policies/cancel${search}`, {
      key: acme.live.key,
      body: { ...body, cancellation_reason: 'moved' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json.data.policy_id).toBe(policy_id);
  });

  test('given two policies named, when cancelled, then 400 names the field and nothing happens', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-TWO'));
    const before = (await service.log()).length;
    for (const [search, body, field] of [
      [`?policy_id=${acme.live.policyId}`, { policy_id }, 'policy_id'],
      ['?policy_number=MOT-1', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-NOBODY', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-1', { policy_number: 'MOT-TWO' }, 'policy_number'],
    ] as const) {
      const answer = await service.send('POST', `/api/v1/policies/cancel${search}`, {
        key: acme.live.key,
        body: { ...body, cancellation_reason: 'moved' },
      });
      expect(answer.status).toBe(400);
      expect(answer.json.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    expect(await service.log()).toHaveLength(before);
  });
});

describe('back office', () => {
  test('given the commands, when listed, then each has its JSON Schema, with the environment where it needs one', async () => {
    const answer = await service.send('GET', '/api/v1/admin/commands', { key: ADMIN_KEY });
    expectShape(answer, routeOf(service, 'GET', '/api/v1/admin/commands'));
    const byName = new Map(answer.json.commands.map((command: { name: string }) => [command.name, command]));
    expect(byName.get('RenewPolicy')).toMatchObject({
      creates: false,
      path: '/api/v1/admin/commands/RenewPolicy',
      body: { type: 'object', properties: { environment_id: { type: 'integer' } } },
    });
    expect(byName.get('RegisterMerchant')).toMatchObject({
      creates: true,
      body: { required: ['name', 'business_email'] },
    });
  });

  test('given a command, when run, then the answer tells stream, revision, position and events', async () => {
    const answer = await service.send('POST', '/api/v1/admin/commands/ConfirmKyc', {
      key: ADMIN_KEY,
      body: { short_code: acme.shortCode },
    });
    expect(answer.status).toBe(200);
    expect(
      routeOf(service, 'POST', '/api/v1/admin/commands/:command').reference.answer.safeParse(answer.json).success,
    ).toBe(true);
    expect(answer.json).toEqual({
      command: 'ConfirmKyc',
      stream: `merchant-${acme.tenantId}`,
      revision: 2,
      position: answer.headers.get('surety-position'),
      events: [{ id: expect.any(String), type: 'MerchantKycConfirmed.v1' }],
      result: expect.any(Object),
    });
  });

  test('given an environment nobody made, when a command names it, then 400 names environment_id', async () => {
    for (const environment_id of [99, undefined, 'live', 0, 1.5]) {
      const answer = await service.send('POST', '/api/v1/admin/commands/CancelPolicy', {
        key: ADMIN_KEY,
        body: { policy_id: acme.live.policyId, cancellation_reason: 'x', environment_id },
      });
      expect(answer.status).toBe(400);
      expect(answer.json.errors).toMatchObject([{ field: 'environment_id' }]);
    }
  });

  test('given no parked document, when listed, then the list is empty', async () => {
    const answer = await service.send('GET', '/api/v1/admin/parked', { key: ADMIN_KEY });
    expectShape(answer, routeOf(service, 'GET', '/api/v1/admin/parked'));
    expect(answer.json).toEqual({ count: 0, next: null, previous: null, results: [] });
  });
});
