import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { policyWithPast, post } from '../support/api-past.ts';
import { makeMerchant, type MerchantScene } from '../support/api-scene.ts';
import { type ApiAnswer, type ApiService, startApiService } from '../support/api-service.ts';
import { expectShape, routeOf } from '../support/api-shape.ts';

let service: ApiService;
let acme: MerchantScene;
let beta: MerchantScene;
let auditorKey: string;

beforeAll(async () => {
  service = await startApiService();
  acme = await makeMerchant(service, 'Acme');
  beta = await makeMerchant(service, 'Beta');
  ({ api_key: auditorKey } = await service.admin('IssueApiKey', { role: 'auditor' }));
});

afterAll(async () => {
  await service.stop();
});

const get = async (path: string, key = acme.live.key): Promise<ApiAnswer> =>
  await service.send('GET', `/api/v1/${path}`, { key });

/** What Acme's live world has of a kind, by the name of its path. */
function nameOf(kind: string): string | undefined {
  const { policyId, claimId, customerId } = acme.live;
  const names: Record<string, string> = { policies: policyId, claims: claimId, customers: customerId };
  return names[kind] ?? acme.shortCode;
}

describe('what was known at a moment', () => {
  test('given a policy with a past, then each moment shows what was served then, with its tag', async () => {
    const { id, views } = await policyWithPast(service, acme.live, 'MOT-KNOWN', '2026-04-10');
    const path = `policies/${id}`;
    service.clock.now = '2026-04-13T08:00:00.000Z';
    for (const [days, view] of views.entries()) {
      const day = `2026-04-${10 + days}`;
      for (const moment of [`${day}T10:00:00Z`, `${day}T10:00:00.0Z`, `${day}t23:59:59.999z`]) {
        const then = await get(`${path}?known_at=${moment}`);
        expect([moment, then.status, then.text]).toEqual([moment, 200, view]);
        expect(then.headers.get('etag')).toBe(`"2-${days}"`);
        expect(then.headers.get('cache-control')).toBe('private, no-cache');
      }
    }
    expect((await get(`${path}?known_at=${service.clock.now}`)).text).toBe((await get(path)).text);
    const known = { key: acme.live.key, headers: { 'If-None-Match': '"2-1"' } };
    const again = await service.send('GET', `/api/v1/${path}?known_at=2026-04-11T10:00:00Z`, known);
    expect([again.status, again.text]).toEqual([304, '']);
    const before = await get(`${path}?known_at=2026-04-10T09:59:59.999Z`);
    expect([before.status, before.json.code]).toEqual([404, 'not_known_yet']);
  });

  test.each(['policies', 'claims', 'customers', 'merchants'])(
    'given %s, when the moment is wrong, in the future, or before everything, then it is said so',
    async (kind) => {
      const path = `${kind}/${nameOf(kind)}`;
      const wrong = ['', 'yesterday', '2026-03-10', '2026-02-30T00:00:00Z', '2026-03-10T09:30:00'];
      for (const moment of [...wrong, '2026-03-10T09:30:00%2B01:00', '2026-03-10T09:30:00.0000Z']) {
        const { status, json } = await get(`${path}?known_at=${moment}`);
        expect([moment, status, json.errors]).toMatchObject([moment, 400, [{ field: 'known_at' }]]);
        expect(json.detail).toContain('at most milliseconds');
      }
      const future = await get(`${path}?known_at=9999-12-31T23:59:59.999Z`);
      expect([future.status, future.json.errors]).toMatchObject([400, [{ field: 'known_at' }]]);
      const before = await get(`${path}?known_at=0001-01-01T00:00:00Z`);
      expect([before.status, before.json.code]).toEqual([404, 'not_known_yet']);
      const then = await get(`${path}?known_at=2026-03-10T09:30:00.000Z`);
      expectShape(
        then,
        routeOf(
          service,
          'GET',
          `/api/v1/${kind}/:${{ policies: 'policy_id', merchants: 'merchant_id' }[kind] ?? 'id'}`,
        ),
      );
    },
  );

  test('given what is another’s, then it is answered like what is not there, whatever the moment', async () => {
    for (const kind of ['policies', 'claims', 'customers']) {
      for (const moment of ['0001-01-01T00:00:00Z', '2026-03-10T09:30:00Z']) {
        const absent = await get(`${kind}/${randomUUID()}?known_at=${moment}`, beta.live.key);
        expect(absent.status).toBe(404);
        for (const key of [beta.live.key, acme.test.key]) {
          const foreign = await get(`${kind}/${nameOf(kind)}?known_at=${moment}`, key);
          expect({ ...foreign.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
        }
      }
    }
  });

  test('given a merchant, when another asks for its past, then private fields are null as they are now', async () => {
    const path = `merchants/${beta.shortCode}?known_at=2026-03-10T09:30:00Z`;
    const foreign = await get(path, acme.live.key);
    expect(foreign.json).toMatchObject({ name: 'Beta', support_email: null, address: null, business_email: null });
    expect((await get(path, beta.live.key)).json).toMatchObject({ address: 'Street of Beta', support_email: null });
    expect((await get(path, auditorKey)).json).toMatchObject({ address: 'Street of Beta', support_email: null });
  });

  test('given a customer, then its active policies are those of the moment’s day', async () => {
    const { customerId } = acme.live;
    const { now } = service.clock;
    service.clock.now = '2027-06-01T00:00:00.000Z';
    expect((await get(`customers/${customerId}`)).json.active_policies).toEqual([]);
    const then = await get(`customers/${customerId}?known_at=2026-12-31T23:59:59Z`);
    const after = await get(`customers/${customerId}?known_at=2027-01-01T00:00:00Z`);
    service.clock.now = now;
    expect(then.json.active_policies).toHaveLength(1);
    expect(after.json.active_policies).toEqual([]);
  });

  test('given a claim with documents, then its past has their contents', async () => {
    service.clock.now = '2027-07-01T00:00:00.000Z';
    const blob = Buffer.from('evidence').toString('base64');
    const { json: claim } = await post(service, acme.live.key, 'claims', {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01' },
      documents: [{ document_name: 'a.txt', evidence_type: 'letter', blob }],
    });
    service.clock.now = '2027-07-02T00:00:00.000Z';
    await service.admin('DenyClaim', { claim_id: claim.claim_id, reason: 'late' });
    const then = await get(`claims/${claim.claim_id}?known_at=2027-07-01T12:00:00Z`);
    expect(then.json).toEqual(claim);
    expect(then.headers.get('etag')).toBe('"1-0"');
  });
});
