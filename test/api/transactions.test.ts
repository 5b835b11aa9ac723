import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';

let service: ApiService;
let acme: MerchantFixture;
/** A second policy of the customer of the fixture. */
let secondPolicy: string;

const renewal = { preferred_policy_start_date: '2027-01-01', policy_duration: 73 };

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
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
    const response = await read(ofPolicy(policyId));
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/policies/:policy_id/transactions'));
    const common = { transaction_id: expect.any(String), tax: null, commission: null, currency: 'NGN' };
    const first = { policy_id: policyId, claim_id: null, term: { from: '2026-01-01', through: '2026-12-31' } };
    const second = { policy_id: policyId, claim_id: null, term: { from: '2027-01-01', through: '2027-03-14' } };
    expect(response.json).toEqual({
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

  test.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=1&offset=2', 'kind=premium'])(
    'are refused with %s',
    async (search) => {
      const response = await read(`${ofPolicy(acme.live.policyId)}?${search}`);
      expect(response.json).toMatchObject({ status: 400, code: 'invalid_request' });
      expect(response.json.errors[0].field).toBe(search.split('=')[0]);
    },
  );
});

describe('The transactions of a customer', () => {
  test('are those of all policies in the order of the log', async () => {
    const { customerId, policyId } = acme.live;
    const response = await read(ofCustomer(customerId));
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/customers/:id/transactions'));
    const brief = response.json.results.map((each: Record<string, unknown>) => [
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
    expect(page.json).toMatchObject({ count: 6, results: response.json.results.slice(2, 4) });
  });

  test('have ids that are unique and the same as in the list of the policy', async () => {
    const ids = async (path: string): Promise<string[]> =>
      (await read(path)).json.results.map((each: { transaction_id: string }) => each.transaction_id);
    const all = await ids(ofCustomer(acme.live.customerId));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(await ids(ofPolicy(acme.live.policyId))));
  });
});
