import { expect, test } from '@jest/globals';
import { claims } from '#projections/claims/claims.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import type { ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

const get = async (path: string, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

test('the active policies of a customer depend on the day, and so does the ETag', async () => {
  const path = `customers/${acme.live.customerId}/`;
  const response = await get(path);
  const summary = { policy_id: acme.live.policyId, start_date: '2026-01-01', end_date: '2026-12-31' };
  expect(response.json).toMatchObject({ purchased_policies: [summary], active_policies: [summary] });
  const { now } = service.clock;
  service.clock.now = '2027-01-01T00:00:00.000Z';
  const later = await get(path);
  service.clock.now = now;
  expect(later.json).toMatchObject({ purchased_policies: [summary], active_policies: [], active_policies_count: 0 });
  expect(later.headers.get('etag')).not.toBe(response.headers.get('etag'));
});

test('a page of claims behind the last one has no data', async () => {
  const emptyPage = await get(`customers/${acme.live.customerId}/claims?offset=1`);
  expect(emptyPage.json).toMatchObject({ count: 1, results: [], next: null });
});

test('a claim is the same by id and by reference, in any case', async () => {
  const { claimId, claimReference } = acme.live;
  const byId = await get(`claims/${claimId}/`);
  for (const reference of [claimReference, claimReference.toLowerCase()])
    expect((await get(`claims/${reference}`)).text).toBe(byId.text);
  expect(byId.headers.get('etag')).toMatch(new RegExp(`^"${claims.version}-0-[0-9a-f]{12}"$`));
});

test('a merchant is the same by its code in any case', async () => {
  const { text } = await get(`merchants/${acme.shortCode}`);
  expect((await get(`merchants/${acme.shortCode.toLowerCase()}`)).text).toBe(text);
});

test('a provider is found by a part of its name, in any case and with any spaces', async () => {
  const body = { name: 'Zenith  Life', support_email: 'help@zenith.example', support_phone: '+234 2' };
  const path = '/api/v1/onboarding/providers/registration/';
  const { provider_id: id } = (await service.send('POST', path, { key: acme.live.key, body })).json;
  const found = await get('providers/search/?name=ITH%20lif');
  expect(found.json).toMatchObject({ count: 1, results: [{ id, name: body.name }] });
});

test('a product shows the current name of its provider', async () => {
  const provider = { name: 'Axa', support_email: 'help@axa.example', support_phone: '1' };
  const { provider_id } = await service.admin('RegisterProvider', provider);
  const product = { name: 'Gadget Plus', description: 'Phones', product_type: 'Gadget', base_premium: '5000' };
  const { product_id } = await service.admin('AddProduct', { provider_id, ...product });
  await service.admin('UpdateProvider', { provider_id, name: 'Axa Mansard' });
  expect((await get(`products/${product_id}/`)).json.provider.provider_name).toBe('Axa Mansard');
});
