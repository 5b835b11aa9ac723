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

test('A list shows a merchant the products on sale, a single view also withdrawn ones; the platform sees all', async () => {
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
  const listed = async (key: string): Promise<string[]> => {
    const { count, results } = (await get(key, `products?product_type=Home&limit=100`)).json;
    const ids = results.flat().map(({ id }: { id: string }) => id);
    expect(count).toBe(ids.length);
    return ids.toSorted();
  };
  for (const { key } of [acme.live, acme.test, beta.live]) {
    expect(await listed(key)).toEqual([sold]);
    for (const id of [sold, planned, withdrawn]) expect((await get(key, `products/${id}`)).status).toBe(200);
  }
  expect(await listed(ADMIN_KEY)).toEqual([sold, planned, withdrawn].toSorted());
});
