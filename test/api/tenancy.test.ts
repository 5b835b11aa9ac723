import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createMerchant,
  type EnvironmentFixture,
  importClaim,
  importTerm,
  termRow,
} from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
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
/** Visible to Acme in test mode only: registered with its test key, and not confirmed. */
const testOnly: { readonly providerId: string; readonly productId: string } = {
  providerId: registered.json.provider_id,
  productId,
};

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
      readonly body?: (ids: Ids) => object;
      /** Also names it in the query. */
      readonly search?: (ids: Ids) => string;
    }
  /** Shows only what is visible to the key; `hidden` returns texts that must not occur. */
  | { readonly kind: 'lists'; readonly path: string; readonly hidden: () => readonly string[] }
  /** Searches by the text in the body: nothing of another merchant or mode is found. */
  | { readonly kind: 'searches'; readonly texts: (environment: EnvironmentFixture) => readonly string[] }
  /** For platform keys only. */
  | { readonly kind: 'platform_only'; readonly search?: string; readonly body?: object }
  /** Has no id of a merchant's resource. */
  | { readonly kind: 'names_nothing' }
  /** Public, without data of merchants. */
  | { readonly kind: 'no_data' };

/** SHA-256 of the document of every claim of the fixtures. */
const DOCUMENT = createHash('sha256').update('a').digest('hex');
const claimDetails = { claim_type: 'Glass', incident_date: '2026-03-01' };
const documents = [{ document_name: 'a', evidence_type: 'b', blob: 'YQ==' }];
const namesNothing = { kind: 'names_nothing' } as const;
const namesOne = (body: (ids: Ids) => object): Case => ({ kind: 'names_one', body });

/** The case of every route that is not of the platform and does not merely read the resource in its path. */
const CASES: Readonly<Record<string, Case>> = {
  'POST /api/v1/quotes': namesNothing,
  'GET /api/v1/policies': { kind: 'platform_only' },
  'PATCH /api/v1/customers/:id': namesOne(() => ({ full_name: 'Not mine' })),
  'POST /api/v1/policies/:policy_id/auto_renew': namesOne(() => ({ auto_renew: true })),
  'PUT /api/v1/policies/:policy_id/beneficiaries': namesOne(() => ({ beneficiaries: [] })),
  'POST /api/v1/policies/:policy_id/changes': namesOne(() => ({
    changes: [{ action: 'add', coverage_name: 'Glass' }],
  })),
  'GET /api/v1/me': namesNothing,
  'GET /api/v1/work': namesNothing,
  'POST /api/v1/session': namesNothing,
  'DELETE /api/v1/session': namesNothing,
  'POST /api/v1/find': {
    kind: 'searches',
    texts: ({ policyId, customerId, claimId, claimReference }) => [policyId, customerId, claimId, claimReference],
  },
  'GET /api/v1/events': {
    kind: 'lists',
    path: '/api/v1/events?limit=1000',
    hidden: () => [acme.test.policyId, acme.test.claimId],
  },
  'GET /api/v1/claims': {
    kind: 'lists',
    path: '/api/v1/claims?limit=100',
    hidden: () => [acme.test.claimId],
  },
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
  'POST /api/v1/policies': namesOne(({ quoteCode }) => ({ quote_code: quoteCode })),
  'POST /api/v1/policies/renew': namesOne(({ policyId }) => ({
    policy_id: policyId,
    preferred_policy_start_date: '2027-01-01',
    policy_duration: 10,
  })),
  'POST /api/v1/policies/cancel': {
    kind: 'names_one',
    search: ({ policyId }) => `?policy_id=${policyId}`,
    body: () => ({ cancellation_reason: 'not mine' }),
  },
  'POST /api/v1/claims': namesOne(({ policyId }) => ({ policy_id: policyId, claim_details: claimDetails })),
  'POST /api/v1/claims/:id/documents': namesOne(() => ({ documents })),
  'POST /api/v1/claims/:id/offer/accept': namesOne(() => ({})),
  'POST /api/v1/claims/:id/offer/reject': namesOne(() => ({ reason: 'not mine' })),
  'POST /api/v1/claims/:id/withdraw': namesOne(() => ({ reason: 'not mine' })),
  'POST /api/v1/claims/:id/notes': namesOne(() => ({ text: 'not mine' })),
  'POST /api/v1/onboarding/providers/registration': namesNothing,
  // The token identifies the merchant; merchants-verification.test.ts checks tokens of other merchants.
  'GET /api/v1/merchants/:short_code/verify': namesNothing,
  'POST /onboarding/verify/:short_code': namesNothing,
  'GET /api/v1/audit/portfolio': { kind: 'platform_only', search: '?as_of=2026-03-10' },
  'POST /api/v1/admin/rebuilds': { kind: 'platform_only', body: {} },
  'POST /api/v1/admin/commands/:command': {
    kind: 'platform_only',
    body: { policy_id: randomUUID(), cancellation_reason: 'x', environment_id: 1 },
  },
};

