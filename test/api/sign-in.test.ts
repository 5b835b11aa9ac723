import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { Provider } from 'oidc-provider';
import { OpenIdConnect } from '#service/security/openid-connect.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService } from '../support/api-service.ts';
import { CLIENT_ID, type Forgery, SECRET_OF_CLIENT, startFakeIssuer } from '../support/fake-issuer.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { startSuiteService } from '../support/suite-service.ts';

const START = '2026-03-10T09:30:00.000Z';
const PUBLIC_URL = 'https://surety.example/behind';
const CALLBACK = `${PUBLIC_URL}/sign-in/callback`;

const issuer = await startFakeIssuer();
afterAll(() => issuer.close());

function clientOf(url: string, trustsEmail = false): OpenIdConnect {
  return new OpenIdConnect({ issuer: url, clientId: CLIENT_ID, clientSecret: SECRET_OF_CLIENT, trustsEmail }, CALLBACK);
}

const http = { openIdConnect: clientOf(issuer.url), supportEmail: 'help@surety.example' };
const service = await startSuiteService({ publicUrl: PUBLIC_URL, http });
const trusting = await startSuiteService({
  publicUrl: PUBLIC_URL,
  http: { openIdConnect: clientOf(issuer.url, true) },
});
const withoutIssuer = await startSuiteService();
/** Nothing listens on this port. */
const gone = await startSuiteService({
  publicUrl: PUBLIC_URL,
  http: { openIdConnect: clientOf('http://127.0.0.1:9') },
});
afterEach(() => {
  service.clock.now = START;
  issuer.forgery = {};
});

const add = async (name: string, at: ApiService = service, input: object = { role: 'claims' }): Promise<string> =>
  String((await at.admin('AddPerson', { name, email: `${name}@surety.example`, ...input })).person_id);
const cookieIn = ({ headers }: ApiResponse): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** Begins to sign in, as a browser does. */
async function begin(at: ApiService = service) {
  const response = await at.send('GET', '/sign-in/');
  const query = Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);
  issuer.nonce = query['nonce'] ?? '';
  return { response, query, cookie: cookieIn(response) };
}

async function comeBack(search: string, Cookie: string, at: ApiService = service): Promise<ApiResponse> {
  return await at.send('GET', `/sign-in/callback?${search}`, { headers: { Cookie } });
}

/** Signs in with what the issuer answers, and returns who is signed in, or the status of the page. */
async function signIn(forgery: Forgery = {}, at: ApiService = service): Promise<unknown> {
  issuer.forgery = forgery;
  const { query, cookie } = await begin(at);
  return await outcomeOf(await comeBack(`code=c&state=${query['state']}`, cookie, at), at);
}

async function outcomeOf(response: ApiResponse, at: ApiService = service): Promise<unknown> {
  if (response.status !== 302) {
    expect([response.headers.get('set-cookie'), response.headers.get('content-type')]).toEqual([
      null,
      'text/html; charset=utf-8',
    ]);
    return response.status;
  }
  expect(response.headers.get('location')).toBe(`${PUBLIC_URL}/console/`);
  const [session, pending] = response.headers.getSetCookie();
  expect(session).toMatch(/^__Host-surety-session-.*HttpOnly; SameSite=Strict; Secure$/);
  expect(pending).toMatch(/^__Host-surety-sign-in-[^=]+=; Path=\/; Max-Age=0;/);
  return (await at.send('GET', '/api/v1/me', { headers: { Cookie: cookieIn(response) } })).json.person.name;
}

const of = (email: string, sub = email): Forgery => ({ claims: { email: `${email}@surety.example`, sub } });

