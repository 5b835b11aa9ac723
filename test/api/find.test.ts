import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, type EnvironmentFixture, importTerm, termRow } from '../support/merchant-fixture.ts';
import { appendSamples, customerRegistered } from '../support/sample-events.ts';
import { startSuiteService } from '../support/suite-service.ts';

type Json = ApiResponse['json'];

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
const FOUND_BY_ADA = ['adaeze okonkwo', 'ọkọnkwọ  ADAEZE', 'okon', 'ada.o@', '0803 555 0102', 'crm-77'];
const policyOfAda = await term(acme.live, 'LAG-FXYSYCAQGH', {
  customer_name: 'Ọkọnkwọ, Adaeze',
  customer_email: 'ada.o@müller.example',
  customer_phone: '+234 (803) 555-0102',
  customer_reference: 'CRM-77',
});
const { api_key: auditor } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
const { api_key: handler } = await service.admin('IssueApiKey', { role: 'claims', label: 'claims' });
const alpha = await createInsurer('Alpha Ünion');
const omega = await createInsurer('Omega');

async function createInsurer(name: string) {
  const contact = { support_email: 'a@b.example', support_phone: '1' };
  const { provider_id: id } = await service.admin('RegisterProvider', { name, ...contact });
  const product = { description: 'x', product_type: 'Travel', base_premium: '10' };
  const { product_id: productId } = await service.admin('AddProduct', {
    ...product,
    provider_id: id,
    name: `Voyage of ${name}`,
  });
  const { api_key: key } = await service.admin('IssueApiKey', { role: 'insurer', provider_id: id, label: name });
  const policy = await term(acme.live, `${name.slice(0, 3)}-900`, { provider_name: name });
  return { id, productId, key, name, policy };
}

async function term({ environmentId }: EnvironmentFixture, number: string, changes: object): Promise<string> {
  return (await importTerm(service, environmentId, termRow(number, { ...changes }))).policy_id;
}

async function find(body: object, key = acme.live.key, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return await service.send('POST', '/api/v1/find', { key, body, headers });
}

/** Returns what is found, as kinds and ids. */
async function found(text: string, key = acme.live.key, more: object = {}): Promise<readonly string[]> {
  const response = await find({ text, ...more }, key);
  expect([text, response.status]).toEqual([text, 200]);
  expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/find'));
  return response.json.map(({ kind, id }: Json) => `${kind} ${id}`);
}

async function eventIdOf(stream: string): Promise<string> {
  return (await service.eventStore.readLast(stream))?.id ?? '';
}

async function customerOf(policyId: string): Promise<string> {
  const { json } = await service.send('GET', `/api/v1/policies/${policyId}`, { key: ADMIN_KEY });
  return json.policy_holder.customer_id;
}

const idsOf = ({ policyId, claimId, customerId }: EnvironmentFixture) => ({
  policy: `policy ${policyId}`,
  claim: `claim ${claimId}`,
  customer: `customer ${customerId}`,
});
const { policy, claim, customer } = idsOf(acme.live);
const merchant = `merchant ${acme.shortCode}`;