/**
 * Returns the case of a route: one outside of the API has no data, one for the platform is for it alone, others name a
 * resource.
 */
function caseOf(name: string): Case {
  const path = name.split(' ')[1] ?? '';
  return (
    CASES[name] ??
    (path.startsWith('/api/v1/admin/')
      ? { kind: 'platform_only' }
      : path.startsWith('/api/')
        ? { kind: 'names_one' }
        : { kind: 'no_data' })
  );
}

/** Returns the path of a route to the resource with these ids. */
function pathOf(name: string, ids: Ids): string {
  const inPath: Readonly<Record<string, string>> = {
    policies: ids.policyId,
    customers: ids.customerId,
    claims: ids.claimId,
    quotes: ids.quoteCode,
    merchants: ids.shortCode,
    environments: ids.environment,
    documents: DOCUMENT,
    commands: 'CancelPolicy',
    verify: 'x',
    verifications: randomUUID(),
    rebuilds: randomUUID(),
  };
  return (name.split(' ')[1] ?? '').replace(/(\w+)\/:\w+/g, (_, collection: string) => {
    const id = inPath[collection];
    if (id === undefined) throw new Error(`${name}: which id names one of ${collection}?`);
    return `${collection}/${id}`;
  });
}

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

/**
 * Returns what the refusal says to a key about a resource that it may not see: its own merchant learns that it is in
 * the other mode.
 */
function refusalFor(key: string, missing: ApiResponse): unknown {
  const modes = { [acme.live.key]: ['live', 'test'], [acme.test.key]: ['test', 'live'] }[key];
  const [, thing] = /^(policy|claim|customer|quote)_not_found$/.exec(missing.json.code) ?? [];
  if (modes === undefined || thing === undefined) return withoutRequestId(missing);
  const [own, other] = modes;
  const detail = `There is no such ${thing} in ${own} mode, but there is one in ${other} mode: use a key or environment of that mode`;
  return withoutRequestId({ ...missing, json: { ...missing.json, detail, error: detail } });
}

function withoutRequestId({ json, status }: ApiResponse): unknown {
  return { status, body: { ...json, request_id: undefined } };
}

const routes = service.http.routes.map(({ method, path }) => `${method} ${path}`);

function casesOf<Kind extends Case['kind']>(kind: Kind): [string, Extract<Case, { kind: Kind }>][] {
  return routes
    .map((name) => [name, caseOf(name)] as const)
    .filter((entry): entry is [string, Extract<Case, { kind: Kind }>] => entry[1].kind === kind);
}

/** Reads of a resource at a point in time are reads of it too. */
const POINTS = [
  '?as_of=1000-01-01',
  '?as_of=2026-06-30',
  '?known_at=1000-01-01T00:00:00Z',
  '?known_at=2026-03-10T09:30:00Z',
];
const isReadAtPoints = (name: string): boolean =>
  /^GET \/api\/v1\/(policies|claims|customers)\/:\w+(\/terms)?$/.test(name);

