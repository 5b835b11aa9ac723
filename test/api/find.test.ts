import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import {
  createMerchant,
  type EnvironmentFixture,
  importClaim,
  importTerm,
  termRow,
} from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

type Json = ApiResponse['json'];

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
await importClaim(service, acme.live, 'OLD-7');
const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });

async function find(body: object, key = acme.live.key, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return await service.send('POST', '/api/v1/find', { key, body, headers });
}

async function eventIdOf(stream: string): Promise<string> {
  return (await service.eventStore.readLast(stream))?.id ?? '';
}

/** Returns the things of an environment as they are found. */
function thingsOf({ environmentId, policyId, claimId, claimReference, customerId }: EnvironmentFixture) {
  const shortCode = [acme, beta].find((one) =>
    [one.live, one.test].some((each) => each.policyId === policyId),
  )?.shortCode;
  const isTest = [acme, beta].some((one) => one.test.policyId === policyId);
  const place = { merchant_short_code: shortCode, environment_id: environmentId, test_mode: isTest };
  return {
    policy: { kind: 'policy', id: policyId, number: 'MOT-1', ...place },
    claim: { kind: 'claim', id: claimId, number: claimReference, ...place },
    customer: { kind: 'customer', id: customerId, number: 'ref-mot-1', ...place },
  };
}

const { policy, claim, customer } = thingsOf(acme.live);
const merchant = {
  kind: 'merchant',
  id: acme.shortCode,
  number: acme.shortCode,
  merchant_short_code: acme.shortCode,
  environment_id: null,
  test_mode: null,
};

describe('A merchant finds its own', () => {
  test.each([
    ['a policy by its number', () => ' mot-1 ', policy],
    ['a policy by its id', () => acme.live.policyId.toUpperCase(), policy],
    ['a policy by an event of it', async () => await eventIdOf(`policy-${acme.live.policyId}`), policy],
    ['a claim by its reference', () => acme.live.claimReference.toLowerCase(), claim],
    ['a claim by its id', () => acme.live.claimId, claim],
    ['a claim by an event of it', async () => await eventIdOf(`claim-${acme.live.claimId}`), claim],
    ['a customer by its reference', () => 'REF-MOT-1', customer],
    ['a customer by its e-mail address', () => 'Mot-1@Customers.example', customer],
    ['a customer by its e-mail address as it was written', () => ' mot-1@custo\u00admers.example', customer],
    ['a customer by its id', () => acme.live.customerId, customer],
    ['a customer by an event of it', async () => await eventIdOf(`customer-${acme.live.customerId}`), customer],
    ['the merchant by its short code', () => acme.shortCode.toLowerCase(), merchant],
    ['the merchant by an event of it', async () => await eventIdOf(`merchant-${acme.tenantId}`), merchant],
  ])('%s', async (_what, textOf, expected) => {
    const text = await textOf();
    const response = await find({ text });
    expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/find'));
    expect([response.status, response.json]).toEqual([200, [expected]]);
    expect((await find({ text, short_code: acme.shortCode })).json).toEqual([expected]);
    const path = { policy: 'policies', claim: 'claims', customer: 'customers', merchant: 'merchants' }[expected.kind];
    expect((await service.send('GET', `/api/v1/${path}/${expected.id}`, { key: acme.live.key })).status).toBe(200);
  });

  test.each([
    ['a part of a number', () => 'MOT'],
    ['a reference of another merchant', () => beta.live.claimReference],
    ['an unknown id', () => randomUUID()],
    ['an unknown e-mail address', () => 'nobody@customers.example'],
    [
      'an event of an insurer',
      async () => {
        const insurers = await service.send('GET', '/api/v1/insurers', { key: acme.live.key });
        return await eventIdOf(`provider-${insurers.json.results[0].id}`);
      },
    ],
  ])('and nothing by %s', async (_what, textOf) => {
    const text = await textOf();
    expect(text).not.toBe('');
    expect((await find({ text })).text).toBe('[]');
  });
});

