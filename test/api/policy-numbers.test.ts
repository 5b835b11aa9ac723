import { describe, expect, test } from '@jest/globals';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');

/** Returns the body as it is under the other path, which the links of a list contain. */
function listed(text: string, from: string, to: string): unknown {
  return JSON.parse(text.replaceAll(`/policies/${from}/`, `/policies/${to}/`));
}

describe('A policy number in a path, the same of several merchants', () => {
  test.each(['', '/terms', '/transactions', '/claims', '/history'])(
    'reads the policy of the merchant; a platform key needs the environment: %p',
    async (below) => {
      const read = async (policy: string, key: string, search = ''): Promise<ApiResponse> =>
        await service.send('GET', `/api/v1/policies/${policy}${below}${search}`, { key });
      for (const { key, policyId, environmentId } of [acme.live, acme.test, beta.live, beta.test]) {
        const { status, text } = await read(policyId, key);
        const byNumber = await read('mot-1', key);
        expect([byNumber.status, byNumber.json]).toEqual([status, listed(text, policyId, 'mot-1')]);
        expect((await read('MOT-1', ADMIN_KEY, `?environment_id=${environmentId}`)).status).toBe(200);
      }
      const ambiguous = await read('MOT-1', ADMIN_KEY);
      expect([ambiguous.status, ambiguous.json.code]).toEqual([409, 'reference_ambiguous']);
      expect(ambiguous.json.candidates).toEqual(
        [acme, beta].flatMap(({ shortCode, live, test: sandbox }, index) =>
          [live, sandbox].map(({ environmentId }) => ({
            environment_id: environmentId,
            environment_name: environmentId === live.environmentId ? 'Production' : 'Sandbox',
            test_mode: environmentId !== live.environmentId,
            merchant_short_code: shortCode,
            merchant_name: ['Acme', 'Beta'][index],
          })),
        ),
      );
      for (const response of [
        await read('MOT-1', ADMIN_KEY, '?environment_id=4711'),
        await read('MOT-1', acme.live.key, `?environment_id=${beta.live.environmentId}`),
        await read(acme.live.policyId, ADMIN_KEY, `?environment_id=${beta.live.environmentId}`),
        await read('MOT-2', acme.live.key),
      ])
        expect([response.status, response.json.code]).toEqual([404, 'policy_not_found']);
    },
  );

  test('is looked up after an id', async () => {
    const number = acme.live.policyId;
    const { environmentId, key, policyId } = beta.live;
    const { policy_id: sameNumber } = await importTerm(service, environmentId, termRow(number));
    const { policy_id: ownId } = await importTerm(service, environmentId, termRow(policyId));
    const read = async (caller: string, policy: string): Promise<string> =>
      (await service.send('GET', `/api/v1/policies/${policy}`, { key: caller })).json.policy_id;
    expect(await read(key, number)).toBe(sameNumber);
    expect(await read(ADMIN_KEY, number)).toBe(acme.live.policyId);
    expect(await read(acme.live.key, number.toUpperCase())).toBe(acme.live.policyId);
    expect(await read(key, policyId)).toBe(policyId);
    const switched = await service.send('POST', `/api/v1/policies/${policyId}/auto_renew`, {
      key,
      body: { auto_renew: true },
    });
    expect(switched.json).toMatchObject({ policy_id: policyId, policy_number: 'MOT-1' });
    expect(ownId).not.toBe(policyId);
  });

  test('switches the automatic renewal of the policy of the caller', async () => {
    const slashed = termRow('A/B 7', { customer_email: 'ab@customers.example' });
    await importTerm(service, acme.live.environmentId, slashed);
    const { policy_id } = await importTerm(service, beta.live.environmentId, slashed);
    const path = `/api/v1/policies/${encodeURIComponent('a/b 7')}/auto_renew`;
    const response = await service.send('POST', path, { key: beta.live.key, body: { auto_renew: true } });
    expect(response.json).toEqual({ policy_id, policy_number: 'A/B 7', auto_renew: true });
    const other = await service.send('POST', path, { key: beta.test.key, body: { auto_renew: true } });
    expect([other.status, other.json.code]).toEqual([404, 'policy_not_found']);
    const body = { policy_id: 'A/B 7', auto_renew: true };
    const platform = await service.send('POST', '/api/v1/admin/commands/SetAutoRenew', { key: ADMIN_KEY, body });
    expect([platform.status, platform.json.code]).toEqual([404, 'policy_not_found']);
  });
});

describe('A number that a path could not name', () => {
  const besideParameter = (path: string): string[] =>
    service.http.routes
      .map((route) => route.path)
      .filter((other) => other.startsWith(`${path}/`) && !other.startsWith(`${path}/:`))
      .map((other) => other.slice(path.length + 1).split('/')[0] ?? '');

  test('is refused at an import: the segments of other operations, and what clients remove from a URL', async () => {
    const { environmentId: environment_id } = acme.live;
    const refusedBy = async (command: string, body: object): Promise<string[]> => {
      const response = await service.send('POST', `/api/v1/admin/commands/${command}`, { key: ADMIN_KEY, body });
      expect([response.status, body]).toEqual([400, body]);
      return response.json.errors.map(({ field }: { field: string }) => field);
    };
    expect(besideParameter('/api/v1/policies')).toEqual(expect.arrayContaining(['renew', 'cancel']));
    for (const policy_number of [...besideParameter('/api/v1/policies'), 'RENEW', '.', '..'])
      expect(await refusedBy('ImportPolicyTerm', { ...termRow('x'), environment_id, policy_number })).toEqual([
        'policy_number',
      ]);
    const claim = {
      policy_number: 'MOT-1',
      claim_type: 'Theft',
      incident_date: '2026-02-01',
      filed_on: '2026-02-02',
      claim_amount: '10.00',
      claim_status: 'pending',
      environment_id,
    };
    for (const claim_reference_number of [...besideParameter('/api/v1/claims'), '.', '..'])
      expect(await refusedBy('ImportClaim', { ...claim, claim_reference_number })).toEqual(['claim_reference_number']);
  });
});