describe('Every route of the registry', () => {
  test('is there for every case', () => {
    expect(Object.keys(CASES).filter((name) => !routes.includes(name))).toEqual([]);
  });

  test.each(casesOf('names_one'))(
    '%s: an id of another merchant gets the response for unknown ids, one of the other mode says so',
    async (name, { body, search }) => {
      const [method = '', path = ''] = name.split(' ');
      const acrossModes = /^\/api\/v1\/(merchants|environments)\//.test(path);
      const send = async (key: string, ids: Ids, point = ''): Promise<ApiResponse> => {
        const request = { key, ...(body === undefined ? {} : { body: body(ids) }) };
        return await service.send(method, `${pathOf(name, ids)}${search?.(ids) ?? point}`, request);
      };
      const before = (await service.log()).length;
      const otherKeys: [string, EnvironmentFixture][] = [
        [beta.live.key, acme.live],
        [beta.test.key, acme.live],
        [beta.live.key, acme.test],
        [beta.test.key, acme.test],
      ];
      if (!acrossModes) otherKeys.push([acme.test.key, acme.live], [acme.live.key, acme.test]);
      for (const point of ['', ...(isReadAtPoints(name) ? POINTS : [])]) {
        const missing = await send(beta.live.key, unknownIds(), point);
        expect(missing.status).toBe(404);
        expect(missing.json.code).toMatch(/^[a-z]+_not_found$/);
        for (const [key, environment] of otherKeys) {
          const response = await send(key, idsOf(environment), point);
          expect(withoutRequestId(response)).toEqual(refusalFor(key, missing));
          expect(response.headers.get('etag')).toBeNull();
        }
      }
      expect(await service.log()).toHaveLength(before);
      const own = await send(acme.live.key, method === 'GET' ? idsOf(acme.live) : unknownIds());
      expect(own.status).toBe(method === 'GET' ? 200 : 404);
      if (acrossModes) expect((await send(acme.live.key, idsOf(acme.test))).status).toBe(200);
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

  test.each(casesOf('searches'))('%s: finds nothing of other merchants or modes', async (name, { texts }) => {
    const [method = '', path = ''] = name.split(' ');
    const events = new Map(
      (await service.log()).map(({ id, stream }) => [stream.slice(stream.indexOf('-') + 1), id] as const),
    );
    const search = async (text: string, key: string): Promise<ApiResponse> =>
      await service.send(method, path, { key, body: { text } });
    const idOf = ({ id }: { readonly id: string }): string => id;
    for (const [own, others] of [
      [acme.live, [acme.test, beta.live, beta.test]],
      [acme.test, [acme.live, beta.live, beta.test]],
    ] as const) {
      const named = texts(own);
      for (const text of [...named, ...named.flatMap((id) => events.get(id) ?? [])]) {
        const [id] = (await search(text, own.key)).json.map(idOf);
        expect(named).toContain(id);
        for (const { key } of others) expect((await search(text, key)).json.map(idOf)).not.toContain(id);
      }
    }
    const [code, merchantEvent] = [acme.shortCode, events.get(acme.tenantId) ?? ''];
    for (const text of [code, merchantEvent]) {
      expect((await search(text, acme.live.key)).json).toHaveLength(1);
      expect((await search(text, beta.live.key)).text).toBe('[]');
    }
    const answers = [code, 'NON-0000'].map(async (short_code) =>
      withoutRequestId(await service.send(method, path, { key: beta.live.key, body: { text: 'MOT-1', short_code } })),
    );
    const [other, unknown] = await Promise.all(answers);
    expect(other).toEqual(unknown);
    expect(other).toMatchObject({ status: 404, body: { code: 'merchant_not_found' } });
  });

  test.each(casesOf('platform_only'))(
    '%s: answers 403 to a merchant key and changes nothing',
    async (name, { search = '', body }) => {
      const method = name.split(' ')[0] ?? '';
      const before = (await service.log()).length;
      const request = { key: acme.live.key, ...(body === undefined ? {} : { body }) };
      const response = await service.send(method, `${pathOf(name, idsOf(acme.live))}${search}`, request);
      expect([response.status, response.json.code]).toEqual([403, 'forbidden']);
      expect(await service.log()).toHaveLength(before);
    },
  );

  test.each(casesOf('no_data'))('%s: shows no data of merchants', async (name) => {
    const { text } = await service.send('GET', pathOf(name, unknownIds()));
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
  const REFERENCE = 'OLD-7';
  /** Imports a claim of the same reference in every environment. The same row again gives the same claim. */
  const importedClaims = async (): Promise<readonly (readonly [EnvironmentFixture, string])[]> =>
    await Promise.all(
      [acme.live, acme.test, beta.live, beta.test].map(async (environment) => {
        const { claim_id } = await importClaim(service, environment, REFERENCE);
        return [environment, claim_id] as const;
      }),
    );

  test('a renewal by policy number affects the policy of the caller', async () => {
    const body = { policy_number: 'MOT-1', preferred_policy_start_date: '2027-01-01', policy_duration: 10 };
    const response = await service.send('POST', '/api/v1/policies/renew', { key: beta.test.key, body });
    expect(response.json.data.policy_id).toBe(beta.test.policyId);
  });

  test('no two merchants or modes share the reference of a filed claim', () => {
    const references = [acme.live, acme.test, beta.live, beta.test].map(({ claimReference }) => claimReference);
    const parts = (shortCode: string) => [`CLAIM-${shortCode}-20260310-0001`, `TCLAIM-${shortCode}-20260310-0001`];
    expect(references).toEqual([...parts(acme.shortCode), ...parts(beta.shortCode)]);
  });

  test('each merchant sees its imported claim by the same reference', async () => {
    for (const [environment, claimId] of await importedClaims()) {
      const response = await service.send('GET', `/api/v1/claims/${REFERENCE}`, { key: environment.key });
      expect(response.json.claim_id).toBe(claimId);
    }
  });

  test('the platform must name the merchant of an ambiguous reference', async () => {
    const claims = await importedClaims();
    const path = `/api/v1/claims/${REFERENCE}`;
    const ambiguous = await service.send('GET', path, { key: ADMIN_KEY });
    expect([ambiguous.status, ambiguous.json.code]).toEqual([409, 'reference_ambiguous']);
    const candidates = ambiguous.json.candidates.map((one: { environment_id: number }) => one.environment_id);
    expect(candidates).toEqual([acme.live, acme.test, beta.live, beta.test].map(({ environmentId }) => environmentId));
    for (const [environment, claimId] of claims) {
      const unambiguous = await service.send('GET', `${path}?environment_id=${environment.environmentId}`, {
        key: ADMIN_KEY,
      });
      expect(unambiguous.json.claim_id).toBe(claimId);
    }
    const none = await service.send('GET', `${path}?environment_id=4711`, { key: ADMIN_KEY });
    expect([none.status, none.json.code]).toEqual([404, 'claim_not_found']);
  });

  test('only its merchant learns that a number or reference is in the other mode', async () => {
    await importTerm(service, acme.live.environmentId, termRow('ONLY-LIVE'));
    const claim_details = { claim_type: 'Glass', incident_date: '2026-03-01' };
    const filing = { policy_number: 'ONLY-LIVE', claim_details };
    const textsFor = async (key: string): Promise<readonly string[]> => {
      const responses = [
        await service.send('GET', '/api/v1/policies/only-live/terms', { key }),
        await service.send('POST', '/api/v1/policies/ONLY-LIVE/auto_renew', { key, body: { auto_renew: true } }),
        await service.send('POST', '/api/v1/claims', { key, body: filing }),
        await service.send('GET', `/api/v1/claims/${acme.live.claimReference}`, { key }),
        await service.send('POST', `/api/v1/claims/${acme.live.claimReference}/notes`, { key, body: { text: 'x' } }),
      ];
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
      return responses.map(({ json }) => json.detail);
    };
    const [policy, claim] = ['policy', 'claim'].map(
      (thing) =>
        `There is no such ${thing} in test mode, but there is one in live mode: use a key or environment of that mode`,
    );
    expect(await textsFor(acme.test.key)).toEqual([policy, policy, policy, claim, claim]);
    const [noPolicy, noClaim] = ['There is no such policy', 'There is no such claim'];
    expect(await textsFor(beta.test.key)).toEqual([noPolicy, noPolicy, noPolicy, noClaim, noClaim]);
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
