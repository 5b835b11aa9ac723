import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { createPolicyWithHistory, post } from '../support/policy-with-history.ts';
import { givenQuote } from '../support/quotes.ts';
import { startSuiteService } from '../support/suite-service.ts';

const HASH_TAG = /^"[0-9a-f]{32}"$/;

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');

const get = async (path: string, key = acme.live.key, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key, headers });

async function statusAndCode(path: string): Promise<readonly unknown[]> {
  const { status, json } = await get(path);
  return [status, json.code];
}

const { policyId, claimId, customerId, key } = acme.live;
const RESOURCES = [
  `policies/${policyId}`,
  `policies/${policyId}/terms`,
  `claims/${claimId}`,
  `customers/${customerId}`,
  `merchants/${acme.shortCode}`,
];

describe('known_at', () => {
  test('returns what was served at that instant, with a hash as ETag', async () => {
    const { id, bodies } = await createPolicyWithHistory(service, acme.live, 'MOT-KNOWN', '2026-04-10');
    const path = `policies/${id}`;
    service.clock.now = '2026-04-13T08:00:00.000Z';
    for (const [index, view] of bodies.entries()) {
      const day = `2026-04-${10 + index}`;
      for (const instant of [`${day}T10:00:00Z`, `${day}T10:00:00.0Z`, `${day}t23:59:59.999z`]) {
        const past = await get(`${path}?known_at=${instant}`);
        expect([instant, past.status, past.text]).toEqual([instant, 200, view]);
        expect(past.headers.get('etag')).toMatch(HASH_TAG);
        expect(past.headers.get('cache-control')).toBe('private, no-cache');
      }
    }
    const tag = (await get(`${path}?known_at=2026-04-11T10:00:00Z`)).headers.get('etag');
    const again = await get(`${path}?known_at=2026-04-11T10:00:00Z`, key, { 'If-None-Match': tag ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(await statusAndCode(`${path}?known_at=2026-04-10T09:59:59.999Z`)).toEqual([404, 'not_known_yet']);
  });

  test('is an instant with a zone, not in the future, of every resource', async () => {
    for (const path of RESOURCES) {
      for (const instant of [
        '',
        '2026-03-10',
        '2026-02-30T00:00:00Z',
        '2026-03-10T09:30:00',
        '2026-03-10T09:30:00.0000Z',
      ]) {
        const { status, json } = await get(`${path}?known_at=${instant}`);
        expect([path, instant, status, json.errors]).toMatchObject([path, instant, 400, [{ field: 'known_at' }]]);
        expect(json.detail).toContain('at most milliseconds');
      }
      const future = await get(`${path}?known_at=9999-12-31T23:59:59.999Z`);
      expect([path, future.status, future.json.errors]).toMatchObject([path, 400, [{ field: 'known_at' }]]);
      expect(await statusAndCode(`${path}?known_at=1000-01-01T00:00:00Z`)).toEqual([404, 'not_known_yet']);
    }
  });

  test('accepts a recorded time that was served before the clock was set back, and nothing later', async () => {
    service.clock.now = '2026-05-01T12:00:05.000Z';
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-STEP'));
    const { recorded_at } = (await get(`policies/${policy_id}/history`)).json.results[0];
    expect(recorded_at).toBe(service.clock.now);
    const { customer_id } = (await get(`policies/${policy_id}`)).json.policy_holder;
    service.clock.now = '2026-05-01T12:00:00.000Z';
    await importTerm(service, acme.live.environmentId, termRow('MOT-AFTER-STEP'));
    for (const [path, more] of [
      [`policies/${policy_id}`, ''],
      [`customers/${customer_id}`, ''],
      [`merchants/${acme.shortCode}`, ''],
      ['audit/portfolio', '&as_of=2026-05-01'],
    ]) {
      const caller = more === '' ? key : ADMIN_KEY;
      expect([path, (await get(`${path}?known_at=${recorded_at}${more}`, caller)).status]).toEqual([path, 200]);
      const later = await get(`${path}?known_at=2026-05-01T12:00:05.001Z${more}`, caller);
      expect([path, later.status, later.json.errors?.[0].field]).toEqual([path, 400, 'known_at']);
    }
  });

  test('hides private fields of other merchants', async () => {
    const path = `merchants/${beta.shortCode}?known_at=2026-03-10T09:30:00Z`;
    expect((await get(path)).json).toMatchObject({ name: 'Beta', address: null, business_email: null });
    for (const caller of [beta.live.key, ADMIN_KEY])
      expect((await get(path, caller)).json).toMatchObject({ address: 'Street of Beta' });
  });

  test('includes the contents of claim documents', async () => {
    service.clock.now = '2026-07-01T00:00:00.000Z';
    const { json: claim } = await post(service, key, 'claims?include_blobs=true', {
      policy_id: policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01' },
      documents: [{ document_name: 'a.txt', evidence_type: 'letter', blob: 'YQ==' }],
    });
    service.clock.now = '2026-07-02T00:00:00.000Z';
    await service.admin('DenyClaim', { claim_id: claim.claim_id, reason: 'late' });
    for (const point of ['known_at=2026-07-01T12:00:00Z', 'as_of=2026-07-01']) {
      const past = await get(`claims/${claim.claim_id}?${point}`);
      expect(past.json).toEqual({ ...claim, allowed_moves: [] });
      expect(past.headers.get('etag')).toMatch(HASH_TAG);
    }
  });
});

describe('as_of', () => {
  test('shows a policy active from the day on which cover begins, before the activation is recorded', async () => {
    const owner = { merchantId: acme.tenantId, environmentId: acme.live.environmentId, testMode: false };
    const { quote_code } = await givenQuote(service.eventStore, owner, {}, { expiresAt: '9000-01-01T00:00:00.000Z' });
    const bought = await post(service, key, 'policies', { quote_code, effective_from: '2026-12-01' });
    const path = `policies/${bought.json.policy_id}`;
    expect((await get(path)).json.status).toBe('accepted');
    expect(await statusAndCode(`${path}?as_of=2026-11-30`)).toEqual([404, 'not_in_force_yet']);
    expect((await get(`${path}?as_of=2026-12-01`)).json.status).toBe('active');
  });

  test('has a hash as ETag, which If-Match never accepts', async () => {
    const path = `policies/${policyId}?as_of=2026-04-12`;
    const tag = (await get(path)).headers.get('etag') ?? '';
    expect(tag).toMatch(HASH_TAG);
    expect((await get(path, key, { 'If-None-Match': tag })).status).toBe(304);
    const body = { policy_id: policyId, cancellation_reason: 'Sold' };
    const refused = await service.send('POST', '/api/v1/policies/cancel', { key, body, headers: { 'If-Match': tag } });
    expect([refused.status, refused.json.code]).toEqual([412, 'precondition_failed']);
  });

  test('is a day of the calendar, which may lie in the future, of every resource', async () => {
    for (const path of RESOURCES) {
      for (const day of ['', '0999-12-31', '2026-02-30', '2026-02-03T00:00:00Z', '2026-06-30&as_of=2026-06-30']) {
        const { status, json } = await get(`${path}?as_of=${day}`);
        expect([path, day, status, json.errors]).toMatchObject([path, day, 400, [{ field: 'as_of' }]]);
      }
      const [first, last] = ['as_of=1000-01-01', 'as_of=9999-12-31'];
      expect(await statusAndCode(`${path}?${first}`)).toEqual([404, 'not_in_force_yet']);
      expect(await statusAndCode(`${path}?${first}&known_at=1000-01-01T00:00:00Z`)).toEqual([404, 'not_known_yet']);
      expect(await statusAndCode(`${path}?${last}`)).toEqual([200, undefined]);
    }
  });
});