describe('A merchant finds its own', () => {
  test.each([
    ['a policy by its number', () => ' mot-1 ', policy],
    ['a policy by its id', () => acme.live.policyId.toUpperCase(), policy],
    ['a policy by an event of it', async () => await eventIdOf(`policy-${acme.live.policyId}`), policy],
    ['a policy by the beginning of its number', () => 'lag-fx', `policy ${policyOfAda}`],
    ['a policy by the end of its number', () => 'AQGH', `policy ${policyOfAda}`],
    ['a claim by its reference', () => acme.live.claimReference.toLowerCase(), claim],
    ['a claim by the beginning of its reference', () => acme.live.claimReference.slice(0, 8), claim],
    ['a claim by the end of its reference', () => acme.live.claimReference.slice(-6), claim],
    ['a claim by its id', () => acme.live.claimId, claim],
    ['a claim by an event of it', async () => await eventIdOf(`claim-${acme.live.claimId}`), claim],
    ['a customer by its reference', () => 'REF-MOT-1', customer],
    ['a customer by its e-mail address', () => 'Mot-1@custo\u00admers.example', customer],
    ['a customer by its id', () => acme.live.customerId, customer],
    ['a customer by an event of it', async () => await eventIdOf(`customer-${acme.live.customerId}`), customer],
    ['the merchant by its short code', () => acme.shortCode.toLowerCase(), merchant],
    ['the merchant by its name', () => 'acm', merchant],
    ['the merchant by an event of it', async () => await eventIdOf(`merchant-${acme.tenantId}`), merchant],
    ['an insurer by a word of its name', () => 'union', `insurer ${alpha.id}`],
    ['a product by words of its name', () => 'union voy', `product ${alpha.productId}`],
  ])('%s', async (_what, textOf, expected) => {
    const text = await textOf();
    expect((await found(text))[0]).toBe(expected);
    const ofMerchant = await found(text, acme.live.key, { short_code: acme.shortCode });
    expect(ofMerchant[0]).toBe(/^(insurer|product)/.test(expected) ? undefined : expected);
  });

  test.each(FOUND_BY_ADA)('a customer by %p', async (text) => {
    const id = await customerOf(policyOfAda);
    expect(await found(text)).toEqual([`customer ${id}`]);
    expect(await found(text, ADMIN_KEY)).toEqual([`customer ${id}`]);
    expect(await found(text, acme.test.key)).toEqual([]);
    expect(await found(text, beta.live.key)).toEqual([]);
    expect(await found(text, alpha.key)).toEqual([]);
  });

  test('with its title and what distinguishes it from others', async () => {
    const place = { merchant_short_code: acme.shortCode, environment_id: acme.live.environmentId, test_mode: false };
    const noPlace = { merchant_short_code: null, environment_id: null, test_mode: null };
    const insurer = { kind: 'insurer', id: alpha.id, number: null, title: alpha.name, subtitle: null, ...noPlace };
    const product = `Voyage of ${alpha.name}`;
    const reference = acme.live.claimReference;
    expect((await find({ text: 'MOT-1' })).json.slice(0, 2)).toEqual([
      {
        kind: 'policy',
        id: acme.live.policyId,
        number: 'MOT-1',
        title: 'MOT-1',
        subtitle: 'Holder of MOT-1 · Motor Basic · active',
        ...place,
      },
      {
        kind: 'customer',
        id: acme.live.customerId,
        number: 'ref-mot-1',
        title: 'Holder of MOT-1',
        subtitle: 'mot-1@customers.example · +234 1 000',
        ...place,
      },
    ]);
    expect((await find({ text: reference })).json).toMatchObject([
      { number: reference, title: reference, subtitle: 'Holder of MOT-1 · MOT-1 · pending', ...place },
    ]);
    expect((await find({ text: 'Acme' })).json).toMatchObject([
      {
        number: acme.shortCode,
        title: 'Acme',
        subtitle: acme.shortCode,
        ...noPlace,
        merchant_short_code: acme.shortCode,
      },
    ]);
    expect((await find({ text: 'ALPHA ünion' })).json).toEqual([
      insurer,
      { ...insurer, kind: 'product', id: alpha.productId, title: product, subtitle: 'Alpha Ünion · Travel' },
    ]);
  });

  test.each([
    ['an inner part of a number', () => 'XYSY'],
    ['an end of three characters', () => 'QGH'],
    ['a letter', () => 'h'],
    ['five digits of a phone', () => '50102'],
    ['a reference of another merchant', () => beta.live.claimReference],
    ['the name of another merchant', () => 'Beta'],
    ['an id of another merchant', () => beta.live.customerId],
    ['an id of its other mode', () => acme.test.policyId],
    ['an event of its other mode', async () => await eventIdOf(`claim-${acme.test.claimId}`)],
    ['an unknown id', () => randomUUID()],
    ['an unknown e-mail address', () => 'unknown@customers.example'],
    ['signs', () => '🙂'],
    ['characters that show nothing', () => '\u200b\u0301'],
    ['signs of patterns', () => '%_*.^$[\\'],
  ])('and nothing by %s', async (_what, textOf) => {
    const text = await textOf();
    expect(text).not.toBe('');
    expect(await found(text)).toEqual([]);
  });
});

