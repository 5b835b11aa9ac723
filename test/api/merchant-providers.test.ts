import { beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { createMerchant, type EnvironmentFixture } from '../support/merchant-fixture.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');

let names = 0;
/** A name that no other test uses. */
let name: string;
beforeEach(() => {
  name = `Insurer number ${++names}`;
});

const get = async (key: string, path: string) => await service.send('GET', `/api/v1/${path}`, { key });
const register = async (key: string, called = name): Promise<ApiResponse> =>
  await service.send('POST', '/api/v1/onboarding/providers/registration/', {
    key,
    body: { name: called, support_email: 'help@insurer.example', support_phone: '1' },
  });
const command = async (named: string, body: object): Promise<ApiResponse> =>
  await service.send('POST', `/api/v1/admin/commands/${named}`, { key: ADMIN_KEY, body });
const confirm = async (provider_id: string) => await command('ConfirmProvider', { provider_id });
const QUOTED = { insurance_details: { product_type: 'Life', additional_information: { smoker: false } } };
const LIFE = { description: 'A life', product_type: 'Life', base_premium: '100' };

/** Registers a provider with a key, and adds a product for it. */
async function registerWithProduct(key: string) {
  const providerId = String((await register(key)).json.provider_id);
  const product = await service.admin('AddProduct', { ...LIFE, provider_id: providerId, name: `Product of ${name}` });
  return { providerId, productId: String(product.product_id) };
}

/** Returns where a key sees a provider or its product. */
async function placesSeen(
  key: string,
  { providerId, productId }: { providerId: string; productId: string },
  more = '',
) {
  const places: [string, boolean][] = [
    ['list', (await get(key, `insurers?limit=100${more}`)).text.includes(providerId)],
    ['search', (await get(key, `providers/search?name=${encodeURIComponent(name)}${more}`)).text.includes(providerId)],
    ['products', (await get(key, `products?limit=100${more}`)).text.includes(productId)],
    ['its products', (await get(key, `products?provider_id=${providerId}${more}`)).text.includes(productId)],
    ['product', (await get(key, `products/${productId}`)).status === 200],
  ];
  if (key !== ADMIN_KEY) {
    const quotes = await service.send('POST', '/api/v1/quotes', { key, body: QUOTED });
    places.push(['quotes', quotes.text.includes(name)]);
  }
  return places.flatMap(([place, isSeen]) => (isSeen ? [place] : []));
}

const EVERYWHERE = ['list', 'search', 'products', 'its products', 'product', 'quotes'];
const TO_PLATFORM = EVERYWHERE.slice(0, -1);

describe('A provider that is registered with a key of a merchant', () => {
  test.each(['live', 'test'] as const)(
    'in %s is seen, with its product, by that merchant alone, and once it is confirmed by every merchant of this mode',
    async (mode) => {
      const made = await registerWithProduct(acme[mode].key);
      const more = `&test_mode=${mode === 'test'}`;
      const otherMode = mode === 'live' ? 'test' : 'live';
      const ofOtherMode: EnvironmentFixture[] = [acme[otherMode], beta[otherMode]];
      expect(await placesSeen(acme[mode].key, made)).toEqual(EVERYWHERE);
      for (const { key } of [beta[mode], ...ofOtherMode]) expect(await placesSeen(key, made)).toEqual([]);
      expect(await placesSeen(ADMIN_KEY, made, more)).toEqual(TO_PLATFORM);
      const found = async (key: string) =>
        (await get(key, `providers/search?name=${encodeURIComponent(name)}`)).json.results;
      expect(await found(acme[mode].key)).toMatchObject([{ is_confirmed: false, withdrawn_at: null }]);

      const confirmed = await confirm(made.providerId);
      expect([confirmed.status, confirmed.json.result]).toEqual([200, { provider_id: made.providerId }]);
      for (const { key } of [acme[mode], beta[mode]]) expect(await placesSeen(key, made)).toEqual(EVERYWHERE);
      for (const { key } of ofOtherMode) expect(await placesSeen(key, made)).toEqual([]);
      expect(await found(beta[mode].key)).toMatchObject([{ is_confirmed: true, withdrawn_at: null }]);
      expect((await confirm(made.providerId)).json.code).toBe('provider_already_confirmed');
    },
  );

  test('is not disclosed by its product: others get the response for an unknown one, also when it is parked', async () => {
    const { productId } = await registerWithProduct(acme.live.key);
    const stored = await service.readModels.get('products', productId);
    if (stored === undefined) throw new Error('the product is not there');
    const missing = await get(beta.live.key, 'products/6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');
    const hidden = await get(beta.live.key, `products/${productId}`);
    expect({ ...hidden.json, request_id: '' }).toEqual({ ...missing.json, request_id: '' });
    const parked = { reason: 'cannot be folded', eventId: 'e', eventType: 'X.v1', position: stored.position };
    await writeDocuments(await takeOverServed(service.readModels), 'products', [{ ...stored, parked }]);
    expect((await get(acme.live.key, `products/${productId}`)).json.code).toBe('document_parked');
    expect((await get(beta.live.key, `products/${productId}`)).json.code).toBe('product_not_found');
    await writeDocuments(await takeOverServed(service.readModels), 'products', [stored]);
  });

  test('keeps the cursors of lists of products valid when it is confirmed', async () => {
    const { provider_id } = (await register(ADMIN_KEY, `${name} of all`)).json;
    for (const product of ['One', 'Two']) await service.admin('AddProduct', { ...LIFE, name: product, provider_id });
    // The last of the list, which is ordered by creation.
    service.clock.now = '2026-03-11T09:30:00.000Z';
    const { providerId, productId } = await registerWithProduct(acme.live.key);
    const { json } = await get(beta.live.key, 'products?limit=1');
    await confirm(providerId);
    const ids: string[] = [];
    for (let next: string | null = json.next; next !== null; ) {
      const page: ApiResponse = await get(beta.live.key, next.slice(`${service.url}/api/v1/`.length));
      expect(page.status).toBe(200);
      ids.push(...page.json.results.flat().map(({ id }: { id: string }) => id));
      next = page.json.next;
    }
    expect(ids).toContain(productId);
  });
});

