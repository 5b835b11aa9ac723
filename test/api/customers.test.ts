import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

const get = async (path: string, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

const patch = async (id: string, body: object, headers = {}, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('PATCH', `/api/v1/customers/${id}/`, { key, body, headers });

/** Imports a policy of the customer with this e-mail. Returns the id of the policy. */
async function importPolicy(number: string, email: string, changes: object = {}): Promise<string> {
  const row = termRow(number, { customer_email: email, ...changes });
  return (await importTerm(service, acme.live.environmentId, row)).policy_id;
}

async function customerOf(policyId: string): Promise<string> {
  return (await get(`policies/${policyId}`)).json.policy_holder.customer_id;
}

async function importPaidClaim(number: number, policy_number: string): Promise<void> {
  await service.admin('ImportClaim', {
    environment_id: acme.live.environmentId,
    claim_reference_number: `FLEET-CLAIM-${number}`,
    policy_number,
    claim_type: 'Glass',
    incident_date: '2026-02-01',
    filed_on: '2026-02-02',
    claim_amount: '10.00',
    claim_status: 'paid',
  });
}

describe('PATCH of a customer', () => {
  let id: string;
  beforeAll(async () => {
    id = await customerOf(await importPolicy('MOT-PATCH', 'patch@customers.example'));
  });

  test('answers with the customer, as the next read does', async () => {
    const response = await patch(id, { full_name: 'Ada Okafor', customer_phone: '+234 801', date_of_birth: null });
    expect(response.status).toBe(200);
    expectDocumentedBody(response, getRoute(service, 'PATCH', '/api/v1/customers/:id'));
    expect(response.json).toMatchObject({
      full_name: 'Ada Okafor',
      customer_phone: '+234 801',
      date_of_birth: null,
      customer_email: 'patch@customers.example',
      purchased_policies_count: 1,
    });
    expect((await get(`customers/${id}`)).text).toBe(response.text);
    const [policy] = response.json.purchased_policies;
    expect((await get(`policies/${policy.policy_id}`)).json.policy_holder.customer_name).toBe('Holder of MOT-PATCH');
  });
});

describe('A customer of 230 policies', () => {
  const EMAIL = 'fleet@customers.example';
  const POLICIES = 230;
  const numberOf = (index: number) => `FLEET-${String(index).padStart(3, '0')}`;
  let id: string;
  const ids: string[] = [];

  beforeAll(async () => {
    const start = Date.parse(service.clock.now);
    for (let index = 0; index < POLICIES; index++) {
      service.clock.now = new Date(start + index).toISOString();
      // Every third one is over, and every fifth one is covered again after a gap.
      const dates =
        index % 3 === 0
          ? { term_from: '2025-01-01', term_through: '2025-12-31' }
          : { term_from: '2026-01-01', term_through: '2026-12-31' };
      ids.push(await importPolicy(numberOf(index), EMAIL, dates));
      if (index % 15 === 0)
        await importPolicy(numberOf(index), EMAIL, { term_from: '2026-03-20', term_through: '2026-12-31' });
    }
    id = await customerOf(ids[0] ?? '');
    for (let index = 0; index < 120; index++) {
      const policy_number = numberOf(1 + (index % 2));
      if (index % 12 === 0) await importPaidClaim(index, policy_number);
      else {
        const claim_details = { claim_type: 'Glass', incident_date: '2026-02-01', claim_amount: '10.00' };
        const body = { policy_number, claim_details };
        expect((await service.send('POST', '/api/v1/claims', { key: acme.live.key, body })).status).toBe(201);
      }
    }
  }, 120_000);

  const idsOf = (items: readonly { readonly policy_id: string }[]) => items.map(({ policy_id }) => policy_id);

  test('shows the newest 100 and the number of all', async () => {
    const { now } = service.clock;
    const { json } = await get(`customers/${id}`);
    expect(json).toMatchObject({ purchased_policies_count: 230, active_policies_count: 153, active_claims_count: 110 });
    expect(idsOf(json.purchased_policies)).toEqual(ids.slice(-100));
    expect(idsOf(json.active_policies)).toEqual(ids.filter((_, index) => index % 3 !== 0).slice(-100));
    expect(json.active_claims).toHaveLength(100);
    expect(json.active_claims.every(({ claim_status }: { claim_status: string }) => claim_status === 'pending')).toBe(
      true,
    );
    service.clock.now = '2026-03-25T09:30:00.000Z';
    const later = (await get(`customers/${id}`)).json;
    expect(later.active_policies_count).toBe(153 + 16);
    expect(idsOf(later.active_policies)).toEqual(
      ids.filter((_, index) => index % 3 !== 0 || index % 15 === 0).slice(-100),
    );
    service.clock.now = '2027-01-01T00:00:00.000Z';
    expect((await get(`customers/${id}`)).json).toMatchObject({ active_policies: [], active_policies_count: 0 });
    service.clock.now = '2026-03-25T09:30:00.000Z';
    await service.send('POST', '/api/v1/policies/cancel', {
      key: acme.live.key,
      body: { policy_id: ids[1], cancellation_reason: 'sold' },
    });
    expect((await get(`customers/${id}`)).json.active_policies_count).toBe(153 + 15);
    const then = await get(`customers/${id}?known_at=${now}`);
    expect(then.json).toEqual(json);
  });

  test('has lists that page through all', async () => {
    const { links } = (await get(`customers/${id}`)).json;
    const page = await service.send('GET', `${links.policies}?limit=100&offset=200`, { key: acme.live.key });
    expectDocumentedBody(page, getRoute(service, 'GET', '/api/v1/customers/:id/policies'));
    expect([page.json.count, idsOf(page.json.results)]).toEqual([230, ids.slice(200)]);
    const claims = await service.send('GET', `${links.claims}?limit=100&offset=100`, { key: acme.live.key });
    expect([claims.json.count, claims.json.results[0].data.length]).toEqual([120, 20]);
    expect(claims.json.results[0].data).toContainEqual(expect.objectContaining({ date_resolved: null }));
    const transactions = await service.send('GET', `${links.transactions}?limit=1`, { key: acme.live.key });
    expect([transactions.status, transactions.json.results.length]).toEqual([200, 1]);
    const all = await service.send('GET', `${links.claims}?limit=100`, { key: acme.live.key });
    expect(all.json.results[0].data).toContainEqual(
      expect.objectContaining({ claim_status: 'paid', date_resolved: '2026-02-02' }),
    );
  });

  test('has a history in the order of the log, page by page', async () => {
    const path = `customers/${id}/history?limit=100`;
    const entries: { position: string; resource: string; stream: string; revision: number; changes: unknown[] }[] = [];
    for (let offset = 0; ; offset += 100) {
      const { json } = await get(`${path}&offset=${offset}`);
      entries.push(...json.results);
      if (json.next === null) {
        expect(json.count).toBe(entries.length);
        break;
      }
    }
    const wanted = (await service.log()).filter(
      ({ stream, metadata }) =>
        /^(customer|policy|claim)-/.test(stream) && (metadata as { customer?: string }).customer === id,
    );
    expect(entries.map(({ stream, revision, position }) => [stream, revision, BigInt(position)])).toEqual(
      wanted.map(({ stream, revision, position }) => [stream, revision, position]),
    );
    const own = (await get(`policies/${ids[1]}/history`)).json.results;
    const ofPolicy = entries.filter(({ resource }) => resource === `policies/${ids[1]}`);
    expect(ofPolicy.map(({ changes }) => changes)).toEqual(own.map(({ changes }: { changes: unknown }) => changes));
  });
});
