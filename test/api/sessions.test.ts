import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { verificationTokens } from '#service/security/verification-token.ts';
import { ADMIN_KEY, type ApiRequest, type ApiResponse, type ApiService, SECRET } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSuiteService } from '../support/suite-service.ts';

const START = '2026-03-10T09:30:00.000Z';
const PATH = '/api/v1/session/';
/** What a page of the service sends. */
const PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Surety-Console': '1' };

const service = await startSuiteService();
const proxied = await startSuiteService({ publicUrl: 'https://surety.example/behind' });
const acme = await createMerchant(service, 'Acme');
afterEach(() => {
  service.clock.now = START;
});

/** Returns the cookie that a response sets, as a browser sends it back. */
const cookieIn = ({ headers }: ApiResponse): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const openWith = async (api_key: string, headers: object = PAGE, at: ApiService = service): Promise<ApiResponse> =>
  await at.send('POST', PATH, { body: { api_key }, headers: { ...headers } });
const signIn = async (api_key: string): Promise<string> => cookieIn(await openWith(api_key));
const me = async (Cookie: string, request: ApiRequest = {}): Promise<ApiResponse> =>
  await service.send('GET', '/api/v1/me', { ...request, headers: { Cookie, ...request.headers } });
const issue = async (input: object): Promise<{ readonly key_id: string; readonly api_key: string }> =>
  (await service.admin('IssueApiKey', { label: 'laptop', ...input })) as never;
const codeOf = async (cookie: string): Promise<unknown> => (await me(cookie)).json.code ?? 'accepted';