describe('Signing in at an issuer', () => {
  test('begins with PKCE, state and nonce, which wait in a signed cookie for 10 minutes', async () => {
    const { response, query, cookie } = await begin();
    expect(response.status).toBe(302);
    expect(query).toEqual({
      client_id: CLIENT_ID,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-surety-sign-in-[0-9a-f]{8}=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    );
    await add('Early');
    issuer.forgery = of('Early');
    service.clock.now = '2026-03-10T09:40:00.000Z';
    expect((await comeBack(`code=c&state=${query['state']}`, cookie)).status).toBe(403);
    service.clock.now = '2026-03-10T09:39:59.999Z';
    expect(await outcomeOf(await comeBack(`code=c&state=${query['state']}`, cookie))).toBe('Early');
  });

  test('records the account with the first time; then it alone counts, whatever its e-mail address', async () => {
    const person_id = await add('Ada');
    expect(await signIn(of('ADA', 'sub-1'))).toBe('Ada');
    expect(await signIn(of('ada', 'sub-1'))).toBe('Ada');
    const events = (await service.log()).filter(({ stream }) => stream === `person-${person_id}`);
    expect(events.map(({ type }) => type)).toEqual(['PersonAdded.v1', 'PersonSignedIn.v1']);
    expect(events[1]?.data).toMatchObject({ issuer: issuer.url, subject: 'sub-1' });
    expect(await signIn(of('ada', 'sub-2'))).toBe(403);
    expect(await signIn(of('married', 'sub-1'))).toBe('Ada');
    // The address of somebody else is not that of the account.
    await add('Bola');
    expect(await signIn(of('bola', 'sub-1'))).toBe('Ada');
    await service.admin('UpdatePerson', { person_id, release_sign_in: true });
    expect(await signIn(of('married', 'sub-1'))).toBe(403);
    expect(await signIn(of('ada', 'sub-2'))).toBe('Ada');
    expect(await signIn(of('ada', 'sub-1'))).toBe(403);
  });

  test('ends with the removal of the person; the account may then be that of another person', async () => {
    const person_id = await add('Efe');
    expect(await signIn(of('efe'))).toBe('Efe');
    await service.admin('RemovePerson', { person_id, reason: 'Left' });
    expect(await signIn(of('efe'))).toBe(403);
    await add('Efe');
    expect(await signIn(of('efe'))).toBe('Efe');
    expect(await signIn(of('married', 'efe'))).toBe('Efe');
  });

  test('opens a session for a person of a merchant', async () => {
    const { shortCode } = await createMerchant(service, 'Acme');
    await add('Agent', service, { role: 'merchant', short_code: shortCode });
    expect(await signIn(of('agent'))).toBe('Agent');
  });

  test('is refused with one page, which says whom to ask, and logged without any part of the answer', async () => {
    const { query, cookie } = await begin();
    issuer.forgery = of('nobody', 'secret-subject');
    const { status, text } = await comeBack(`code=secret-code&state=${query['state']}`, cookie);
    expect([status, text]).toEqual([403, expect.stringContaining('help@surety.example')]);
    const logged = service.logged.join('\n');
    expect(logged).toContain('"reason":"person_not_found"');
    for (const secret of ['secret-code', 'secret-subject', 'nobody@', String(query['state']), cookie.slice(-40)])
      expect(logged).not.toContain(secret);
  });

  test('is not there without an issuer, and needs it when somebody signs in only', async () => {
    for (const path of ['/sign-in/', '/sign-in/callback?code=c'])
      expect((await withoutIssuer.send('GET', path)).json.code).toBe('route_not_found');
    expect((await gone.send('GET', '/sign-in/')).status).toBe(503);
    expect((await gone.send('GET', '/api/v1/me', { key: ADMIN_KEY })).status).toBe(200);
  });
});

test.each([
  [502, { message: 'of a proxy' }],
  [500, { error: 'server_error' }],
])('An issuer that answers %i at the token endpoint is one that does not work at the moment', async (status, body) => {
  expect(await signIn({ answer: { status, body } })).toBe(503);
});

test.each(['authorization_endpoint', 'token_endpoint'])('A wrong %s is not kept', async (name) => {
  const client = clientOf(issuer.url);
  const signsIn = async (): Promise<boolean> => {
    const { pending } = await client.begin();
    issuer.nonce = pending.nonce;
    return (await client.finish(`code=c&state=${pending.state}`, pending)).subject === 'ngozi';
  };
  issuer.forgery = { ...of('ngozi'), metadata: { [name]: 'ftp://nowhere.example' } };
  await expect(signsIn()).rejects.toThrow(/only HTTP and HTTPS|PROTOCOL_FORBIDDEN/);
  issuer.forgery = of('ngozi');
  expect(await signsIn()).toBe(true);
});

describe('What the issuer answers is refused', () => {
  const right = of('Uche');
  const forged = (claims: object): Forgery => ({ claims: { ...right.claims, ...claims } });
  const now = Math.floor(Date.now() / 1_000);
  const uche = add('Uche');

  test.each<[what: string, Forgery, reason: string]>([
    ['another nonce', forged({ nonce: 'of somebody else' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['no nonce', forged({ nonce: undefined }), 'OAUTH_INVALID_RESPONSE'],
    ['another issuer', forged({ iss: 'https://evil.example' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['another audience', forged({ aud: 'another client' }), 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    [
      'several audiences without this client as the one that asked',
      forged({ aud: [CLIENT_ID, 'x'], azp: 'x' }),
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
    ],
    [
      'an ID token that has expired',
      forged({ iat: now - 7_200, exp: now - 3_600 }),
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    ],
    ['an ID token of the future', forged({ nbf: now + 3_600 }), 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['an unverified e-mail address', forged({ email_verified: false }), 'e-mail address not verified'],
    ['an e-mail address that may be unverified', forged({ email_verified: undefined }), 'e-mail address not verified'],
    ['a text in place of a verification', forged({ email_verified: 'true' }), 'e-mail address not verified'],
    ['no e-mail address', forged({ email: undefined }), 'no e-mail address in the ID token'],
    ['a list of e-mail addresses', forged({ email: ['Uche@surety.example'] }), 'no e-mail address in the ID token'],
    [
      'an e-mail address with an invisible character',
      forged({ email: 'Uche\u200b@surety.example' }),
      'person_not_found',
    ],
    ['an e-mail address in wide letters', forged({ email: '\uff35che@surety.example' }), 'person_not_found'],
    ['an e-mail address with a space', forged({ email: ' Uche@surety.example' }), 'person_not_found'],
    ['another signature', { ...right, signedBy: 'other key' }, 'OAUTH_INVALID_RESPONSE'],
    ['no signature', { ...right, signedBy: 'none', header: { alg: 'none' } }, 'OAUTH_INVALID_RESPONSE'],
    [
      'a signature of the client secret',
      { ...right, signedBy: 'client secret', header: { alg: 'HS256' } },
      'OAUTH_INVALID_RESPONSE',
    ],
    [
      'no ID token',
      { answer: { status: 200, body: { access_token: 'a', token_type: 'bearer' } } },
      'OAUTH_INVALID_RESPONSE',
    ],
    [
      'an error',
      { answer: { status: 400, body: { error: 'invalid_grant', error_description: 'secret' } } },
      'the issuer refuses: invalid_grant',
    ],
  ])('%s', async (_what, forgery, reason) => {
    const before = (await service.log()).length;
    expect(await signIn(forgery)).toBe(403);
    expect(await service.log()).toHaveLength(before);
    expect(
      /"reason":"([^"]+)"/.exec(service.logged.findLast((line) => line.includes('A sign-in was refused')) ?? '')?.[1],
    ).toBe(reason);
  });

  test('another state, none, an error, or a cookie of another sign-in or none', async () => {
    issuer.forgery = right;
    const [one, other] = [await begin(), await begin()];
    const state = one.query['state'] ?? '';
    for (const [search, cookie] of [
      [`code=c&state=${other.query['state']}`, one.cookie],
      ['code=c', one.cookie],
      [`code=c&state=${state}&state=${state}`, one.cookie],
      [`error=access_denied&error_description=secret&state=${state}`, one.cookie],
      [`code=c&state=${state}&iss=https://evil.example`, one.cookie],
      [`code=c&state=${state}`, ''],
      [`code=c&state=${state}`, one.cookie.slice(0, -1)],
      [`code=c&state=${state}`, one.cookie.replace('sign-in', 'session')],
      ['', ''],
    ] as const)
      expect([search, (await comeBack(search, cookie)).status]).toEqual([search, 403]);
    expect(service.logged.join('\n')).not.toMatch(/error_description|"secret"/);
    await uche;
    issuer.nonce = one.query['nonce'] ?? '';
    expect(await outcomeOf(await comeBack(`code=c&state=${state}`, one.cookie))).toBe('Uche');
  });

  test('but with OIDC_TRUST_EMAIL=on an address without a word on its verification is accepted', async () => {
    await add('Ngozi', trusting);
    expect(await signIn({ claims: { ...of('ngozi').claims, email_verified: false } }, trusting)).toBe(403);
    expect(await signIn({ claims: { ...of('ngozi').claims, email_verified: undefined } }, trusting)).toBe('Ngozi');
  });
});

const provider = await startProvider();
afterAll(() => provider.close());
const real = await startSuiteService({ publicUrl: PUBLIC_URL, http: { openIdConnect: clientOf(provider.url) } });

test('With oidc-provider a person signs in by the code flow with PKCE, once with each code', async () => {
  await add('Ibe', real);
  const { response, cookie } = await begin(real);
  const jar = new Map<string, string>();
  let next = response.headers.get('location') ?? '';
  for (let step = 0; step < 10 && !next.startsWith(CALLBACK); step++) {
    const Cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const page = await fetch(next, { redirect: 'manual', headers: { Cookie } });
    for (const set of page.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    expect([next, page.status]).toEqual([next, 303]);
    next = new URL(page.headers.get('location') ?? '', provider.url).href;
  }
  const search = new URL(next).search.slice(1);
  expect(await outcomeOf(await comeBack(search, (await begin(real)).cookie, real), real)).toBe(403);
  expect(await outcomeOf(await comeBack(search, cookie, real), real)).toBe('Ibe');
  expect((await comeBack(search, cookie, real)).status).toBe(403);
});

/** Starts an issuer at which one account is signed in and agrees to everything. */
async function startProvider(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = { sub: 'account-1', email: 'ibe@surety.example', email_verified: true };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const method of ['info', 'warn'] as const) jest.spyOn(console, method).mockImplementation(() => {});
  const issuer = new Provider(url, {
    clients: [{ client_id: CLIENT_ID, client_secret: SECRET_OF_CLIENT, redirect_uris: [CALLBACK] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['key of the cookies'] },
    features: { devInteractions: { enabled: false } },
    findAccount: () => ({ accountId: claims.sub, claims: () => claims }),
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
  });
  const handle = issuer.callback();
  const agree = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, grantId } = await issuer.interactionDetails(request, response);
    const accountId = claims.sub;
    if (prompt.name === 'login') return await issuer.interactionFinished(request, response, { login: { accountId } });
    const known = grantId === undefined ? undefined : await issuer.Grant.find(grantId);
    const grant = known ?? new issuer.Grant({ accountId, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email');
    const consent = { grantId: await grant.save() };
    await issuer.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  };
  server.on('request', (request, response) => {
    void (request.url?.startsWith('/interaction/') === true ? agree(request, response) : handle(request, response));
  });
  return { url, close: () => void server.close() };
}
