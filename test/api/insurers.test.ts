import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ZodObject } from 'zod';
import { COMMANDS } from '#commands/registry.ts';
import { rolesOf } from '#http/reference/openapi/operations.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { exampleBody, type ExampleIds } from '../support/example-bodies.ts';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import { documentedOperations, filledPath } from '../support/reference-examples.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const { environmentId } = acme.live;
const get = async (path: string, key: string): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

/** Creates an insurer with a policy and a claim of a customer of its own, and others of a customer of two insurers. */
async function createInsurer(name: string) {
  const { provider_id: providerId } = await service.admin('RegisterProvider', {
    name,
    support_email: 'a@b.example',
    support_phone: '1',
  });
  const { api_key: key } = await service.admin('IssueApiKey', {
    role: 'insurer',
    provider_id: providerId,
    label: name,
  });
  const term = async (number: string, changes: object) =>
    (await importTerm(service, environmentId, termRow(number, { provider_name: name, ...changes }))).policy_id;
  const shared = { customer_email: 'shared@customers.example', customer_name: 'Shared' };
  const [policyId, sharedPolicyId] = [await term(`${name}-1`, {}), await term(`${name}-2`, shared)];
  const claim = async (policy_id: string) =>
    (
      await service.send('POST', '/api/v1/claims', {
        key: acme.live.key,
        body: {
          policy_id,
          claim_details: { claim_type: 'Collision', incident_date: '2026-02-01', claim_amount: '100.00' },
          documents: [{ document_name: 'a', evidence_type: 'b', blob: 'YQ==' }],
        },
      })
    ).json;
  const own = await claim(policyId);
  const sharedClaim = await claim(sharedPolicyId);
  const { json: policy } = await get(`policies/${policyId}`, ADMIN_KEY);
  const product = await service.admin('AddProduct', {
    provider_id: providerId,
    name: `Product of ${name}`,
    description: 'x',
    product_type: 'Travel',
    base_premium: '10',
  });
  return {
    providerId: String(providerId),
    key: String(key),
    policyId,
    sharedPolicyId,
    policyNumber: String(policy.policy_number),
    customerId: String(own.claimant.customer_id),
    claimId: String(own.claim_id),
    reference: String(own.claim_reference_number),
    sharedClaimId: String(sharedClaim.claim_id),
    sharedCustomerId: String(sharedClaim.claimant.customer_id),
    productId: String(product.product_id),
  };
}
type Insurer = Awaited<ReturnType<typeof createInsurer>>;
const [alpha, omega] = [await createInsurer('Alpha'), await createInsurer('Omega')];
const unknown: Insurer = {
  ...Object.fromEntries(Object.keys(alpha).map((name) => [name, randomUUID()])),
  key: alpha.key,
} as Insurer;

const idsOf = ({ policyId, customerId, claimId, productId }: Insurer): Readonly<Record<string, string>> => ({
  'policies/': policyId,
  'customers/': customerId,
  'claims/': claimId,
  'products/': productId,
  'merchants/': acme.shortCode,
  'documents/': 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
});

/** The reads of insurers with ids in their path, as functions of the ids. */
const reads = [...documentedOperations(service).values()].filter(
  (one) => one.route.method === 'GET' && one.path.includes('{') && rolesOf(one)?.includes('insurer'),
);
const pathTo = (path: string, insurer: Insurer): string =>
  filledPath(
    path,
    Object.fromEntries(
      [...path.matchAll(/(\w+\/)\{(\w+)\}/g)].map(([, before = '', name = '']) => [name, idsOf(insurer)[before] ?? '']),
    ),
  );
const withoutRequest = ({ status, json }: ApiResponse) => ({ status, json: { ...json, request_id: undefined } });