describe('A session', () => {
  test('is what its key is, in a cookie that no script reads, for 10 hours', async () => {
    const opened = await openWith(acme.live.key);
    expect([opened.status, opened.text, opened.headers.get('cache-control')]).toEqual([204, '', 'no-store']);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^surety-session-[0-9a-f]{8}=[\w.-]+; Path=\/; Max-Age=36000; HttpOnly; SameSite=Strict$/,
    );
    const cookie = cookieIn(opened);
    expect(cookie).not.toContain(acme.live.key.slice(-33));
    const response = await me(cookie);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/me'));
    expect(response.json).toMatchObject({ role: 'merchant', expires_at: '2026-03-10T19:30:00.000Z' });
    const byKey = await service.send('GET', '/api/v1/me', { key: acme.live.key });
    expect({ ...response.json, expires_at: null }).toEqual(byKey.json);
    expect([response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([
      'no-store',
      'Cookie, X-API-Key, Accept',
    ]);
    service.clock.now = '2026-03-10T19:29:59.999Z';
    expect(await codeOf(cookie)).toBe('accepted');
    service.clock.now = '2026-03-10T19:30:00.000Z';
    expect(await codeOf(cookie)).toBe('session_ended');
  });

  test('is marked for https by PUBLIC_URL, and ends no later than its key', async () => {
    const { headers } = await openWith(ADMIN_KEY, PAGE, proxied);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-surety-session-[0-9a-f]{8}=[^;]+; Path=\/; .*SameSite=Strict; Secure$/,
    );
    const { api_key } = await issue({ role: 'auditor', expires_at: '2026-03-10T10:00:00.000Z' });
    const opened = await openWith(api_key);
    expect(opened.headers.get('set-cookie')).toContain('Max-Age=1800;');
    service.clock.now = '2026-03-10T10:00:00.000Z';
    expect(await codeOf(cookieIn(opened))).toBe('session_ended');
  });

  test('that has ended is cleared; X-API-Key, also a wrong one, wins over it', async () => {
    const { key_id, api_key } = await issue({ role: 'auditor' });
    const cookie = await signIn(api_key);
    const { status, json } = await me(cookie, { key: acme.live.key });
    expect([status, json.role]).toEqual([200, 'merchant']);
    const wrong = await me(cookie, { key: 'x' });
    expect([wrong.json.code, wrong.headers.get('set-cookie')]).toEqual(['api_key_invalid', null]);
    await service.admin('RevokeApiKey', { key_id });
    const ended = await me(cookie);
    expect([ended.status, ended.json.code]).toEqual([401, 'session_ended']);
    expect(ended.headers.get('set-cookie')).toMatch(/^surety-session-[0-9a-f]{8}=; Path=\/; Max-Age=0; /);
  });

  test('ends on request, whatever the cookie is', async () => {
    for (const Cookie of [await signIn(ADMIN_KEY), '', 'surety-session-00000000=x']) {
      const { status, headers } = await service.send('DELETE', PATH, { headers: { ...PAGE, Cookie } });
      expect([status, headers.get('set-cookie')]).toEqual([204, expect.stringContaining('=; Path=/; Max-Age=0;')]);
    }
  });

  test('ends with the rights of its person: removed, or no longer of the merchant', async () => {
    const person = { name: 'Ada', email: 'ada@surety.example', role: 'claims' };
    const { person_id } = await service.admin('AddPerson', person);
    const cookie = await signIn((await issue({ person_id })).api_key);
    await service.admin('UpdatePerson', { person_id, access: 'read' });
    expect((await me(cookie)).json).toMatchObject({ person: { person_id }, access: 'read' });
    await service.admin('RemovePerson', { person_id, reason: 'Left' });
    expect(await codeOf(cookie)).toBe('session_ended');
  });

  test('ends when its person or an administrator says so, also that of a read-only person, and a poll that waits', async () => {
    const add = async (name: string, role: string, more: object = {}) => {
      const email = `${name}@surety.example`;
      const { person_id } = await service.admin('AddPerson', { name, email, role, access: 'read', ...more });
      return { person_id: String(person_id), key: (await issue({ person_id })).api_key };
    };
    const [bola, efe, ife] = [await add('bola', 'auditor'), await add('efe', 'claims'), await add('ife', 'admin')];
    const end = async (by: string | undefined, person_id: string, headers: Readonly<Record<string, string>> = {}) =>
      (
        await service.send('POST', '/api/v1/admin/commands/EndSessions', {
          key: by,
          body: { person_id },
          headers,
        })
      ).json;
    for (const by of [bola, efe, ife]) {
      const [one, two] = [await signIn(by.key), await signIn(by.key)];
      const other = by === efe ? bola : efe;
      expect((await end(by.key, other.person_id)).code).toBe('person_not_found');
      expect((await end(undefined, by.person_id, { ...PAGE, Cookie: one })).result).toEqual({
        person_id: by.person_id,
      });
      expect([await codeOf(one), await codeOf(two), await codeOf(await signIn(by.key))]).toEqual([
        'session_ended',
        'session_ended',
        'accepted',
      ]);
    }
    const cookie = await signIn(bola.key);
    const poll = service.send('GET', `/api/v1/events/?timeout=5000&after=${(await service.log()).length}`, {
      headers: { Cookie: cookie },
    });
    await waitUntil(async () => /surety_feed_polls 1/.test((await service.send('GET', '/metrics')).text));
    await end(ADMIN_KEY, bola.person_id);
    await service.admin('RegisterMerchant', { name: 'Wakes the poll', business_email: 'a@b.example' });
    expect((await poll).json.code).toBe('session_ended');
    expect((await end((await issue({ environment_id: acme.live.environmentId })).api_key, bola.person_id)).code).toBe(
      'person_not_found',
    );
  });

  test('is not opened by a wrong key, and no log line has a key or a cookie', async () => {
    const { api_key } = await issue({ role: 'auditor' });
    const cookie = await signIn(api_key);
    const refused = await openWith(`${api_key}x`);
    expect([refused.status, refused.json.code, refused.headers.get('set-cookie')]).toEqual([
      401,
      'api_key_invalid',
      null,
    ]);
    const logged = service.logged.join('\n');
    expect(logged).toContain('A session was opened');
    for (const secret of [api_key, cookie.split('=')[1] ?? '']) expect(logged).not.toContain(secret.slice(-30));
  });
});

