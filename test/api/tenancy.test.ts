import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMerchant, type MerchantFixture, type EnvironmentFixture } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';

let service: ApiService;
let acme: MerchantFixture;
let beta: MerchantFixture;
/** Visible to Acme in test mode only: registered with its test key, and not confirmed. */
let testOnly: { readonly providerId: string; readonly productId: string };

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  beta = await createMerchant(service, 'Beta');
  const registered = await service.send('POST', '/api/v1/onboarding/providers/registration', {
    key: acme.test.key,
    body: { name: 'Only In Test', support_email: 'a@b.example', support_phone: '1' },
  });
  const { product_id: productId } = await service.admin('AddProduct', {
    provider_id: registered.json.provider_id,
    name: 'Test product',
    description: 'For trying',
    product_type: 'Travel',
    base_premium: '10',
  });
  testOnly = { providerId: registered.json.provider_id, productId };
});

afterAll(async () => {
  await service.stop();
});

/** The ids in a request. */
type Ids = Pick<EnvironmentFixture, 'policyId' | 'customerId' | 'claimId' | 'quoteCode'> & {
  readonly environment: string;
  readonly shortCode: string;
};

/** How a route treats the ids of other merchants. */
type Case =
  /** Names one resource: a resource of another merchant gets the same response as a missing one. */
  | {
      readonly kind: 'names_one';
      readonly request: (ids: Ids) => { readonly path: string; readonly body?: object };
      /** A merchant sees its live and test environments; all other resources are visible in their mode only. */
      readonly acrossModes?: true;
    }
  /** Shows only what is visible to the key; `hidden` returns texts that must not occur. */
  | { readonly kind: 'lists'; readonly path: string; readonly hidden: () => readonly string[] }
  /** For platform keys only. */
  | { readonly kind: 'platform_only'; readonly path: string; readonly body?: object }
  /** Has no id of a merchant's resource. */
  | { readonly kind: 'names_nothing' }
  /** Public, without data of merchants. */
  | { readonly kind: 'no_data'; readonly path: string };

/** SHA-256 of the document of every claim of the fixtures. */
const DOCUMENT = createHash('sha256').update('a').digest('hex');
const claimDetails = { claim_type: 'Glass', incident_date: '2026-03-01' };