describe('A platform key', () => {
  test.each([
    ['an administrator', ADMIN_KEY],
    ['an auditor', auditor],
    ['a claims handler', handler],
  ])('of %s finds those of all merchants, of one merchant, live or test', async (_role, key) => {
    const policies = async (more: object) =>
      (await found('MOT-1', key, more)).filter((one) => one.startsWith('policy'));
    expect(new Set(await policies({}))).toEqual(new Set([policy, idsOf(beta.live).policy]));
    expect(new Set(await policies({ test_mode: true }))).toEqual(
      new Set([idsOf(acme.test).policy, idsOf(beta.test).policy]),
    );
    const ofBeta = { short_code: beta.shortCode.toLowerCase() };
    expect(await policies(ofBeta)).toEqual([idsOf(beta.live).policy]);
    expect(await policies({ ...ofBeta, test_mode: true })).toEqual([idsOf(beta.test).policy]);
    expect(await found('BETÀ', key)).toEqual([`merchant ${beta.shortCode}`]);
    expect(await found(beta.test.customerId, key)).toEqual([]);
    expect(await found(beta.test.customerId, key, { test_mode: true })).toEqual([idsOf(beta.test).customer]);
    expect(await found(beta.live.claimId, key, { short_code: acme.shortCode })).toEqual([]);
  });
});

test('An insurer finds its policies, claims and products alone', async () => {
  for (const [own, other] of [
    [alpha, omega],
    [omega, alpha],
  ] as const) {
    const number = own.name.slice(0, 3);
    expect(await found(number, own.key)).toEqual([`policy ${own.policy}`, `product ${own.productId}`]);
    expect(await found('-900', own.key, { short_code: acme.shortCode })).toEqual([`policy ${own.policy}`]);
    expect(await found('-900', own.key, { short_code: beta.shortCode })).toEqual([]);
    expect(await found('-900', own.key, { test_mode: true })).toEqual([]);
    expect(await found('voyage', own.key)).toEqual([`product ${own.productId}`]);
    for (const text of [
      other.policy,
      other.productId,
      own.id,
      other.name,
      'Acme',
      await customerOf(own.policy),
      'Holder',
    ])
      expect(await found(text, own.key)).toEqual([]);
  }
  const policies = (await found('-900', ADMIN_KEY)).slice(0, 2);
  expect(new Set(policies)).toEqual(new Set([alpha, omega].map((one) => `policy ${one.policy}`)));
});

test('What was changed is found by what it is now', async () => {
  const policyId = await term(acme.live, 'CHANGED-1', {
    customer_name: 'Ngozi Before',
    customer_email: 'before@x.example',
  });
  const id = await customerOf(policyId);
  const body = { full_name: 'Ngozi After', customer_email: 'after@x.example', customer_phone: null };
  const changed = await service.send('PATCH', `/api/v1/customers/${id}`, { key: acme.live.key, body });
  expect(changed.status).toBe(200);
  for (const text of ['after', 'ngozi after', 'after@x.example', 'ngozi'])
    expect(await found(text)).toEqual([`customer ${id}`]);
  for (const text of ['before', 'ngozi before', 'before@x.example']) expect(await found(text)).toEqual([]);
  await service.admin('UpdateProduct', { product_id: omega.productId, name: 'Journey' });
  await service.admin('WithdrawProduct', { product_id: omega.productId });
  expect(await found('voyage')).toEqual([`product ${alpha.productId}`]);
  expect((await find({ text: 'journey' })).json).toMatchObject([{ subtitle: 'Omega · Travel · withdrawn' }]);
  await service.admin('WithdrawProvider', { provider_id: omega.id });
  expect(await found('omega')).toEqual([]);
  expect((await find({ text: 'omega' }, ADMIN_KEY)).json).toMatchObject([{ kind: 'insurer', subtitle: 'withdrawn' }]);
});

test('At most 20 are found, the best first', async () => {
  for (let number = 1; number <= 21; number += 1) {
    const row = termRow(`MANY-${number}`, { customer_email: `zz${number}@customers.example` });
    await importTerm(service, acme.live.environmentId, {
      ...row,
      customer_name: number === 21 ? 'Kemi' : `Kemi ${number}`,
    });
  }
  const kemi = await found('kemi');
  expect([kemi.length, new Set(kemi).size]).toEqual([20, 20]);
  const { json, headers } = await find({ text: 'KEMI' });
  expect([json[0].title, headers.get('surety-incomplete')]).toEqual(['Kemi', null]);
});

