import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { createMerchant, type EnvironmentFixture } from '../support/merchant-fixture.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');

const get = async (key: string, path: string) => await service.send('GET', `/api/v1/${path}`, { key });

/** Returns what the import of this environment registered. */
async function importedBy({ key, policyId }: EnvironmentFixture) {
  const { provider_id: providerId } = (await get(key, `policies/${policyId}`)).json.provider;
  const products = (await get(key, `products?limit=100&provider_id=${providerId}`)).json.results[0];
  expect(products).toMatchObject([{ name: 'Motor Basic', provider: providerId, is_live: false }]);
  return { providerId: String(providerId), productId: String(products[0].id) };
}

describe('The provider and the product of an import', () => {
  test('are shown by every list, search and view to their merchant in their mode, and to the platform', async () => {
    const environments = [acme.live, acme.test, beta.live, beta.test];
    const made = await Promise.all(environments.map(importedBy));
    expect(new Set(made.map(({ providerId }) => providerId)).size).toBe(4);
    for (const [owner, { providerId, productId }] of made.entries()) {
      const shown = async (key: string, more = '') => [
        (await get(key, `insurers?limit=100${more}`)).text.includes(providerId),
        (await get(key, `providers/search?name=imported&limit=100${more}`)).text.includes(providerId),
        (await get(key, `products?limit=100${more}`)).text.includes(productId),
        (await get(key, `products?limit=100&provider_id=${providerId}${more}`)).text.includes(productId),
        (await get(key, `products/${productId}`)).status,
      ];
      for (const [reader, { key }] of environments.entries())
        expect(await shown(key)).toEqual(
          reader === owner ? [true, true, true, true, 200] : [false, false, false, false, 404],
        );
      expect(await shown(ADMIN_KEY, `&test_mode=${owner % 2 === 1}`)).toEqual([true, true, true, true, 200]);
    }
    const missing = await get(beta.live.key, 'products/6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');
    const hidden = await get(beta.live.key, `products/${made[0]?.productId}`);
    const { request_id: _, ...problem } = hidden.json;
    expect(missing.json).toMatchObject(problem);
  });
});

test('A list shows a merchant the products on sale, and if it asks all that a single view shows; the platform sees all', async () => {
  const registered = await service.admin('RegisterProvider', {
    name: 'Open Insurance',
    support_email: 'help@open.example',
    support_phone: '1',
  });
  const add = async (name: string, changes: object = {}) => {
    const fields = { name, description: name, product_type: 'Home', base_premium: '10', ...changes };
    return String((await service.admin('AddProduct', { provider_id: registered.provider_id, ...fields })).product_id);
  };
  const [sold, planned, withdrawn] = [
    await add('Sold'),
    await add('Planned', { is_live: false }),
    await add('Withdrawn'),
  ];
  await service.admin('WithdrawProduct', { product_id: withdrawn });
  const listed = async (key: string, search = ''): Promise<string[]> => {
    const { count, results } = (await get(key, `products?product_type=Home&limit=100${search}`)).json;
    const ids = results.flat().map(({ id }: { id: string }) => id);
    expect(count).toBe(ids.length);
    return ids.toSorted();
  };
  for (const { key } of [acme.live, acme.test, beta.live]) {
    expect(await listed(key)).toEqual([sold]);
    for (const id of [sold, planned, withdrawn]) expect((await get(key, `products/${id}`)).status).toBe(200);
  }
  const whole = [sold, planned, withdrawn].toSorted();
  const all = '&include_withdrawn=true';
  expect(await listed(ADMIN_KEY)).toEqual(whole);
  const own = await service.send('POST', '/api/v1/onboarding/providers/registration', {
    key: acme.live.key,
    body: { name: 'Own Insurance', support_email: 'help@own.example', support_phone: '1' },
  });
  const ofOwn = await add('Of own', { provider_id: own.json.provider_id });
  await service.admin('WithdrawProvider', { provider_id: registered.provider_id });
  await service.admin('WithdrawProvider', { provider_id: own.json.provider_id });
  for (const [{ key }, ids] of [
    [acme.live, [...whole, ofOwn]],
    [acme.test, whole],
    [beta.live, whole],
  ] as const) {
    expect(await listed(key)).toEqual([]);
    expect(new Set(await listed(key, all))).toEqual(new Set(ids));
    expect(await listed(key, `${all}&provider_id=${registered.provider_id}`)).toEqual(whole);
    const hasOwn = key === acme.live.key;
    expect(await listed(key, `${all}&provider_id=${own.json.provider_id}`)).toEqual(hasOwn ? [ofOwn] : []);
    expect((await get(key, `products/${ofOwn}`)).status).toBe(hasOwn ? 200 : 404);
  }
});
