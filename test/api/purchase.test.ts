import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMerchant, type MerchantFixture, type EnvironmentFixture } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { CUSTOMER, givenQuote, type QuoteNames } from '../support/quotes.ts';

const PATH = '/api/v1/policies';
let service: ApiService;
let acme: MerchantFixture;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

async function quoteOf(
  environment: EnvironmentFixture,
  offered: object = {},
  request: object = {},
): Promise<QuoteNames> {
  const owner = {
    merchantId: acme.tenantId,
    environmentId: environment.environmentId,
    testMode: environment === acme.test,
  };
  return await givenQuote(service.eventStore, owner, offered, request);
}

async function buy(body: object, headers: Readonly<Record<string, string>> = {}, key = acme.live.key) {
  return await service.send('POST', PATH, { key, body, headers });
}

async function get(path: string, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/${path}`, { key });
}

async function activate(policy_id: string): Promise<ApiResponse> {
  const path = '/api/v1/admin/commands/ActivatePolicy';
  return await service.send('POST', path, { key: ADMIN_KEY, body: { policy_id } });
}

describe('A purchase', () => {
  test('returns the policy, and the next read shows the same', async () => {
    const { quote_code } = await quoteOf(acme.live);
    const response = await buy({ quote_code, beneficiaries: [{ beneficiary_name: 'Ben Obi' }], auto_renew: true });
    expectDocumentedBody(response, getRoute(service, 'POST', PATH));
    expect(response.json).toEqual({
      policy_id: expect.any(String),
      policy_number: expect.stringMatching(/^ANI-[0-9A-HJKMNP-TV-Z]{10}$/),
      effective_from: '2026-03-10',
      effective_through: '2027-03-09',
      premium: '365.00',
      policy_holder: {
        customer_id: expect.any(String),
        customer_name: 'Ada Obi',
        customer_email: CUSTOMER.email,
        customer_phone: null,
      },
      merchant: 'Acme',
      provider: { provider_id: expect.any(String), provider_name: 'An insurer', email: null },
      coverage: 'Collision',
      policy_type: 'Auto',
      renewable: true,
      renewal_date: '2027-03-10T00:00:00.000Z',
      inspection_required: false,
      cerfication_required: false,
      status: 'active',
      cancellation_initiator: null,
      cancellation_reason: null,
      cancellation_date: null,
      beneficiaries: [{ beneficiary_id: expect.any(String), beneficiary_name: 'Ben Obi' }],
    });
    const { policy_id, policy_holder } = response.json;
    expect((await get(`policies/${policy_id}`)).text).toBe(response.text);
    const customer = await get(`customers/${policy_holder.customer_id}`);
    expect(customer.json).toMatchObject({
      full_name: 'Ada Obi',
      active_policies: [{ policy_id, start_date: '2026-03-10', end_date: '2027-03-09', premium_amount: '365.00' }],
    });
    const list = await service.send('GET', `${PATH}?limit=100`, { key: ADMIN_KEY });
    expect(list.json.results).toContainEqual(response.json);
  });

  test('returns the policy to an administrator', async () => {
    const { purchase_id } = await quoteOf(acme.test);
    const body = { purchase_id, environment_id: acme.test.environmentId, policy_duration: 73 };
    const result = await service.admin('PurchasePolicy', body);
    expect(result).toMatchObject({ premium: '73.00', effective_through: '2026-05-21' });
    expect((await get(`policies/${result.policy_id}`, acme.test.key)).json).toEqual(result);
  });
});

describe('An accepted policy', () => {
  test('is not activated before its start; the error has the day', async () => {
    const { json } = await buy({ ...(await quoteOf(acme.live)), effective_from: '2026-03-20' });
    expect(json.status).toBe('accepted');
    const response = await activate(json.policy_id);
    expect([response.status, response.json.code]).toEqual([409, 'policy_not_begun']);
    expect(response.json.detail).toContain('2026-03-20');
    const customer = await get(`customers/${json.policy_holder.customer_id}`);
    expect(customer.json.active_policies).not.toContainEqual(expect.objectContaining({ policy_id: json.policy_id }));
    const cancelled = await service.send('POST', `${PATH}/cancel`, {
      key: acme.live.key,
      body: { policy_id: json.policy_id, cancellation_reason: 'x' },
    });
    expect([cancelled.status, cancelled.json.code]).toEqual([409, 'policy_not_active']);
  });

  test('is activated once by an administrator after inspection', async () => {
    const { json } = await buy({ ...(await quoteOf(acme.live, { inspectionRequired: true })) });
    expect(json).toMatchObject({ status: 'accepted', inspection_required: true });
    const response = await activate(json.policy_id);
    expect([response.status, response.json.result]).toEqual([200, {}]);
    expect(response.json.events).toMatchObject([{ type: 'PolicyActivated.v1' }]);
    expect((await get(`policies/${json.policy_id}`)).json.status).toBe('active');
    const again = await activate(json.policy_id);
    expect([again.status, again.json.code]).toEqual([409, 'policy_already_active']);
  });
});

describe('A refused purchase', () => {
  async function expectRefusal(body: object, status: number, code: string, fields?: readonly string[]) {
    const before = (await service.log()).length;
    const response = await buy(body, { 'Idempotency-Key': `refused-${before}-${JSON.stringify(body).length}` });
    expect([response.status, response.json.code]).toEqual([status, code]);
    expect(response.json.errors?.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(await service.log()).toHaveLength(before);
  }

  test('refuses missing, bought and expired quotes', async () => {
    await expectRefusal({ quote_code: 'Quo_00000_00000000' }, 404, 'quote_not_found');
    const purchased = await quoteOf(acme.live);
    await buy(purchased);
    await expectRefusal(purchased, 409, 'quote_already_purchased');
    const expired = await quoteOf(acme.live, {}, { expiresAt: '2026-03-10T09:00:00.000Z' });
    await expectRefusal(expired, 409, 'quote_expired');
  });

  test('reports every invalid field', async () => {
    const bare = await quoteOf(acme.live, { renewable: false }, { customer: null });
    const fields = ['customer_metadata', 'effective_from', 'auto_renew'];
    const wrong = { ...bare, auto_renew: true, effective_from: '2026-03-09' };
    await expectRefusal(wrong, 400, 'invalid_request', fields);
    const known = await quoteOf(acme.live);
    await expectRefusal({ ...known, customer_metadata: CUSTOMER }, 400, 'invalid_request', ['customer_metadata']);
    await expectRefusal({ ...known, policy_duration: 366 }, 400, 'invalid_request', ['policy_duration']);
    await expectRefusal({ ...known, quote_code: bare.quote_code }, 400, 'invalid_request', [
      'quote_code',
      'purchase_id',
    ]);
  });
});

describe('Twenty concurrent clients', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);

  test('of purchases of one quote with different keys one succeeds', async () => {
    const quote = await quoteOf(acme.live);
    const responses = await Promise.all(
      twenty.map(async (index) => await buy(quote, { 'Idempotency-Key': `race-${index}` })),
    );
    const codes = responses.map(({ status, json }) => `${status} ${json.code ?? ''}`).sort();
    expect(codes).toEqual(['201 ', ...Array(19).fill('409 quote_already_purchased')]);
    const purchases = (await service.log()).filter(({ data }) => (data as QuoteData).quoteCode === quote.quote_code);
    expect(purchases).toHaveLength(1);
  });
});

interface QuoteData {
  readonly quoteCode?: string;
}
