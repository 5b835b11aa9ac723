import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';
import { givenQuote } from '../support/quotes.ts';

const KINDS = ['policies', 'claims', 'customers', 'merchants'] as const;
const HASH_TAG = /^"[0-9a-f]{32}"$/;
let service: ApiService;
let acme: MerchantFixture;
let beta: MerchantFixture;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  beta = await createMerchant(service, 'Beta');
});

afterAll(async () => {
  await service.stop();
});

const get = async (path: string, key = acme.live.key, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key, headers });

/** Returns the path of Acme's live resource of a kind. */
function pathOf(kind: (typeof KINDS)[number]): string {
  const { policyId, claimId, customerId } = acme.live;
  return `${kind}/${{ policies: policyId, claims: claimId, customers: customerId, merchants: acme.shortCode }[kind]}`;
}

async function statusAndCode(path: string, key?: string): Promise<readonly unknown[]> {
  const { status, json } = await get(path, key);
  return [status, json.code];
}

describe('as_of on a policy', () => {
  test('is active from the day on which cover begins, before the activation is recorded', async () => {
    const owner = { merchantId: acme.tenantId, environmentId: acme.live.environmentId, testMode: false };
    const quote = await givenQuote(service.eventStore, owner);
    const bought = await post(service, acme.live.key, 'policies', {
      quote_code: quote.quote_code,
      effective_from: '2026-05-01',
    });
    const path = `policies/${bought.json.policy_id}`;
    expect((await get(path)).json.status).toBe('accepted');
    expect(await statusAndCode(`${path}?as_of=2026-04-30`)).toEqual([404, 'not_in_force_yet']);
    expect((await get(`${path}?as_of=2026-05-01`)).json.status).toBe('active');
  });

  test('shows the terms that have begun by the day, from what was known at the instant', async () => {
    service.clock.now = '2026-04-10T10:00:00.000Z';
    const row = (year: number) => termRow('MOT-ASOF', { term_from: `${year}-01-01`, term_through: `${year}-12-31` });
    const { policy_id } = await importTerm(service, acme.live.environmentId, row(2026));
    await importTerm(service, acme.live.environmentId, row(2025));
    service.clock.now = '2026-04-11T10:00:00.000Z';
    const renewal = { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: 30 };
    await post(service, acme.live.key, 'policies/renew', renewal);
    service.clock.now = '2026-04-12T10:00:00.000Z';
    const path = `policies/${policy_id}`;
    const viewOn = async (parameters: string) => {
      const { status, json } = await get(`${path}?${parameters}`);
      return status === 200 ? [json.status, json.effective_from, json.renewal_date.slice(0, 10)] : [status, json.code];
    };
    expect(await viewOn('as_of=2024-12-31')).toEqual([404, 'not_in_force_yet']);
    expect(await viewOn('as_of=2025-06-30')).toEqual(['active', '2025-01-01', '2026-01-01']);
    expect(await viewOn('as_of=2026-12-31')).toEqual(['active', '2026-01-01', '2027-01-01']);
    expect(await viewOn('as_of=2027-01-01')).toEqual(['active', '2027-01-01', '2027-01-31']);
    const [before, renewed] = ['2026-04-10T23:00:00Z', '2026-04-11T10:00:00Z'];
    expect(await viewOn(`as_of=2027-01-01&known_at=${before}`)).toEqual(['active', '2026-01-01', '2027-01-01']);
    expect(await viewOn(`as_of=2027-01-01&known_at=${renewed}`)).toEqual(['active', '2027-01-01', '2027-01-31']);
    expect(await viewOn(`as_of=2024-12-31&known_at=${renewed}`)).toEqual([404, 'not_in_force_yet']);
    expect(await viewOn('as_of=2026-06-30&known_at=2026-04-09T00:00:00Z')).toEqual([404, 'not_known_yet']);
    expect(await viewOn('as_of=2024-12-31&known_at=2026-04-09T00:00:00Z')).toEqual([404, 'not_known_yet']);
  });

  test('has a hash as ETag, which If-Match never accepts', async () => {
    const path = pathOf('policies');
    const { headers, text, json } = await get(`${path}?as_of=2026-04-12`);
    expect(text).toBe((await get(path)).text);
    expect(headers.get('etag')).toMatch(HASH_TAG);
    expect(headers.get('vary')).toBe('X-API-Key');
    const tag = headers.get('etag') ?? '';
    expect((await get(`${path}?as_of=2026-04-12`, acme.live.key, { 'If-None-Match': tag })).status).toBe(304);
    const body = { policy_id: json.policy_id, cancellation_reason: 'Sold' };
    const request = { key: acme.live.key, body, headers: { 'If-Match': tag } };
    const refused = await service.send('POST', '/api/v1/policies/cancel', request);
    expect([refused.status, refused.json.code]).toEqual([412, 'precondition_failed']);
  });
});

