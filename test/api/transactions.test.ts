import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';

const renewal = { preferred_policy_start_date: '2027-01-01', policy_duration: 73 };

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme', { premium: '365.00' });
const { policyId, claimId, key, environmentId } = acme.live;
await post(service, key, 'policies/renew', { policy_id: policyId, ...renewal });
const inEuros = { product_name: 'Motor in euros', currency: 'EUR' };
const second = { customer_email: 'mot-1@customers.example', premium: '730.00', ...inEuros };
const { policy_id: secondPolicy } = await importTerm(service, environmentId, termRow('MOT-2', second));
for (const command of ['ReviewClaim', 'SendClaimForApproval']) await service.admin(command, { claim_id: claimId });
await service.admin('ApproveClaim', { claim_id: claimId, approved_amount: '1000.00' });
await service.admin('PayClaim', { claim_id: claimId, paid_amount: '900.00' });
await post(service, key, 'policies/cancel', { policy_id: policyId, cancellation_reason: 'Sold the car' });

const ofCustomer = (id: string): string => `/api/v1/customers/${id}/transactions/`;

async function read(path: string, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('GET', path, { key });
}

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
});