test('A text with more rows than 2,000 gets an incomplete search, and one with a rare word a complete search', async () => {
  const { environmentId } = beta.live;
  const owner = { merchantId: beta.tenantId, merchantShortCode: beta.shortCode, environmentId, testMode: false };
  const register = (number: number) => {
    const sample = customerRegistered(number);
    const named = {
      fullName: number === 2_001 ? 'Xi Commonest' : `Uncommon${number} Commonest`,
      email: `u${number}@x.example`,
      phone: null,
      reference: null,
    };
    return { ...sample, data: { ...sample.data, ...owner, ...named } };
  };
  const incomplete = async (text: string) => (await find({ text }, beta.live.key)).headers.get('surety-incomplete');
  const add = async (from: number, through: number) => {
    const numbers = Array.from({ length: through - from + 1 }, (_, at) => from + at);
    const position = await appendSamples(service.eventStore, ...numbers.map(register));
    await find({ text: 'x' }, beta.live.key, { 'Surety-Min-Position': String(position) });
  };
  await add(1, 2_000);
  expect([await incomplete('commonest'), await incomplete('uncommon1999 common')]).toEqual([null, null]);
  expect(await found('commonest uncommon1999', beta.live.key)).toHaveLength(1);
  await add(2_001, 2_001);
  expect([await incomplete('commonest'), await incomplete('uncommon1999 common')]).toEqual(['true', null]);
  expect(await found('commonest', beta.live.key)).toHaveLength(20);
  expect(await found('commonest xi', beta.live.key)).toHaveLength(1);
  expect(await incomplete('commonest xi')).toBeNull();
});

test('A search is incomplete also where it has read some of its 2,000 rows twice', async () => {
  const { tenantId: merchantId, shortCode: merchantShortCode, live } = await createMerchant(service, 'Gamma');
  const owner = { merchantId, merchantShortCode, environmentId: live.environmentId, testMode: false };
  // What is the whole text is read first, and again among what begins with it.
  const names = [...Array.from({ length: 1_979 }, () => 'Other Zulu'), ...Array.from({ length: 10 }, () => 'Zulu Q')];
  const samples = [...names, 'Zulu Z Quentin'].map((fullName, number) => {
    const sample = customerRegistered(5_000 + number);
    const named = { fullName, email: `g${number}@x.example`, phone: null, reference: null };
    return { ...sample, data: { ...sample.data, ...owner, ...named } };
  });
  const position = await appendSamples(service.eventStore, ...samples);
  const search = await find({ text: 'zulu q' }, live.key, { 'Surety-Min-Position': String(position) });
  expect([search.json.length, search.headers.get('surety-incomplete')]).toEqual([10, 'true']);
});

test('What is typed appends nothing, and stands in no log', async () => {
  const before = await service.eventStore.lastPosition();
  const text = 'secret-reference@customers.example';
  const key = { 'Idempotency-Key': 'the same' };
  expect((await find({ text }, acme.live.key, key)).text).toBe('[]');
  const again = await find({ text: acme.live.policyId }, acme.live.key, key);
  expect([again.json.length, again.headers.get('idempotent-replayed')]).toEqual([1, null]);
  expect([again.headers.get('cache-control'), again.headers.get('surety-position')]).toEqual(['no-store', null]);
  await find({ text }, ADMIN_KEY);
  expect(await service.eventStore.lastPosition()).toBe(before);
  expect(service.logged.join('\n')).toContain('/api/v1/find');
  expect(service.logged.join('\n')).not.toContain('secret-reference');
});

test.each([
  ['a blank text', { text: ' ' }, 'text'],
  ['a text that is too long', { text: 'x'.repeat(1_000) }, 'text'],
  ['no text', {}, 'text'],
  ['an unknown field', { text: 'MOT-1', kind: 'policy' }, 'kind'],
  ['the other mode', { text: 'MOT-1', test_mode: true }, 'test_mode'],
])('A search with %s is refused with the field', async (_what, body, field) => {
  const { status, json } = await find(body);
  expect([status, json.errors]).toMatchObject([400, [{ field }]]);
});

test('A search within another merchant is refused', async () => {
  for (const [short_code, key] of [
    [beta.shortCode, acme.live.key],
    ['NON-0000', ADMIN_KEY],
    ['NON-0000', alpha.key],
  ]) {
    const { status, json } = await find({ text: 'MOT-1', short_code }, key);
    expect([status, json.code]).toEqual([404, 'merchant_not_found']);
  }
});