describe('as_of on a claim', () => {
  test('shows the moves of the day and of earlier ones, with documents and a hash as ETag', async () => {
    service.clock.now = '2026-05-01T10:00:00.000Z';
    const { json: claim } = await post(service, acme.live.key, 'claims', {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-04-30' },
      documents: [{ document_name: 'a.txt', evidence_type: 'letter', blob: 'YQ==' }],
    });
    service.clock.now = '2026-05-03T10:00:00.000Z';
    await service.admin('DenyClaim', { claim_id: claim.claim_id, reason: 'late' });
    const path = `claims/${claim.claim_id}`;
    expect(await statusAndCode(`${path}?as_of=2026-04-30`)).toEqual([404, 'not_in_force_yet']);
    const pending = await get(`${path}?as_of=2026-05-02`);
    expect(pending.json).toEqual(claim);
    expect(pending.headers.get('etag')).toMatch(HASH_TAG);
    const denied = await get(`${path}?as_of=2026-05-03`);
    expect(denied.json).toMatchObject({ claim_status: 'denied', documents: [{ blob: 'YQ==' }] });
    expect(denied.headers.get('etag')).not.toBe(pending.headers.get('etag'));
    const both = await get(`${path}?as_of=2026-05-03&known_at=2026-05-02T00:00:00Z`);
    expect([both.json, both.headers.get('etag')]).toEqual([claim, pending.headers.get('etag')]);
  });
});

describe('as_of on a customer', () => {
  test('shows policies and claims as their own views on the day, without those that are not in force yet', async () => {
    const imported = async (minute: number, number: string, from: string, through: string) => {
      service.clock.now = `2026-06-01T10:0${minute}:00.000Z`;
      const row = termRow(number, {
        customer_email: 'fleet@customers.example',
        term_from: from,
        term_through: through,
      });
      return (await importTerm(service, acme.live.environmentId, row)).policy_id;
    };
    const first = await imported(1, 'FLEET-1', '2025-06-01', '2026-06-15');
    const second = await imported(2, 'FLEET-2', '2026-01-01', '2026-12-31');
    const third = await imported(3, 'FLEET-3', '2026-07-01', '2027-06-30');
    service.clock.now = '2026-06-10T10:00:00.000Z';
    const { json: claim } = await post(service, acme.live.key, 'claims', {
      policy_id: second,
      claim_details: { claim_type: 'Glass', incident_date: '2026-06-09' },
    });
    const customer = claim.claimant.customer_id;
    await service.send('PATCH', `/api/v1/customers/${customer}/`, {
      key: acme.live.key,
      body: { address: '2 Marina, Lagos' },
    });
    const path = `customers/${customer}`;
    const viewOn = async (parameters: string) => {
      const response = await get(`${path}?${parameters}`);
      expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/customers/:id'));
      const { json } = response;
      const ids = (policies: readonly { readonly policy_id: string }[]) => policies.map(({ policy_id }) => policy_id);
      return {
        address: json.address,
        purchased: [json.purchased_policies_count, ...ids(json.purchased_policies)],
        active: [json.active_policies_count, ...ids(json.active_policies)],
        claims: json.active_claims_count,
      };
    };
    expect(await statusAndCode(`${path}?as_of=2026-05-31`)).toEqual([404, 'not_in_force_yet']);
    expect(await viewOn('as_of=2026-06-09')).toEqual({
      address: '1 Marina, Lagos',
      purchased: [2, first, second],
      active: [2, first, second],
      claims: 0,
    });
    expect(await viewOn('as_of=2026-06-16')).toEqual({
      address: '2 Marina, Lagos',
      purchased: [2, first, second],
      active: [1, second],
      claims: 1,
    });
    expect(await viewOn('as_of=2026-07-01')).toMatchObject({ purchased: [3, first, second, third], claims: 1 });
    expect(await viewOn('as_of=2026-07-01&known_at=2026-06-02T00:00:00Z')).toEqual({
      address: '1 Marina, Lagos',
      purchased: [3, first, second, third],
      active: [2, second, third],
      claims: 0,
    });
  });
});

