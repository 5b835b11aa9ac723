import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/api-shape.ts';
import { createMerchant, importTerm, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';

let service: ApiService;
let acme: MerchantFixture;
let other: MerchantFixture;
/** A second policy of the customer of the fixture. */
let secondPolicy: string;

const renewal = { preferred_policy_start_date: '2027-01-01', policy_duration: 73 };

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  other = await createMerchant(service, 'Other');
  const { policyId, claimId, key, environmentId } = acme.live;
  await post(service, key, 'policies/renew', { policy_id: policyId, ...renewal });
  const second = { customer_email: 'mot-1@customers.example', premium: '730.00', currency: 'EUR' };
  ({ policy_id: secondPolicy } = await importTerm(service, environmentId, termRow('MOT-2', second)));
  for (const command of ['ReviewClaim', 'SendClaimForApproval']) await service.admin(command, { claim_id: claimId });
  await service.admin('ApproveClaim', { claim_id: claimId, approved_amount: '1000.00' });
  await service.admin('PayClaim', { claim_id: claimId, paid_amount: '900.00' });
  await post(service, key, 'policies/cancel', { policy_id: policyId, cancellation_reason: 'Sold the car' });
});

afterAll(async () => {
  await service.stop();
});

const ofPolicy = (id: string): string => `/api/v1/policies/${id}/transactions/`;
const ofCustomer = (id: string): string => `/api/v1/customers/${id}/transactions/`;

async function read(path: string, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('GET', path, { key });
}

describe('The transactions of a policy', () => {
  test('are premiums, claim payments and return premiums in the order of the log', async () => {
    const { policyId, claimId } = acme.live;
    const answer = await read(ofPolicy(policyId));
    expectDocumentedBody(answer, getRoute(service, 'GET', '/api/v1/policies/:policy_id/transactions'));
    const common = { transaction_id: expect.any(String), tax: null, commission: null, currency: 'NGN' };
    const first = { policy_id: policyId, claim_id: null, term: { from: '2026-01-01', through: '2026-12-31' } };
    const second = { policy_id: policyId, claim_id: null, term: { from: '2027-01-01', through: '2027-03-14' } };
    expect(answer.json).toEqual({
      count: 5,
      next: null,
      previous: null,
      results: [
        { ...common, kind: 'premium', amount: '365.00', date: '2026-01-01', ...first },
        { ...common, kind: 'premium', amount: '73.00', date: '2027-01-01', ...second },
        {
          ...{ ...common, kind: 'claim_payment', amount: '-900.00', date: '2026-03-10' },
          ...{ policy_id: policyId, claim_id: claimId, term: null },
        },
        // Cancelled on 2026-03-10, with 296 days left.
        { ...common, kind: 'return_premium', amount: '-296.00', date: '2026-03-10', ...first },
        { ...common, kind: 'return_premium', amount: '-73.00', date: '2027-01-01', ...second },
      ],
    });
  });

  test('are paged', async () => {
    const all = (await read(ofPolicy(acme.live.policyId))).json.results;
    const page = await read(`${ofPolicy(acme.live.policyId)}?limit=2&offset=1`);
    expect(page.json.results).toEqual(all.slice(1, 3));
    expect(page.json.next).toContain(`${ofPolicy(acme.live.policyId)}?limit=2&offset=3&after=`);
    expect((await read(`${ofPolicy(acme.live.policyId)}?offset=9`)).json).toMatchObject({ count: 5, results: [] });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=1&offset=2', 'kind=premium'])(
    'are refused with %s',
    async (search) => {
      const answer = await read(`${ofPolicy(acme.live.policyId)}?${search}`);
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(answer.json.errors[0].field).toBe(search.split('=')[0]);
    },
  );

  test('are hidden from other merchants, the other world and for unknown policies', async () => {
    const { policyId } = acme.live;
    for (const key of [other.live.key, acme.test.key]) {
      expect((await read(ofPolicy(policyId), key)).json).toMatchObject({ status: 404, code: 'policy_not_found' });
    }
    expect((await read(ofPolicy('9f0c7a52-5b0e-5f52-9c3a-5e1a7c1f2b64'))).status).toBe(404);
    expect((await read(ofPolicy('x'))).status).toBe(404);
    expect((await read(ofPolicy(policyId), ADMIN_KEY)).json.count).toBe(5);
    expect((await service.send('GET', ofPolicy(policyId))).status).toBe(401);
    const posted = await service.send('POST', ofPolicy(policyId), { key: acme.live.key, body: {} });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('The transactions of a customer', () => {
  test('are those of all policies in the order of the log', async () => {
    const { customerId, policyId } = acme.live;
    const answer = await read(ofCustomer(customerId));
    expectDocumentedBody(answer, getRoute(service, 'GET', '/api/v1/customers/:id/transactions'));
    const brief = answer.json.results.map((each: Record<string, unknown>) => [
      each.policy_id,
      each.amount,
      each.currency,
    ]);
    expect(brief).toEqual([
      [policyId, '365.00', 'NGN'],
      [policyId, '73.00', 'NGN'],
      [secondPolicy, '730.00', 'EUR'],
      [policyId, '-900.00', 'NGN'],
      [policyId, '-296.00', 'NGN'],
      [policyId, '-73.00', 'NGN'],
    ]);
    const page = await read(`${ofCustomer(customerId)}?limit=2&offset=2`);
    expect(page.json).toMatchObject({ count: 6, results: answer.json.results.slice(2, 4) });
  });

  test('are the same when they are walked by the links, forwards and backwards', async () => {
    const all = (await read(ofCustomer(acme.live.customerId))).json.results;
    const walked: unknown[] = [];
    let [next, last]: (string | null)[] = [`${ofCustomer(acme.live.customerId)}?limit=4`, null];
    while (next !== null && next !== undefined) {
      const page: ApiResponse = await read(next.replace(service.url, ''));
      walked.push(...page.json.results);
      [next, last] = [page.json.next, page.json.previous];
    }
    expect(walked).toEqual(all);
    expect((await read(String(last).replace(service.url, ''))).json.results).toEqual(all.slice(0, 4));
  });

  test('have ids that are unique and the same as in the list of the policy', async () => {
    const ids = async (path: string): Promise<string[]> =>
      (await read(path)).json.results.map((each: { transaction_id: string }) => each.transaction_id);
    const all = await ids(ofCustomer(acme.live.customerId));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(await ids(ofPolicy(acme.live.policyId))));
  });

  test('are hidden from other merchants and the other world', async () => {
    for (const key of [other.live.key, acme.test.key]) {
      const answer = await read(ofCustomer(acme.live.customerId), key);
      expect(answer.json).toMatchObject({ status: 404, code: 'customer_not_found' });
    }
    expect((await read(ofCustomer(acme.live.customerId), ADMIN_KEY)).json.count).toBe(6);
  });
});