describe('A platform key', () => {
  const all = [acme.live, acme.test, beta.live, beta.test].map((one) => thingsOf(one));

  test.each([
    ['an administrator', ADMIN_KEY],
    ['an auditor', auditor],
  ])('of %s finds policies and claims of all merchants and modes, or of one merchant', async (_role, key) => {
    const found = (await find({ text: 'MOT-1' }, key)).json;
    expect(new Set(found)).toEqual(new Set(all.map((one) => one.policy)));
    const ofBeta = (await find({ text: 'MOT-1', short_code: beta.shortCode.toLowerCase() }, key)).json;
    expect(new Set(ofBeta)).toEqual(new Set(all.slice(2).map((one) => one.policy)));
    expect((await find({ text: 'old-7' }, key)).json).toMatchObject([{ kind: 'claim', number: 'OLD-7' }]);
    expect((await find({ text: 'OLD-7', short_code: beta.shortCode }, key)).text).toBe('[]');
    expect((await find({ text: beta.test.customerId }, key)).json).toEqual([all[3]?.customer]);
    expect((await find({ text: acme.shortCode }, key)).json).toEqual([merchant]);
    expect((await find({ text: randomUUID() }, key)).text).toBe('[]');
  });

  test('finds customers by reference and e-mail address within a merchant alone', async () => {
    for (const text of ['ref-mot-1', 'mot-1@customers.example']) {
      const refused = await find({ text }, ADMIN_KEY);
      expect([refused.status, refused.json.errors]).toMatchObject([400, [{ field: 'short_code' }]]);
      const found = (await find({ text, short_code: acme.shortCode }, ADMIN_KEY)).json;
      expect(new Set(found)).toEqual(new Set(all.slice(0, 2).map((one) => one.customer)));
    }
    expect((await find({ text: 'unknown', short_code: acme.shortCode }, ADMIN_KEY)).text).toBe('[]');
    const unknown = await find({ text: 'MOT-1', short_code: 'NON-0000' }, ADMIN_KEY);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'merchant_not_found']);
  });
});

test('At most 20 are found', async () => {
  for (let number = 1; number <= 21; number += 1) {
    const row = termRow(`MANY-${number}`, { customer_email: 'many@customers.example' });
    await importTerm(service, acme.live.environmentId, {
      ...row,
      customer_reference: `many-${number}`,
      customer_name: `Holder ${number}`,
    });
  }
  const { json } = await find({ text: 'many@customers.example' });
  expect(json).toHaveLength(20);
  expect(new Set(json.map(({ kind, id }: Json) => `${kind} ${id}`)).size).toBe(20);
});

test('What is typed appends nothing, and stands in no log', async () => {
  const before = await service.eventStore.lastPosition();
  const text = 'secret-reference@customers.example';
  const key = { 'Idempotency-Key': 'the same' };
  expect((await find({ text }, acme.live.key, key)).text).toBe('[]');
  const again = await find({ text: 'MOT-1' }, acme.live.key, key);
  expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([[policy], null]);
  expect([again.headers.get('cache-control'), again.headers.get('surety-position')]).toEqual(['no-store', null]);
  await find({ text }, ADMIN_KEY);
  expect(await service.eventStore.lastPosition()).toBe(before);
  expect(service.logged.join('\n')).toContain('/api/v1/find');
  expect(service.logged.join('\n')).not.toContain('secret-reference');
});

test.each([
  ['a blank text', { text: ' ' }, 'text'],
  ['a text that is too long', { text: 'x'.repeat(256) }, 'text'],
  ['no text', {}, 'text'],
  ['an unknown field', { text: 'MOT-1', kind: 'policy' }, 'kind'],
])('A search with %s is refused with the field', async (_what, body, field) => {
  const { status, json } = await find(body);
  expect([status, json.errors]).toMatchObject([400, [{ field }]]);
});