describe('as_of on a merchant', () => {
  test('shows the changes of the day and of earlier ones, and private fields only to the merchant', async () => {
    service.clock.now = '2026-07-01T10:00:00.000Z';
    await service.admin('UpdateMerchant', { short_code: beta.shortCode, address: 'New street' });
    const path = `merchants/${beta.shortCode}`;
    expect(await statusAndCode(`${path}?as_of=2026-03-09`)).toEqual([404, 'not_in_force_yet']);
    const addressOn = async (parameters: string, key = beta.live.key) =>
      (await get(`${path}?${parameters}`, key)).json.address;
    expect(await addressOn('as_of=2026-06-30')).toBe('Street of Beta');
    expect(await addressOn('as_of=2026-07-01')).toBe('New street');
    expect(await addressOn('as_of=2026-07-01&known_at=2026-06-30T00:00:00Z')).toBe('Street of Beta');
    expect(await addressOn('as_of=2026-07-01', acme.live.key)).toBeNull();
  });
});

describe('as_of', () => {
  test.each(KINDS)('of %s is a day of the calendar, which may lie in the future', async (kind) => {
    const path = pathOf(kind);
    for (const day of [
      '',
      'yesterday',
      '0000-01-01',
      '0999-12-31',
      '2026-02-30',
      '2026-2-03',
      '20260203',
      '2026-02-03T00:00:00Z',
    ]) {
      const { status, json } = await get(`${path}?as_of=${day}`);
      expect([day, status, json.errors]).toMatchObject([day, 400, [{ field: 'as_of' }]]);
    }
    const twice = await get(`${path}?as_of=2026-06-30&as_of=2026-06-30`);
    expect([twice.status, twice.json.errors]).toMatchObject([400, [{ field: 'as_of' }]]);
    const future = await get(`${path}?as_of=2026-06-30&known_at=9999-12-31T23:59:59.999Z`);
    expect([future.status, future.json.errors]).toMatchObject([400, [{ field: 'known_at' }]]);
    expect(await statusAndCode(`${path}?as_of=1000-01-01`)).toEqual([404, 'not_in_force_yet']);
    expect(await statusAndCode(`${path}?as_of=1000-01-01&known_at=1000-01-01T00:00:00Z`)).toEqual([
      404,
      'not_known_yet',
    ]);
    const later = await get(`${path}?as_of=9999-12-31`);
    const parameter = { policies: 'policy_id', merchants: 'short_code', claims: 'id', customers: 'id' }[kind];
    expectDocumentedBody(later, getRoute(service, 'GET', `/api/v1/${kind}/:${parameter}`));
    expect(later.headers.get('etag')).toMatch(HASH_TAG);
  });

  test('answers resources of another merchant and of the other mode like missing ones', async () => {
    for (const kind of ['policies', 'claims', 'customers'] as const) {
      for (const day of ['1000-01-01', '2026-06-30']) {
        const absent = await get(`${kind}/${randomUUID()}?as_of=${day}`);
        expect(absent.status).toBe(404);
        for (const key of [beta.live.key, acme.test.key]) {
          const foreign = await get(`${pathOf(kind)}?as_of=${day}`, key);
          expect({ ...foreign.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
        }
      }
    }
  });
});
