import { describe, expect, test } from '@jest/globals';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

const REGISTRATION = '/api/v1/onboarding/providers/registration/';
const provider = (name: string) => ({ name, support_email: 'help@p.example', support_phone: '1' });

async function register(name: string, headers: Record<string, string>, key = acme.live.key): Promise<ApiResponse> {
  return await service.send('POST', REGISTRATION, { key, body: provider(name), headers });
}

describe('A repeated key', () => {
  test('repeats the response and writes nothing', async () => {
    const first = await register('One', { 'Idempotency-Key': 'key-1' });
    const before = (await service.log()).length;
    const again = await register('One', { 'Idempotency-Key': 'key-1' });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('surety-position')).toBe(first.headers.get('surety-position'));
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await service.log()).toHaveLength(before);
  });

  test('matches a quoted key, the alternative header and another spacing of the body', async () => {
    const first = await register('Two', { 'Idempotency-Key': 'key 2' });
    for (const headers of [
      { 'Idempotency-Key': '"key 2"' },
      { 'U-Request-Id': 'key 2' },
      { 'Idempotency-Key': 'key 2', 'U-Request-Id': '"key 2"' },
    ]) {
      const again = await register('Two', headers);
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    }
    const spaced = await service.send('POST', REGISTRATION.slice(0, -1), {
      key: acme.live.key,
      raw: '{ "support_phone": "1",\n "support_email": "help@p.example", "name": "Two" }',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'key 2' },
    });
    expect([spaced.text, spaced.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  test('answers 422 to another query', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('IDEM-1'));
    const cancel = async (search: string) =>
      await service.send('POST', `/api/v1/policies/cancel${search}`, {
        key: acme.live.key,
        body: { policy_number: 'IDEM-1', cancellation_reason: 'x' },
        headers: { 'Idempotency-Key': 'key-c' },
      });
    expect((await cancel('')).status).toBe(200);
    expect((await cancel('')).status).toBe(200);
    expect((await cancel(`?policy_id=${policy_id}`)).json.code).toBe('idempotency_key_reused');
  });

  test('a refusal leaves no record, so that the key can be used for the corrected request', async () => {
    const wrong = await register('', { 'Idempotency-Key': 'key-4' });
    expect(wrong.status).toBe(400);
    const conflict = await register('One', { 'Idempotency-Key': 'key-4' });
    expect([conflict.status, conflict.json.code]).toEqual([409, 'provider_already_registered']);
    const right = await register('Four', { 'Idempotency-Key': 'key-4' });
    expect([right.status, right.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  test('keys of other environments, paths and the platform are different keys', async () => {
    const live = await register('Five', { 'Idempotency-Key': 'key-5' });
    const inTestEnvironment = await register('Five in test', { 'Idempotency-Key': 'key-5' }, acme.test.key);
    const admin = await register('Five by admin', { 'Idempotency-Key': 'key-5' }, ADMIN_KEY);
    const elsewhere = await service.send('POST', '/api/v1/admin/commands/RegisterProvider', {
      key: ADMIN_KEY,
      body: provider('Five elsewhere'),
      headers: { 'Idempotency-Key': 'key-5' },
    });
    expect([live, inTestEnvironment, admin, elsewhere].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const again = await service.send('POST', '/api/v1/admin/commands/%52egisterProvider/', {
      key: ADMIN_KEY,
      body: provider('Five elsewhere'),
      headers: { 'Idempotency-Key': 'key-5' },
    });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([elsewhere.text, 'true']);
  });
});

describe('A key of an operation on what its path names', () => {
  const send = async (path: string, key: string, body: object, method = 'POST') => {
    const response = await service.send(method, `/api/v1/${path}`, {
      key: acme.live.key,
      body,
      headers: { 'Idempotency-Key': key },
    });
    return [response.status, response.json.code ?? null, response.headers.get('idempotent-replayed')];
  };
  const REUSED = [422, 'idempotency_key_reused', null];

  test('changes a policy once, by its id, its number, or the id in other case', async () => {
    const { policy_id: id } = await importTerm(service, acme.live.environmentId, termRow('IDEM-2'));
    const body = { changes: [{ action: 'add', coverage_name: 'Glass', additional_amount: '12.00' }], reason: 'glass' };
    expect(await send(`policies/${id}/changes`, 'key-p', body)).toEqual([200, null, null]);
    expect(await send('policies/IDEM-2/changes', 'key-p', body)).toEqual(REUSED);
    expect(await send(`policies/${id.toUpperCase()}/changes`, 'key-p', body)).toEqual(REUSED);
    expect(await send(`policies/${id}/changes/`, 'key-p', body)).toEqual([200, null, 'true']);
    expect(await send(`policies/${acme.live.policyId}/changes`, 'key-p', body)).toEqual(REUSED);
    const { json } = await service.send('GET', `/api/v1/policies/${id}/transactions/`, { key: acme.live.key });
    expect(json.count).toBe(2);
    expect(await send(`policies/${id}/auto_renew`, 'key-p', { auto_renew: true })).toEqual([200, null, null]);
    const share = { beneficiary_name: 'Ada Obi' };
    expect(await send(`policies/${id}/beneficiaries`, 'key-p', { beneficiaries: [share] }, 'PUT')).toEqual([
      200,
      null,
      null,
    ]);
    expect(await send('policies/IDEM-2/beneficiaries', 'key-p', { beneficiaries: [share] }, 'PUT')).toEqual(REUSED);
  });

  test('adds a note to a claim once, by its id or its reference in any case', async () => {
    const { claimId, claimReference } = acme.live;
    const body = { text: 'called' };
    expect(await send(`claims/${claimId}/notes`, 'key-n', body)).toEqual([201, null, null]);
    for (const name of [claimReference, claimReference.toLowerCase(), claimId.toUpperCase()])
      expect(await send(`claims/${name}/notes`, 'key-n', body)).toEqual(REUSED);
  });
});

describe('Invalid keys', () => {
  test.each([
    ['an empty one', { 'Idempotency-Key': '""' }, 'Idempotency-Key'],
    ['a long one', { 'Idempotency-Key': 'x'.repeat(256) }, 'Idempotency-Key'],
    ['one that is not ASCII', { 'U-Request-Id': 'caf\u00e9' }, 'U-Request-Id'],
    ['two different ones', { 'Idempotency-Key': 'a', 'U-Request-Id': 'b' }, 'U-Request-Id'],
  ])('rejects %s and names the header', async (_, headers, field) => {
    const response = await register('Never', headers);
    expect(response.status).toBe(400);
    expect(response.json.errors).toMatchObject([{ field }]);
  });
});
