import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importTerm, createMerchant, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';

let service: ApiService;
let acme: MerchantFixture;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

describe('Renewal and cancellation', () => {
  test('a renewal and a cancellation show in their responses and in the policy', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-RENEW'));
    const renewal = await service.send('POST', '/api/v1/policies/renew/', {
      key: acme.live.key,
      body: { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: 73 },
    });
    expectDocumentedBody(renewal, getRoute(service, 'POST', '/api/v1/policies/renew'));
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
        renewal_date: '2027-03-15',
      },
    });
    const read = await service.send('GET', `/api/v1/policies/${policy_id}`, { key: acme.live.key });
    expect(read.json).toMatchObject({
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '365.00',
      renewal_date: '2027-03-15T00:00:00.000Z',
    });

    const cancellation = await service.send('POST', `/api/v1/policies/cancel?policy_number=MOT-RENEW`, {
      key: acme.live.key,
      body: { policy_id, cancellation_reason: 'sold the car' },
    });
    expectDocumentedBody(cancellation, getRoute(service, 'POST', '/api/v1/policies/cancel'));
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
        // 365.00 × 296 days ÷ 365, and 73.00 of the upcoming term.
        refund_amount: '369.00',
        currency: 'NGN',
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
  ] as const)('cancels the policy named %s', async (how, request) => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(`MOT-${how.length}`));
    const { search, body } = request(policy_id);
    const response = await service.send('POST', `/api/v1/policies/cancel${search}`, {
      key: acme.live.key,
      body: { ...body, cancellation_reason: 'moved' },
    });
    expect(response.status).toBe(200);
    expect(response.json.data.policy_id).toBe(policy_id);
  });

  test('rejects a cancellation that names two policies', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-TWO'));
    const before = (await service.log()).length;
    for (const [search, body, field] of [
      [`?policy_id=${acme.live.policyId}`, { policy_id }, 'policy_id'],
      ['?policy_number=MOT-1', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-NOBODY', { policy_id }, 'policy_number'],
      ['?policy_number=MOT-1', { policy_number: 'MOT-TWO' }, 'policy_number'],
    ] as const) {
      const response = await service.send('POST', `/api/v1/policies/cancel${search}`, {
        key: acme.live.key,
        body: { ...body, cancellation_reason: 'moved' },
      });
      expect(response.status).toBe(400);
      expect(response.json.errors.map((error: { field: string }) => error.field)).toContain(field);
    }
    expect(await service.log()).toHaveLength(before);
  });
});

describe('Admin commands', () => {
  test('lists each command with its JSON Schema, with the environment where it needs one', async () => {
    const response = await service.send('GET', '/api/v1/admin/commands', { key: ADMIN_KEY });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/admin/commands'));
    const byName = new Map(response.json.commands.map((command: { name: string }) => [command.name, command]));
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

  test('the response has stream, revision, position and events', async () => {
    const response = await service.send('POST', '/api/v1/admin/commands/ConfirmKyc', {
      key: ADMIN_KEY,
      body: { short_code: acme.shortCode },
    });
    expect(response.status).toBe(200);
    expect(
      getRoute(service, 'POST', '/api/v1/admin/commands/:command').reference.response.safeParse(response.json).success,
    ).toBe(true);
    expect(response.json).toEqual({
      command: 'ConfirmKyc',
      stream: `merchant-${acme.tenantId}`,
      revision: 2,
      position: response.headers.get('surety-position'),
      events: [{ id: expect.any(String), type: 'MerchantKycConfirmed.v1' }],
      result: expect.any(Object),
    });
  });

  test('rejects an unknown environment_id', async () => {
    for (const environment_id of [99, undefined, 'live', 0, 1.5]) {
      const response = await service.send('POST', '/api/v1/admin/commands/CancelPolicy', {
        key: ADMIN_KEY,
        body: { policy_id: acme.live.policyId, cancellation_reason: 'x', environment_id },
      });
      expect(response.status).toBe(400);
      expect(response.json.errors).toMatchObject([{ field: 'environment_id' }]);
    }
  });

  test('the list of parked documents is empty without any', async () => {
    const response = await service.send('GET', '/api/v1/admin/parked', { key: ADMIN_KEY });
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/admin/parked'));
    expect(response.json).toEqual({ count: 0, next: null, previous: null, results: [] });
  });
});
