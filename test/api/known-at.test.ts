import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPolicyWithHistory, post } from '../support/policy-with-history.ts';
import { createMerchant, importTerm, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';

let service: ApiService;
let acme: MerchantFixture;
let beta: MerchantFixture;
let auditorKey: string;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  beta = await createMerchant(service, 'Beta');
  ({ api_key: auditorKey } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' }));
});

afterAll(async () => {
  await service.stop();
});

const get = async (path: string, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

/** Returns the id of Acme's live resource of a kind. */
function nameOf(kind: string): string | undefined {
  const { policyId, claimId, customerId } = acme.live;
  const names: Record<string, string> = { policies: policyId, claims: claimId, customers: customerId };
  return names[kind] ?? acme.shortCode;
}

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
        expect(past.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
        expect(past.headers.get('cache-control')).toBe('private, no-cache');
      }
    }
    expect((await get(`${path}?known_at=${service.clock.now}`)).text).toBe((await get(path)).text);
    const tag = (await get(`${path}?known_at=2026-04-11T10:00:00Z`)).headers.get('etag');
    const known = { key: acme.live.key, headers: { 'If-None-Match': tag ?? '' } };
    const again = await service.send('GET', `/api/v1/${path}?known_at=2026-04-11T10:00:00Z`, known);
    expect([again.status, again.text]).toEqual([304, '']);
    const before = await get(`${path}?known_at=2026-04-10T09:59:59.999Z`);
    expect([before.status, before.json.code]).toEqual([404, 'not_known_yet']);
  });

  test.each(['policies', 'claims', 'customers', 'merchants'])(
    'rejects an invalid instant, one in the future and one before the first event for %s',
    async (kind) => {
      const path = `${kind}/${nameOf(kind)}`;
      const wrong = [
        '',
        'yesterday',
        '2026-03-10',
        '2026-02-30T00:00:00Z',
        '2026-03-10T09:30:00',
        '0000-01-01T00:00:00Z',
      ];
      for (const instant of [...wrong, '2026-03-10T09:30:00%2B01:00', '2026-03-10T09:30:00.0000Z']) {
        const { status, json } = await get(`${path}?known_at=${instant}`);
        expect([instant, status, json.errors]).toMatchObject([instant, 400, [{ field: 'known_at' }]]);
        expect(json.detail).toContain('at most milliseconds');
      }
      const future = await get(`${path}?known_at=9999-12-31T23:59:59.999Z`);
      expect([future.status, future.json.errors]).toMatchObject([400, [{ field: 'known_at' }]]);
      const before = await get(`${path}?known_at=1000-01-01T00:00:00Z`);
      expect([before.status, before.json.code]).toEqual([404, 'not_known_yet']);
      const past = await get(`${path}?known_at=2026-03-10T09:30:00.000Z`);
      expectDocumentedBody(
        past,
        getRoute(
          service,
          'GET',
          `/api/v1/${kind}/:${{ policies: 'policy_id', merchants: 'short_code' }[kind] ?? 'id'}`,
        ),
      );
    },
  );

  test('accepts a recorded time that was served before the clock was set back, and nothing later', async () => {
    service.clock.now = '2026-05-01T12:00:05.000Z';
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-STEP'));
    const { recorded_at } = (await get(`policies/${policy_id}/history`)).json.results[0];
    expect(recorded_at).toBe(service.clock.now);
    const { customer_id } = (await get(`policies/${policy_id}`)).json.policy_holder;
    service.clock.now = '2026-05-01T12:00:00.000Z';
    await importTerm(service, acme.live.environmentId, termRow('MOT-AFTER-STEP'));
    const views = [
      [`policies/${policy_id}`, ''],
      [`customers/${customer_id}`, ''],
      [`merchants/${acme.shortCode}`, ''],
      ['audit/portfolio', '&as_of=2026-05-01'],
    ];
    for (const [path, more] of views) {
      const key = more === '' ? acme.live.key : ADMIN_KEY;
      expect([path, (await get(`${path}?known_at=${recorded_at}${more}`, key)).status]).toEqual([path, 200]);
      const later = await get(`${path}?known_at=2026-05-01T12:00:05.001Z${more}`, key);
      expect([path, later.status, later.json.errors?.[0].field]).toEqual([path, 400, 'known_at']);
    }
  });

  test('answers resources of other merchants like missing ones', async () => {
    for (const kind of ['policies', 'claims', 'customers']) {
      for (const instant of ['1000-01-01T00:00:00Z', '2026-03-10T09:30:00Z']) {
        const absent = await get(`${kind}/${randomUUID()}?known_at=${instant}`, beta.live.key);
        expect(absent.status).toBe(404);
        for (const key of [beta.live.key, acme.test.key]) {
          const foreign = await get(`${kind}/${nameOf(kind)}?known_at=${instant}`, key);
          expect({ ...foreign.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
        }
      }
    }
  });

  test('hides private fields of other merchants', async () => {
    const path = `merchants/${beta.shortCode}?known_at=2026-03-10T09:30:00Z`;
    const foreign = await get(path, acme.live.key);
    expect(foreign.json).toMatchObject({ name: 'Beta', support_email: null, address: null, business_email: null });
    expect((await get(path, beta.live.key)).json).toMatchObject({ address: 'Street of Beta', support_email: null });
    expect((await get(path, auditorKey)).json).toMatchObject({ address: 'Street of Beta', support_email: null });
  });

  test('shows the active policies of a customer on the day of the instant', async () => {
    const { customerId } = acme.live;
    const { now } = service.clock;
    service.clock.now = '2027-06-01T00:00:00.000Z';
    expect((await get(`customers/${customerId}`)).json.active_policies).toEqual([]);
    const past = await get(`customers/${customerId}?known_at=2026-12-31T23:59:59Z`);
    const after = await get(`customers/${customerId}?known_at=2027-01-01T00:00:00Z`);
    service.clock.now = now;
    expect(past.json.active_policies).toHaveLength(1);
    expect(after.json.active_policies).toEqual([]);
  });

  test('includes the contents of claim documents', async () => {
    service.clock.now = '2027-07-01T00:00:00.000Z';
    const blob = Buffer.from('evidence').toString('base64');
    const { json: claim } = await post(service, acme.live.key, 'claims', {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01' },
      documents: [{ document_name: 'a.txt', evidence_type: 'letter', blob }],
    });
    service.clock.now = '2027-07-02T00:00:00.000Z';
    await service.admin('DenyClaim', { claim_id: claim.claim_id, reason: 'late' });
    const past = await get(`claims/${claim.claim_id}?known_at=2027-07-01T12:00:00Z`);
    expect(past.json).toEqual(claim);
    expect(past.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  });
});