describe('Refuses as a session', () => {
  test('what was altered, was signed by another secret or for another purpose, and a clock that was set back', async () => {
    const cookie = await signIn(acme.live.key);
    const [name = '', value = ''] = cookie.split('=');
    const [kind = '', id = '', ended = '', issued = '', expires = '', signature = ''] = value.split('.');
    const derived = (secret: string): Buffer => createHmac('sha256', secret).update('surety sessions').digest();
    const sign = (key: string | Buffer, purpose: string): string => {
      const text = [kind, id, ended, issued, expires].join('.');
      return `${text}.${createHmac('sha256', key).update(`${purpose} ${text}`).digest('base64url')}`;
    };
    // The test signs as the service does.
    expect(sign(derived(SECRET), 'session')).toBe(value);
    for (const wrong of [
      '',
      '.',
      '....',
      'x'.repeat(43),
      value.slice(0, -1),
      `${value}.`,
      [kind, id, ended, issued, Number(expires) + 1, signature].join('.'),
      [kind, 'settings', ended, issued, expires, signature].join('.'),
      sign(derived('another secret of the service, of 32 characters'), 'session'),
      sign(derived(SECRET), 'ticket'),
      sign(SECRET, 'session'),
      verificationTokens(SECRET)(acme.tenantId, 1),
      `${value}${'x'.repeat(4_000)}`,
      'é',
    ])
      expect([wrong, await codeOf(`${name}=${encodeURI(wrong)}`)]).toEqual([wrong, 'session_ended']);
    expect(await codeOf(`other=1; ${cookie}; more=2`)).toBe('accepted');
    service.clock.now = '2026-03-10T09:29:00.000Z';
    expect(await codeOf(cookie)).toBe('accepted');
    service.clock.now = '2026-03-10T09:28:59.999Z';
    expect(await codeOf(cookie)).toBe('session_ended');
  });
});

const cookie = await signIn(acme.live.key);
describe('From another site', () => {
  const body = { text: 'KP-1' };
  const find = async (headers: object): Promise<unknown> =>
    (await service.send('POST', '/api/v1/find', { body, headers: { Cookie: cookie, ...headers } })).json.code ?? 'sent';
  const origin = new URL(service.url).origin;

  test.each([
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site', 'X-Surety-Console': '1', Origin: origin }],
    ['same-site', { 'Sec-Fetch-Site': 'same-site', 'X-Surety-Console': '1' }],
    ['an address that was typed', { 'Sec-Fetch-Site': 'none', 'X-Surety-Console': '1' }],
    ['without the header of the page', { 'Sec-Fetch-Site': 'same-origin' }],
    ['another origin', { Origin: 'https://evil.example', 'X-Surety-Console': '1' }],
    ['a null origin', { Origin: 'null', 'X-Surety-Console': '1' }],
    ['neither', { 'X-Surety-Console': '1' }],
  ])('%s: neither a command nor a session is accepted', async (_case, headers) => {
    expect(await find(headers)).toBe('cross_site');
    for (const [method, request] of [
      ['POST', { body: { api_key: ADMIN_KEY } }],
      ['POST', { raw: 'not JSON', headers: { 'Content-Type': 'text/plain' } }],
      ['DELETE', {}],
    ] as const) {
      const response = await service.send(method, PATH, { ...request, headers: { ...headers } });
      expect([response.status, response.json.code, response.headers.get('set-cookie')]).toEqual([
        403,
        'cross_site',
        null,
      ]);
    }
  });

  test('a page of the service is accepted, by Sec-Fetch-Site or by Origin, of the request or of PUBLIC_URL', async () => {
    expect(await find(PAGE)).toBe('sent');
    expect(await find({ Origin: origin, 'X-Surety-Console': '1' })).toBe('sent');
    for (const Origin of ['https://surety.example', new URL(proxied.url).origin])
      expect((await openWith(ADMIN_KEY, { Origin, 'X-Surety-Console': '1' }, proxied)).status).toBe(204);
    // A read needs nothing, and what has a key in place of the cookie neither.
    expect((await me(cookie, { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(200);
    expect((await service.send('POST', '/api/v1/find', { key: acme.live.key, body })).status).toBe(200);
  });
});