/** A case for every route of the registry; a missing route fails the first test. */
const CASES: Readonly<Record<string, Case>> = {
  'GET /api/v1/quotes/:quote_code': {
    kind: 'names_one',
    request: ({ quoteCode }) => ({ path: `/api/v1/quotes/${quoteCode}` }),
  },
  'POST /api/v1/quotes': { kind: 'names_nothing' },
  'GET /api/v1/policies': { kind: 'platform_only', path: '/api/v1/policies' },
  'GET /api/v1/policies/:policy_id': {
    kind: 'names_one',
    request: ({ policyId }) => ({ path: `/api/v1/policies/${policyId}` }),
  },
  'GET /api/v1/customers/:id': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}` }),
  },
  'PATCH /api/v1/customers/:id': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}`, body: { full_name: 'Not mine' } }),
  },
  'GET /api/v1/customers/:id/policies': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}/policies` }),
  },
  'GET /api/v1/customers/:id/claims': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}/claims` }),
  },
  'GET /api/v1/customers/:id/transactions': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}/transactions` }),
  },
  'GET /api/v1/claims/:id': {
    kind: 'names_one',
    request: ({ claimId }) => ({ path: `/api/v1/claims/${claimId}` }),
  },
  'GET /api/v1/policies/:policy_id/terms': {
    kind: 'names_one',
    request: ({ policyId }) => ({ path: `/api/v1/policies/${policyId}/terms` }),
  },
  'GET /api/v1/policies/:policy_id/transactions': {
    kind: 'names_one',
    request: ({ policyId }) => ({ path: `/api/v1/policies/${policyId}/transactions` }),
  },
  'POST /api/v1/policies/:policy_id/auto_renew': {
    kind: 'names_one',
    request: ({ policyId }) => ({ path: `/api/v1/policies/${policyId}/auto_renew`, body: { auto_renew: true } }),
  },
  'GET /api/v1/policies/:policy_id/history': {
    kind: 'names_one',
    request: ({ policyId }) => ({ path: `/api/v1/policies/${policyId}/history` }),
  },
  'GET /api/v1/customers/:id/history': {
    kind: 'names_one',
    request: ({ customerId }) => ({ path: `/api/v1/customers/${customerId}/history` }),
  },
  'GET /api/v1/claims/:id/history': {
    kind: 'names_one',
    request: ({ claimId }) => ({ path: `/api/v1/claims/${claimId}/history` }),
  },
  'GET /api/v1/merchants/:short_code/history': {
    kind: 'names_one',
    request: ({ shortCode }) => ({ path: `/api/v1/merchants/${shortCode}/history` }),
    acrossModes: true,
  },
  ...Object.fromEntries(
    ['policies', 'customers', 'claims', 'environments'].map((list) => [
      `GET /api/v1/merchants/:short_code/${list}`,
      {
        kind: 'names_one',
        request: ({ shortCode }) => ({ path: `/api/v1/merchants/${shortCode}/${list}` }),
        acrossModes: true,
      } satisfies Case,
    ]),
  ),
  'GET /api/v1/environments/:id': {
    kind: 'names_one',
    request: ({ environment }) => ({ path: `/api/v1/environments/${environment}` }),
    acrossModes: true,
  },
  'GET /api/v1/environments/:id/keys': {
    kind: 'names_one',
    request: ({ environment }) => ({ path: `/api/v1/environments/${environment}/keys` }),
    acrossModes: true,
  },
  'GET /api/v1/me': { kind: 'names_nothing' },
  'GET /api/v1/merchants': { kind: 'lists', path: '/api/v1/merchants', hidden: privateTexts },
  'GET /api/v1/merchants/:short_code': { kind: 'lists', path: '/api/v1/merchants/ACME', hidden: privateTexts },
  'GET /api/v1/products': { kind: 'lists', path: '/api/v1/products?limit=100', hidden: () => [testOnly.productId] },
  'GET /api/v1/products/:id': { kind: 'lists', path: '/api/v1/products/TEST', hidden: () => ['Test product'] },
  'GET /api/v1/insurers': { kind: 'lists', path: '/api/v1/insurers?limit=100', hidden: () => [testOnly.providerId] },
  'GET /api/v1/providers/search': {
    kind: 'lists',
    path: '/api/v1/providers/search?name=only%20in',
    hidden: () => [testOnly.providerId],
  },
  'POST /api/v1/policies': {
    kind: 'names_one',
    request: ({ quoteCode: quote_code }) => ({ path: '/api/v1/policies', body: { quote_code } }),
  },
  'POST /api/v1/policies/renew': {
    kind: 'names_one',
    request: ({ policyId: policy_id }) => ({
      path: '/api/v1/policies/renew',
      body: { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: 10 },
    }),
  },
  'POST /api/v1/policies/cancel': {
    kind: 'names_one',
    request: ({ policyId: policy_id }) => ({
      path: `/api/v1/policies/cancel?policy_id=${policy_id}`,
      body: { cancellation_reason: 'not mine' },
    }),
  },
  'POST /api/v1/claims': {
    kind: 'names_one',
    request: ({ policyId: policy_id }) => ({
      path: '/api/v1/claims',
      body: { policy_id, claim_details: claimDetails },
    }),
  },
  'GET /api/v1/claims/:id/documents/:sha256': {
    kind: 'names_one',
    request: ({ claimId }) => ({ path: `/api/v1/claims/${claimId}/documents/${DOCUMENT}` }),
  },
  'POST /api/v1/claims/:id/documents': {
    kind: 'names_one',
    request: ({ claimId }) => ({
      path: `/api/v1/claims/${claimId}/documents`,
      body: { documents: [{ document_name: 'a', evidence_type: 'b', blob: 'YQ==' }] },
    }),
  },
  'POST /api/v1/claims/:id/offer/accept': {
    kind: 'names_one',
    request: ({ claimId }) => ({ path: `/api/v1/claims/${claimId}/offer/accept`, body: {} }),
  },
  'POST /api/v1/claims/:id/offer/reject': {
    kind: 'names_one',
    request: ({ claimId }) => ({ path: `/api/v1/claims/${claimId}/offer/reject`, body: { reason: 'not mine' } }),
  },
  'POST /api/v1/onboarding/providers/registration': { kind: 'names_nothing' },
  // The token identifies the merchant; merchants-verification.test.ts checks tokens of other merchants.
  'GET /api/v1/merchants/:short_code/verify': { kind: 'names_nothing' },
  'GET /onboarding/verify/:short_code': { kind: 'no_data', path: '/onboarding/verify/x' },
  'POST /onboarding/verify/:short_code': { kind: 'names_nothing' },
  'GET /api/v1/admin/mail-jobs': { kind: 'platform_only', path: '/api/v1/admin/mail-jobs' },
  'GET /api/v1/admin/keys': { kind: 'platform_only', path: '/api/v1/admin/keys' },
  'GET /api/v1/admin/parked': { kind: 'platform_only', path: '/api/v1/admin/parked' },
  'GET /api/v1/audit/portfolio': { kind: 'platform_only', path: '/api/v1/audit/portfolio?as_of=2026-03-10' },
  'POST /api/v1/admin/verifications': { kind: 'platform_only', path: '/api/v1/admin/verifications' },
  'GET /api/v1/admin/verifications/:verification_id': {
    kind: 'platform_only',
    path: `/api/v1/admin/verifications/${randomUUID()}`,
  },
  'POST /api/v1/admin/rebuilds': { kind: 'platform_only', path: '/api/v1/admin/rebuilds', body: {} },
  'GET /api/v1/admin/rebuilds/:rebuild_id': {
    kind: 'platform_only',
    path: `/api/v1/admin/rebuilds/${randomUUID()}`,
  },
  'GET /api/v1/admin/commands': { kind: 'platform_only', path: '/api/v1/admin/commands' },
  'POST /api/v1/admin/commands/:command': {
    kind: 'platform_only',
    path: '/api/v1/admin/commands/CancelPolicy',
    body: { policy_id: randomUUID(), cancellation_reason: 'x', environment_id: 1 },
  },
  'GET /': { kind: 'no_data', path: '/' },
  'GET /openapi.json': { kind: 'no_data', path: '/openapi.json' },
  'GET /docs': { kind: 'no_data', path: '/docs' },
  'GET /docs/errors': { kind: 'no_data', path: '/docs/errors' },
  'GET /docs/events': { kind: 'no_data', path: '/docs/events' },
  'GET /docs/start.js': { kind: 'no_data', path: '/docs/start.js' },
  'GET /docs/swagger-ui-bundle.js': { kind: 'no_data', path: '/docs/swagger-ui-bundle.js' },
  'GET /docs/swagger-ui.css': { kind: 'no_data', path: '/docs/swagger-ui.css' },
  'GET /docs/favicon-32x32.png': { kind: 'no_data', path: '/docs/favicon-32x32.png' },
  'GET /livez': { kind: 'no_data', path: '/livez' },
  'GET /readyz': { kind: 'no_data', path: '/readyz' },
  'GET /metrics': { kind: 'no_data', path: '/metrics' },
};

function privateTexts(): readonly string[] {
  return [acme.tenantId, 'office@acme.example', 'TIN-Acme', 'RC-Acme', 'Street of Acme'];
}

function idsOf(environment: EnvironmentFixture): Ids {
  const { shortCode } = [acme, beta].find(({ live, test }) => live === environment || test === environment) ?? acme;
  return { ...environment, environment: String(environment.environmentId), shortCode };
}

function unknownIds(): Ids {
  const [policyId, customerId, claimId] = [randomUUID(), randomUUID(), randomUUID()];
  const quoteCode = 'Quo_00000_00000000';
  return { policyId, customerId, claimId, quoteCode, environment: '987654', shortCode: 'NON-0000' };
}

function withoutRequestId({ json, status }: ApiResponse): unknown {
  return { status, body: { ...json, request_id: undefined } };
}

function casesOf<Kind extends Case['kind']>(kind: Kind): [string, Extract<Case, { kind: Kind }>][] {
  return Object.entries(CASES).filter(
    (entry): entry is [string, Extract<Case, { kind: Kind }>] => entry[1].kind === kind,
  );
}

describe('Every route of the registry', () => {
  test('has a case here, and every case has a route', () => {
    const routes = service.http.routes.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(CASES).sort()).toEqual(routes.sort());
  });

  test.each(casesOf('names_one'))(
    '%s: ids of another merchant or mode get the response for unknown ids',
    async (name, { request, acrossModes }) => {
      const method = name.split(' ')[0] ?? '';
      const send = async (key: string, ids: Ids): Promise<ApiResponse> => {
        const { path, body } = request(ids);
        return await service.send(method, path, { key, ...(body === undefined ? {} : { body }) });
      };
      const before = (await service.log()).length;
      const missing = await send(beta.live.key, unknownIds());
      expect(missing.status).toBe(404);
      expect(missing.json.code).toMatch(/^[a-z]+_not_found$/);
      const otherKeys: [string, EnvironmentFixture][] = [
        [beta.live.key, acme.live],
        [beta.test.key, acme.live],
        [beta.live.key, acme.test],
        [beta.test.key, acme.test],
      ];
      if (acrossModes !== true) otherKeys.push([acme.test.key, acme.live], [acme.live.key, acme.test]);
      for (const [key, environment] of otherKeys) {
        const response = await send(key, idsOf(environment));
        expect(withoutRequestId(response)).toEqual(withoutRequestId(missing));
        expect(response.headers.get('etag')).toBeNull();
      }
      expect(await service.log()).toHaveLength(before);
      const own = await send(acme.live.key, method === 'GET' ? idsOf(acme.live) : unknownIds());
      expect(own.status).toBe(method === 'GET' ? 200 : 404);
      if (acrossModes === true) expect((await send(acme.live.key, idsOf(acme.test))).status).toBe(200);
    },
  );

  test.each(casesOf('lists'))('%s: shows nothing of other merchants or modes', async (name, { path, hidden }) => {
    const real = path.replace('ACME', acme.shortCode).replace('TEST', testOnly.productId);
    const readWith = async (key: string): Promise<string> => (await service.send('GET', real, { key })).text;
    for (const text of hidden()) {
      const isOfMerchant = name.includes('merchants');
      const others = [beta.live, beta.test, ...(isOfMerchant ? [] : [acme.live])];
      for (const { key } of others) expect(await readWith(key)).not.toContain(text);
      expect(await readWith((isOfMerchant ? acme.live : acme.test).key)).toContain(text);
      const test = isOfMerchant || name.includes(':id') ? '' : `${path.includes('?') ? '&' : '?'}test_mode=true`;
      expect((await service.send('GET', `${real}${test}`, { key: ADMIN_KEY })).text).toContain(text);
    }
  });

  test.each(casesOf('platform_only'))(
    '%s: answers 403 to a merchant key and changes nothing',
    async (name, { path, body }) => {
      const method = name.split(' ')[0] ?? '';
      const before = (await service.log()).length;
      const response = await service.send(method, path, {
        key: acme.live.key,
        ...(body === undefined ? {} : { body }),
      });
      expect([response.status, response.json.code]).toEqual([403, 'forbidden']);
      expect(await service.log()).toHaveLength(before);
    },
  );

  test.each(casesOf('no_data'))('%s: shows no data of merchants', async (_, { path }) => {
    const { text } = await service.send('GET', path);
    for (const environment of [acme.live, acme.test, beta.live]) {
      for (const id of [
        environment.policyId,
        environment.customerId,
        environment.claimId,
        environment.key,
        environment.policyNumber,
      ]) {
        expect(text).not.toContain(id);
      }
    }
    for (const secret of [...privateTexts(), acme.shortCode]) expect(text).not.toContain(secret);
  });
});

describe('The same names used by several merchants', () => {
  test('a renewal by policy number affects the policy of the caller', async () => {
    const body = { policy_number: 'MOT-1', preferred_policy_start_date: '2027-01-01', policy_duration: 10 };
    const response = await service.send('POST', '/api/v1/policies/renew', { key: beta.test.key, body });
    expect(response.json.data.policy_id).toBe(beta.test.policyId);
  });

  test('each merchant sees its claim by the same reference', async () => {
    for (const environment of [acme.live, acme.test, beta.live, beta.test]) {
      expect(environment.claimReference).toBe(acme.live.claimReference);
      const response = await service.send('GET', `/api/v1/claims/${environment.claimReference}`, {
        key: environment.key,
      });
      expect(response.json.claim_id).toBe(environment.claimId);
    }
  });

  test('the platform must name the merchant of an ambiguous reference', async () => {
    const path = `/api/v1/claims/${acme.live.claimReference}`;
    const ambiguous = await service.send('GET', path, { key: ADMIN_KEY });
    expect([ambiguous.status, ambiguous.json.code]).toEqual([409, 'reference_ambiguous']);
    for (const environment of [acme.live, acme.test, beta.live]) {
      const unambiguous = await service.send('GET', `${path}?environment_id=${environment.environmentId}`, {
        key: ADMIN_KEY,
      });
      expect(unambiguous.json.claim_id).toBe(environment.claimId);
    }
    const none = await service.send('GET', `${path}?environment_id=4711`, { key: ADMIN_KEY });
    expect([none.status, none.json.code]).toEqual([404, 'claim_not_found']);
  });

  test('a platform key reads live and test resources of every merchant by id', async () => {
    for (const environment of [acme.live, acme.test, beta.live]) {
      for (const path of [
        `policies/${environment.policyId}`,
        `customers/${environment.customerId}`,
        `claims/${environment.claimId}`,
      ]) {
        expect((await service.send('GET', `/api/v1/${path}`, { key: ADMIN_KEY })).status).toBe(200);
      }
    }
  });

  test('a merchant key cannot list the other mode: 400 names test_mode', async () => {
    const response = await service.send('GET', '/api/v1/products?test_mode=true', { key: acme.live.key });
    expect(response.status).toBe(400);
    expect(response.json.errors).toMatchObject([{ field: 'test_mode' }]);
  });
});
