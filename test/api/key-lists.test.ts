import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, type MerchantFixture } from '../support/merchant-fixture.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
const auditor: { readonly key_id: string; readonly api_key: string } = (await service.admin('IssueApiKey', {
  role: 'auditor',
  label: 'Yearly audit',
})) as typeof auditor;

/** What a key of no person has that may do everything. */
const RIGHTS = { access: 'full', expires_at: null };
const get = async (path: string, key: string) => await service.send('GET', `/api/v1/${path}`, { key });
const issue = async (environment_id: number, label: string) =>
  (await service.admin('IssueApiKey', { environment_id, label })) as { key_id: string; api_key: string };

/** Parts of a key that no response may have: its secret and its stored hash. */
async function secretsOf({ key_id, api_key }: { readonly key_id: string; readonly api_key: string }) {
  const events = await service.eventStore.readStream(`apiKey-${key_id}`);
  return [api_key.slice(-33), ...events.slice(0, 1).map(({ data }) => (data as { keyHash: string }).keyHash)];
}

describe('The keys of an environment', () => {
  test('are listed with labels in order of issue, also revoked, to every key of the merchant and to the platform', async () => {
    const { environmentId } = acme.live;
    const days = ['2026-03-11T08:00:00.000Z', '2026-03-12T08:00:00.000Z', '2026-03-13T08:00:00.000Z'] as const;
    service.clock.now = days[0];
    const shop = await issue(environmentId, 'Web shop');
    service.clock.now = days[1];
    const old = await issue(environmentId, 'Old till');
    service.clock.now = days[2];
    await service.admin('RevokeApiKey', { key_id: old.key_id });
    const path = `environments/${environmentId}/keys/`;
    const response = await get(path, acme.live.key);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/environments/:id/keys'));
    const item = { role: 'merchant', provider_id: null, person_id: null, ...RIGHTS, revoked_at: null };
    expect(response.json).toEqual({
      count: 3,
      next: null,
      previous: null,
      results: [
        { ...item, key_id: acme.live.key.split('_')[2], label: 'till', created_at: '2026-03-10T09:30:00.000Z' },
        { ...item, key_id: shop.key_id, label: 'Web shop', created_at: days[0] },
        { ...item, key_id: old.key_id, label: 'Old till', created_at: days[1], revoked_at: days[2] },
      ],
    });
    for (const secret of [...(await secretsOf(shop)), ...(await secretsOf(old))])
      expect(response.text).not.toContain(secret);
    for (const key of [acme.test.key, ADMIN_KEY, auditor.api_key])
      expect((await get(path, key)).json).toEqual(response.json);
  });

  test('of an environment that is not there or not named by its number are 404', async () => {
    for (const id of ['987654', `0${acme.live.environmentId}`, `${acme.live.environmentId}.0`, 'null', '%00']) {
      const response = await get(`environments/${id}/keys`, ADMIN_KEY);
      expect([id, response.status, response.json.code]).toEqual([id, 404, 'environment_not_found']);
    }
  });
});

test('The keys of the platform are listed to the platform alone, without the first admin key, which is a setting', async () => {
  const response = await get('admin/keys/', auditor.api_key);
  expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/admin/keys'));
  expect(response.json.results).toEqual([
    {
      key_id: auditor.key_id,
      label: 'Yearly audit',
      role: 'auditor',
      provider_id: null,
      person_id: null,
      ...RIGHTS,
      created_at: '2026-03-10T09:30:00.000Z',
      revoked_at: null,
    },
  ]);
  expect((await get('admin/keys', ADMIN_KEY)).json).toEqual(response.json);
  for (const secret of await secretsOf(auditor)) expect(response.text).not.toContain(secret);
});

test('The environments of a merchant are listed to it and to the platform, live and test', async () => {
  const path = `merchants/${acme.shortCode}/environments/`;
  const response = await get(path, acme.test.key);
  expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants/:short_code/environments'));
  const item = ({ environmentId: environment_id, clientId: client_id }: MerchantFixture['live']) => ({
    environment_id,
    client_id,
    time_zone: 'UTC',
  });
  expect(response.json.results).toEqual([
    { ...item(acme.live), environment_name: 'Production', test_mode: false },
    { ...item(acme.test), environment_name: 'Sandbox', test_mode: true },
  ]);
  for (const key of [acme.live.key, ADMIN_KEY, auditor.api_key])
    expect((await get(path, key)).text).toBe(response.text);
  const first = await get(`${path}?limit=1`, acme.live.key);
  expect([first.json.count, first.json.results]).toEqual([2, response.json.results.slice(0, 1)]);
});

describe('GET /me', () => {
  test('shows a key of a merchant its role, label, merchant and environment', async () => {
    const { key_id, api_key } = await issue(beta.test.environmentId, 'Night jobs');
    const response = await get('me/', api_key);
    const environment = { id: beta.test.environmentId, name: 'Sandbox', test_mode: true, time_zone: 'UTC' };
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/me'));
    expect(response.json).toEqual({
      role: 'merchant',
      key_id,
      label: 'Night jobs',
      person: null,
      authority: null,
      ...RIGHTS,
      provider_id: null,
      merchant: { short_code: beta.shortCode, name: 'Beta' },
      environment,
      environments: [environment],
    });
    await service.admin('UpdateMerchant', { short_code: beta.shortCode, name: 'Beta Bank' });
    expect((await get('me', api_key)).json.merchant.name).toBe('Beta Bank');
    await service.admin('RevokeApiKey', { key_id });
    expect((await get('me', api_key)).status).toBe(401);
  });

  test('shows a key of the platform neither merchant nor environment, also the first admin key', async () => {
    const none = { merchant: null, environment: null, environments: [] };
    const nothing = { person: null, authority: null, ...RIGHTS, provider_id: null, ...none };
    expect((await get('me', auditor.api_key)).json).toEqual({
      role: 'auditor',
      key_id: auditor.key_id,
      label: 'Yearly audit',
      ...nothing,
    });
    expect((await get('me', ADMIN_KEY)).json).toEqual({
      role: 'admin',
      key_id: expect.any(String),
      label: 'first admin key',
      ...nothing,
    });
  });

  test('shows a key of an insurer, and of a person of it, the insurer, as the list of keys does', async () => {
    const insurer = { name: 'An insurer', support_email: 'a@b.example', support_phone: '1' };
    const { provider_id } = await service.admin('RegisterProvider', insurer);
    const person = { name: 'Ada', email: 'ada@surety.example', role: 'insurer', provider_id };
    const { person_id } = await service.admin('AddPerson', person);
    for (const input of [{ role: 'insurer', provider_id }, { person_id }]) {
      const { key_id, api_key } = await service.admin('IssueApiKey', { ...input, label: 'claims desk' });
      const response = await get('me', String(api_key));
      expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/me'));
      expect(response.json).toMatchObject({ role: 'insurer', provider_id, merchant: null, environment: null });
      const { results } = (await get('admin/keys', ADMIN_KEY)).json;
      expect(results).toContainEqual(expect.objectContaining({ key_id, role: 'insurer', provider_id }));
    }
  });
});