describe('An insurer', () => {
  test.each(reads.map(({ id, path }) => [id, path]))(
    'reads its own by %s, and nothing of another insurer',
    async (_id, path) => {
      const read = async (insurer: Insurer, more = '') =>
        await service.send('GET', `${pathTo(path, insurer)}${more}`, { key: alpha.key });
      expect([200, 304]).toContain((await read(alpha)).status);
      if (path.includes('merchants')) return;
      for (const point of ['', '?as_of=2026-06-30', '?known_at=2026-03-10T09:30:00Z']) {
        const missing = await read(unknown, point);
        expect(withoutRequest(await read(omega, point))).toEqual(withoutRequest(missing));
        if (point === '') expect(missing.status).toBe(404);
      }
    },
  );

  test('finds its own by number and reference alone', async () => {
    expect((await get(`policies/${alpha.policyNumber}`, alpha.key)).json.policy_id).toBe(alpha.policyId);
    expect((await get(`policies/${omega.policyNumber}`, alpha.key)).json.code).toBe('policy_not_found');
    expect((await get(`claims/${alpha.reference}`, alpha.key)).json.claim_id).toBe(alpha.claimId);
    expect((await get(`claims/${omega.reference}`, alpha.key)).json.code).toBe('claim_not_found');
  });

  test('lists its own alone', async () => {
    const idsIn = async (path: string, name: string, key = alpha.key): Promise<readonly string[]> =>
      (await get(path, key)).json.results.flat().map((item: Record<string, string>) => item[name]);
    const policies = await get('policies/', alpha.key);
    expect(policies.json.count).toBe(2);
    expect((await idsIn('policies/', 'policy_id')).toSorted()).toEqual(
      [alpha.policyId, alpha.sharedPolicyId].toSorted(),
    );
    expect(await idsIn('policies/?test_mode=true', 'policy_id')).toEqual([]);
    expect((await idsIn('claims', 'claim_id')).toSorted()).toEqual([alpha.claimId, alpha.sharedClaimId].toSorted());
    expect(await idsIn(`claims?provider_id=${omega.providerId}`, 'claim_id')).toEqual([]);
    const products = await idsIn('products', 'id');
    expect(products).toContain(alpha.productId);
    for (const id of await idsIn('products', 'id', omega.key)) expect(products).not.toContain(id);
    expect(await idsIn(`products?provider_id=${omega.providerId}`, 'id')).toEqual([]);
    const { next } = (await get('claims?limit=1', alpha.key)).json;
    expect((await service.send('GET', new URL(next).pathname + new URL(next).search, { key: omega.key })).status).toBe(
      400,
    );
  });

  test('sees of a customer of several insurers its own part alone', async () => {
    expect(alpha.sharedCustomerId).toBe(omega.sharedCustomerId);
    for (const point of ['', '?as_of=2026-06-30']) {
      const { json, text } = await get(`customers/${alpha.sharedCustomerId}${point}`, alpha.key);
      expect(json).toMatchObject({ purchased_policies_count: 1, active_policies_count: 1, active_claims_count: 1 });
      for (const [shown, id] of [
        [json.purchased_policies[0].policy_id, alpha.sharedPolicyId],
        [json.active_policies[0].policy_id, alpha.sharedPolicyId],
        [json.active_claims[0].claim_id, alpha.sharedClaimId],
      ])
        expect(shown).toBe(id);
      expect(text).not.toContain(omega.sharedPolicyId);
    }
    for (const list of ['policies', 'claims']) {
      const { json, text } = await get(`customers/${alpha.sharedCustomerId}/${list}`, alpha.key);
      expect(json.count).toBe(1);
      expect(text).not.toContain(omega.sharedPolicyId);
    }
    expect((await get(`customers/${alpha.sharedCustomerId}/history/`, alpha.key)).status).toBe(403);
  });

  test('reads no private fields of a merchant', async () => {
    for (const path of ['merchants', `merchants/${acme.shortCode}`])
      for (const text of [acme.tenantId, 'office@acme.example', 'TIN-Acme'])
        expect((await get(path, alpha.key)).text).not.toContain(text);
  });

  const ofClaims = COMMANDS.filter(
    ({ roles, input }) =>
      (roles as readonly string[]).includes('insurer') && Object.hasOwn((input as ZodObject).shape, 'claim_id'),
  );
  test.each(ofClaims.map(({ name }) => [name]))('does not find the claims of another insurer by %s', async (name) => {
    const send = async (claimId: string) =>
      await service.send('POST', `/api/v1/admin/commands/${name}`, {
        key: alpha.key,
        body: exampleBody(name, {
          claimId,
          paymentId: randomUUID(),
          keyId: 'none',
          incidentDay: '2026-02-02',
        } as ExampleIds),
      });
    const before = (await service.log()).length;
    expect(withoutRequest(await send(omega.claimId))).toEqual(withoutRequest(await send(randomUUID())));
    expect((await send(omega.claimId)).json.code).toBe('claim_not_found');
    expect(await service.log()).toHaveLength(before);
  });

  test('works its own claims up to its authority, and repeats no command of another one', async () => {
    const { api_key: key } = await service.admin('IssueApiKey', {
      role: 'insurer',
      provider_id: alpha.providerId,
      label: 'junior',
      authority: { currency: 'NGN', approve_up_to: '80.00', pay_up_to: '50.00' },
    });
    const run = async (command: string, body: object, sender = String(key)) =>
      await service.send('POST', `/api/v1/admin/commands/${command}`, {
        key: sender,
        body: { claim_id: alpha.claimId, ...body },
        headers: { 'Idempotency-Key': `${command} ${JSON.stringify(body)}` },
      });
    for (const command of ['ReviewClaim', 'SendClaimForApproval']) expect((await run(command, {})).status).toBe(200);
    expect((await run('ReviewClaim', {}, omega.key)).json.code).toBe('claim_not_found');
    const tooMuch = await run('ApproveClaim', { approved_amount: '80.01' });
    expect([tooMuch.status, tooMuch.json.code, tooMuch.json.detail]).toEqual([
      403,
      'authority_exceeded',
      'The authority ends at 80.00 NGN for a claim',
    ]);
    expect((await run('ApproveClaim', { approved_amount: '80.00' })).status).toBe(200);
    expect((await run('PayClaim', { paid_amount: '30.00' })).status).toBe(200);
    expect((await run('PayClaim', { paid_amount: '20.01' })).json.code).toBe('authority_exceeded');
    expect((await run('PayClaim', { paid_amount: '20.00' })).status).toBe(200);
    expect((await run('PayClaim', {}, alpha.key)).status).toBe(200);
  });
});