describe('A withdrawn provider', () => {
  test('is found by the platform alone, gives no quotes, sells and renews nothing, and its policies live on', async () => {
    const made = await registerWithProduct(acme.live.key);
    const ask = async () => await service.send('POST', '/api/v1/quotes', { key: acme.live.key, body: holderBody() });
    const buy = async () => {
      const isOfProvider = ({ provider }: { provider: string }) => provider === name;
      const { quote_code } = (await ask()).json.results.flat().find(isOfProvider);
      const body = { quote_code, policy_duration: 30, auto_renew: true };
      return async () => await service.send('POST', '/api/v1/policies', { key: acme.live.key, body });
    };
    const [bought, send] = [await (await buy())(), await buy()];
    expect(bought.status).toBe(201);
    await service.admin('WithdrawProvider', { provider_id: made.providerId });
    expect(await placesSeen(acme.live.key, made)).toEqual(['product']);
    expect(await placesSeen(beta.live.key, made)).toEqual([]);
    expect(await placesSeen(ADMIN_KEY, made)).toEqual(TO_PLATFORM);
    const listed = (await get(ADMIN_KEY, `providers/search?name=${encodeURIComponent(name)}`)).json.results;
    expect(listed).toMatchObject([{ is_confirmed: false, withdrawn_at: service.clock.now }]);
    for (const [named, body] of [
      ['AddProduct', { ...LIFE, name: 'Late' }],
      ['ConfirmProvider', {}],
      ['WithdrawProvider', {}],
    ] as const) {
      const { status, json } = await command(named, { provider_id: made.providerId, ...body });
      expect([named, status, json.code]).toEqual([named, 409, 'provider_withdrawn']);
    }
    expect((await register(acme.live.key)).status).toBe(409);
    const { policy_id, effective_through } = bought.json;
    const renewal = { policy_id, preferred_policy_start_date: dayAfter(effective_through), policy_duration: 30 };
    const renewed = await service.send('POST', '/api/v1/policies/renew', { key: acme.live.key, body: renewal });
    for (const { status, json } of [renewed, await send()])
      expect([status, json.code]).toEqual([409, 'provider_withdrawn']);
    service.clock.now = `${dayAfter(effective_through)}T10:00:00.000Z`;
    await service.scheduler.runOnce();
    const view = (await get(acme.live.key, `policies/${policy_id}`)).json;
    expect(view).toMatchObject({ effective_through, auto_renew: false, provider: { provider_name: name } });
    const { results } = (await get(acme.live.key, `policies/${policy_id}/history`)).json;
    expect(results.at(-1).summary).toBe('Automatic renewal was stopped: provider withdrawn.');
  });
});

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const holderBody = () => ({
  ...QUOTED,
  customer_metadata: { first_name: 'Ada', last_name: 'Obi', email: `holder-${names}@customers.example` },
});
