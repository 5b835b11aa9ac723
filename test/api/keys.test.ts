import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { formatKey, keyIdFrom } from '#domain/api-key/key-format.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

async function listMerchants(key: string | undefined): Promise<ApiResponse> {
  return await service.send('GET', '/api/v1/merchants', { key });
}

const changeCharacter = (key: string, at: number): string =>
  key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);

describe('Authentication', () => {
  test('answers 401 naming X-API-Key to a key in Authorization', async () => {
    const headers = { Authorization: `Bearer ${acme.live.key}` };
    const { status, json } = await service.send('GET', '/api/v1/me/', { headers });
    expect([status, json.code, json.detail]).toEqual([401, 'api_key_missing', expect.stringContaining('X-API-Key')]);
  });

  test('answers 401 api_key_missing with the scheme without a key', async () => {
    const response = await listMerchants(undefined);
    expect([response.status, response.json.code]).toEqual([401, 'api_key_missing']);
    expect(response.headers.get('www-authenticate')).toBe('ApiKey');
  });

  test('answers every invalid key with the same 401', async () => {
    const { key } = acme.live;
    const never = formatKey('live', keyIdFrom('never issued'), randomBytes(20));
    const forged = formatKey('live', key.split('_')[2] ?? '', randomBytes(20));
    const bodies = new Set<string>();
    for (const wrong of [
      'x',
      'sk_live_',
      changeCharacter(key, 12),
      changeCharacter(key, 30),
      changeCharacter(key, key.length - 1),
      key.replace('sk_live_', 'sk_test_'),
      key.slice(0, -1),
      `${key}x`,
      never,
      forged,
      ADMIN_KEY.slice(0, -1),
      'k'.repeat(5_000),
      createHash('sha256').update(key).digest('hex'),
    ]) {
      const response = await listMerchants(wrong);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'ApiKey']);
      bodies.add(JSON.stringify({ ...response.json, request_id: undefined }));
      expect(response.text).not.toContain(wrong.slice(0, 40));
    }
    expect(bodies.size).toBe(1);
    expect((await listMerchants(key)).status).toBe(200);
  });

  test('answers 401 to two key headers', async () => {
    const response = await fetch(`${service.url}/api/v1/merchants`, {
      headers: [
        ['X-API-Key', acme.live.key],
        ['X-API-Key', acme.live.key],
      ],
    });
    expect(response.status).toBe(401);
  });
});

test('A key works in its environment alone, whatever Surety-Environment asks for', async () => {
  const environmentOf = async (key: string, asked: number | string) => {
    const headers = { 'Surety-Environment': String(asked) };
    const { json } = await service.send('GET', '/api/v1/me', { key, headers });
    return json.environment?.id ?? json.code ?? json.role;
  };
  const { environmentId } = acme.live;
  expect(await environmentOf(acme.live.key, environmentId)).toBe(environmentId);
  for (const other of [acme.test.environmentId, 987_654, `0${environmentId}`, ''])
    expect(await environmentOf(acme.live.key, other)).toBe('environment_not_found');
  expect(await environmentOf(ADMIN_KEY, environmentId)).toBe('admin');
});

describe('Roles', () => {
  test('a merchant that lists all policies is referred to its own list', async () => {
    const { status, json } = await service.send('GET', '/api/v1/policies/', { key: acme.live.key });
    expect([status, json.code]).toEqual([403, 'forbidden']);
    const [path = ''] = /\/api\S+$/.exec(json.detail) ?? [];
    const own = await service.send('GET', path.replace('{short_code}', acme.shortCode), { key: acme.live.key });
    expect([own.status, own.json.results.length]).toEqual([200, 1]);
  });

  test('an administrator gets 404 for an unknown command', async () => {
    const response = await service.send('POST', '/api/v1/admin/commands/DropEverything', { key: ADMIN_KEY, body: {} });
    expect([response.status, response.json.code]).toEqual([404, 'command_not_found']);
  });

  test('an issued admin key runs commands under its id', async () => {
    const issued = await service.admin('IssueApiKey', { role: 'admin', label: 'second administrator' });
    const response = await service.send('POST', '/api/v1/admin/commands/RegisterProvider', {
      key: issued.api_key,
      body: { name: 'By Second Admin', support_email: 'a@b.example', support_phone: '1' },
    });
    expect(response.status).toBe(201);
    const [event] = await service.eventStore.readStream(response.json.stream);
    expect(event?.metadata).toMatchObject({ actor: { role: 'admin', keyId: issued.key_id } });
  });
});

describe('Revocation', () => {
  test('refuses all requests that start after the revocation', async () => {
    const issued = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
    const during = Promise.all(Array.from({ length: 20 }, async () => await listMerchants(issued.api_key)));
    await service.admin('RevokeApiKey', { key_id: issued.key_id });
    const after = await Promise.all(Array.from({ length: 5 }, async () => await listMerchants(issued.api_key)));
    expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    for (const { status } of await during) expect([200, 401]).toContain(status);
  });
});
