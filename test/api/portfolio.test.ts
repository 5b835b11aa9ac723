import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import type { RunPortfolio } from '#queries/portfolio/portfolio.ts';
import { post } from '../support/policy-with-history.ts';

const PATH = '/api/v1/audit/portfolio/';

const portfolio = async (search: string, key = auditor): Promise<ApiResponse> =>
  await service.send('GET', `${PATH}?${search}`, { key });

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme', { premium: '365.00', claim_amount: '1200.50' });
await createMerchant(service, 'Other', { premium: '365.00', claim_amount: '1200.50' });
const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
const { policyId, claimId, key, environmentId } = acme.live;
const inEuros = { product_name: 'Motor in euros', currency: 'EUR' };
const second = { customer_email: 'mot-1@customers.example', premium: '730.00', ...inEuros };
await importTerm(service, environmentId, termRow('MOT-2', second));
for (const command of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'PayClaim'])
  await service.admin(command, { claim_id: claimId });
service.clock.now = '2026-03-20T09:30:00.000Z';
await post(service, key, 'policies/cancel', { policy_id: policyId, cancellation_reason: 'Sold the car' });

describe('The portfolio', () => {
  /** Imported without tax and commission. */
  const untaxed = { tax: '0.00', commission: '0.00', commission_unearned: '0.00' };
  const row = {
    group: 'all',
    currency: 'NGN',
    policies_in_force: 1,
    premium_in_force: '365.00',
    premium_written: '730.00',
    premium_earned: '160.00',
    premium_unearned: '284.00',
    premium_returned: '286.00',
    customers: 1,
    claims_filed: 2,
    claims_paid: 1,
    amount_paid: '1200.50',
    claims_outstanding: '1200.50',
    ...untaxed,
  };
  const none = { claims_filed: 0, claims_paid: 0, amount_paid: '0.00', claims_outstanding: '0.00' };
  const euros = {
    group: 'all',
    currency: 'EUR',
    policies_in_force: 1,
    premium_in_force: '730.00',
    premium_written: '730.00',
    premium_earned: '162.00',
    premium_unearned: '568.00',
    premium_returned: '0.00',
    customers: 1,
    ...none,
    ...untaxed,
  };

  test('is one row for each currency, with the position of the log', async () => {
    const response = await portfolio('as_of=2026-03-22');
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/audit/portfolio'));
    const position = String(await service.eventStore.lastPosition());
    // MOT-1 of Acme is cancelled after 79 of 365 days; the claims are filed on 2026-03-10.
    const inNaira = { ...row, premium_earned: '160.00' };
    expect(response.json).toEqual({ as_of: '2026-03-22', known_at: null, position, results: [euros, inNaira] });
    expect((await portfolio('as_of=2026-03-22', ADMIN_KEY)).text).toBe(response.text);
  });

  test('has an entity tag', async () => {
    const first = await portfolio('as_of=2026-03-22');
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    const again = await service.send('GET', `${PATH}?as_of=2026-03-22`, { key: auditor, headers });
    expect(again.status).toBe(304);
  });

  test.each([
    ['as_of', ''],
    ['as_of', 'as_of=2026-02-30'],
    ['known_at', 'as_of=2026-03-22&known_at=2026-03-21T00:00:00Z'],
    ['group_by', 'as_of=2026-03-22&group_by=customer'],
    ['test_mode', 'as_of=2026-03-22&test_mode=1'],
  ])('names the parameter %s of %p', async (field, search) => {
    const response = await portfolio(search);
    expect(response.json).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field }] });
  });

  test('runs one at a time', async () => {
    const responses = await Promise.all(
      ['as_of=2026-03-22', 'as_of=2026-03-21'].map(async (search) => await portfolio(search)),
    );
    const refused = responses.find(({ status }) => status === 429);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429]);
    expect(refused?.json.code).toBe('portfolio_running');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('A portfolio ends when the client leaves', async () => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const runPortfolio: RunPortfolio = async (_request, signal) => {
    begun.resolve();
    await once(signal, 'abort');
    ended.resolve();
    throw signal.reason;
  };
  const waiting = await startApiService({ http: { runPortfolio } });
  const options = { headers: { 'X-API-Key': ADMIN_KEY } };
  const request = httpRequest(`${waiting.url}${PATH}?as_of=2026-03-22`, options).on('error', () => {});
  request.end();
  await begun.promise;
  request.destroy();
  await ended.promise;
  await waiting.stop();
});
