import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { post } from '../support/policy-with-history.ts';
import { startSuiteService } from '../support/suite-service.ts';

/** Ids of Acme's live policies, by number. */
const policyIds = new Map<string, string>();

/** Acme's live policies besides MOT-1, oldest first. The day of the tests is 2026-03-10. */
const POLICIES: readonly (readonly [string, Parameters<typeof termRow>[1]])[] = [
  ['GADGET-1', { product_type: 'Gadget' }],
  ['OVER-1', { term_from: '2025-01-01', term_through: '2025-12-31' }],
  ['FLEET-1', { customer_email: 'fleet@customers.example' }],
  ['FLEET-2', { customer_email: 'fleet@customers.example', product_type: 'Gadget' }],
  ['FLEET-3', { customer_email: 'fleet@customers.example', term_from: '2026-02-01', term_through: '2026-11-30' }],
  ['LATER-1', { term_from: '2026-04-01', term_through: '2026-10-31' }],
];

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
const beta = await createMerchant(service, 'Beta');
policyIds.set('MOT-1', acme.live.policyId);
for (const [index, [number, changes]] of POLICIES.entries()) {
  service.clock.now = `2026-03-10T10:00:0${index}.000Z`;
  const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(number, changes));
  policyIds.set(number, policy_id);
}
const body = { policy_number: 'FLEET-2', cancellation_reason: 'sold' };
await service.send('POST', '/api/v1/policies/cancel', { key: acme.live.key, body });

async function list(path: string, key = acme.live.key, shortCode = acme.shortCode): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/merchants/${shortCode}/${path}`, { key });
}

/** Returns the pages from the path to the end. */
async function walk(path: string, key = acme.live.key): Promise<readonly ApiResponse[]> {
  const pages: ApiResponse[] = [await list(path, key)];
  for (let next = pages[0]?.json.next; next !== null; next = pages.at(-1)?.json.next)
    pages.push(await service.send('GET', next.slice(service.url.length), { key }));
  return pages;
}

const numbersOf = (pages: readonly ApiResponse[]): readonly string[] =>
  pages.flatMap(({ json }) => json.results.map(({ policy_number }: { policy_number: string }) => policy_number));

const ALL = ['LATER-1', 'FLEET-3', 'FLEET-2', 'FLEET-1', 'OVER-1', 'GADGET-1', 'MOT-1'];

describe('The policies of a merchant', () => {
  test('come newest first, and following next gives each once', async () => {
    const pages = await walk('policies/?limit=3');
    for (const page of pages)
      expectDocumentedBody(page, getRoute(service, 'GET', '/api/v1/merchants/:short_code/policies'));
    expect(pages.map(({ json }) => json.results.length)).toEqual([3, 3, 1]);
    expect(numbersOf(pages)).toEqual(ALL);
    const [first, , last] = pages;
    expect(Object.keys(first?.json)).toEqual(['next', 'results']);
    expect(first?.json.next).toMatch(`${service.url}/api/v1/merchants/${acme.shortCode}/policies/?limit=3&after=`);
    expect(first?.headers.get('link')).toBe(`<${first?.json.next}>; rel="next"`);
    expect([last?.json.next, last?.headers.get('link')]).toEqual([null, null]);
    const single = await service.send('GET', '/api/v1/policies/MOT-1', { key: acme.live.key });
    expect(last?.json.results).toEqual([single.json]);
  });

  test('have no next after a page that ends with the last', async () => {
    expect((await list('policies?limit=7')).json.next).toBeNull();
    expect((await list('policies')).json.results).toHaveLength(7);
  });

  test.each([
    ['status=cancelled', ['FLEET-2']],
    ['status=accepted', ['LATER-1']],
    ['status=active', ALL.filter((number) => number !== 'FLEET-2' && number !== 'LATER-1')],
    ['product_type=Gadget', ['FLEET-2', 'GADGET-1']],
    ['product_type=Gadget&status=active', ['GADGET-1']],
    ['product_type=Gadget&status=cancelled', ['FLEET-2']],
    ['product_type=Travel', []],
    ['customer_id=FLEET', ['FLEET-3', 'FLEET-2', 'FLEET-1']],
    ['customer_id=FLEET&product_type=Auto&status=active', ['FLEET-3', 'FLEET-1']],
    ['customer_reference=REF-Fleet%20', ['FLEET-3', 'FLEET-2', 'FLEET-1']],
    ['customer_reference=ref-fleet&customer_id=FLEET&product_type=Auto', ['FLEET-3', 'FLEET-1']],
    ['customer_reference=ref-mot-1&customer_id=FLEET', []],
    ['customer_reference=unknown', []],
    ['policy_number=over-1', ['OVER-1']],
    ['policy_number=%20Over-1', ['OVER-1']],
    ['policy_number=OVER-1&status=cancelled', []],
    ['policy_number=OVER-1&customer_id=FLEET', []],
    ['policy_number=OVER', []],
    ['in_force_on=2026-03-10', ['FLEET-3', 'FLEET-2', 'FLEET-1', 'GADGET-1', 'MOT-1']],
    ['in_force_on=2026-03-11', ['FLEET-3', 'FLEET-1', 'GADGET-1', 'MOT-1']],
    ['in_force_on=2025-12-31', ['OVER-1']],
    ['in_force_on=2026-04-01&product_type=Auto', ['LATER-1', 'FLEET-3', 'FLEET-1', 'MOT-1']],
    ['in_force_on=2026-01-31&customer_id=FLEET', ['FLEET-2', 'FLEET-1']],
    ['in_force_on=2027-01-01', []],
    // FLEET-2 was cancelled today, so it is in force through the day.
    ['cover=in_force', ['FLEET-3', 'FLEET-2', 'FLEET-1', 'GADGET-1', 'MOT-1']],
    ['cover=in_force&status=cancelled', ['FLEET-2']],
    ['cover=not_begun', ['LATER-1']],
    ['cover=expired', ['OVER-1']],
    ['cover=expired&status=active&product_type=Auto', ['OVER-1']],
    ['cover=expired&policy_number=fleet-1', []],
    ['cover=cancelled', []],
    // Their order is that of the renewal dates. A cancelled policy has none.
    ['renewal_from=2026-11-01&renewal_through=2026-12-01', ['LATER-1', 'FLEET-3']],
    ['renewal_from=2026-11-02&renewal_through=2026-11-30', []],
    ['renewal_through=2026-11-30', ['OVER-1', 'LATER-1']],
    ['renewal_from=2026-12-01', ['FLEET-3', 'MOT-1', 'GADGET-1', 'FLEET-1']],
    ['renewal_from=2026-12-01&product_type=Auto&customer_id=FLEET', ['FLEET-3', 'FLEET-1']],
    ['renewal_from=2026-01-01&policy_number=fleet-1', ['FLEET-1']],
    ['renewal_from=2027-01-02&policy_number=fleet-1', []],
  ])('are filtered by %s', async (search, expected) => {
    const fleet = await service.send('GET', '/api/v1/policies/FLEET-1', { key: acme.live.key });
    const filters = search.replace('FLEET', fleet.json.policy_holder.customer_id);
    expect(numbersOf([await list(`policies?${filters}`)])).toEqual(expected);
    expect(numbersOf(await walk(`policies?limit=1&${filters}`))).toEqual(expected);
  });

  test.each([
    ['renewal_from=2026-02-01&renewal_through=2026-01-31', 'renewal_through', 'must not be before `renewal_from`'],
    ['after=zzz', 'after', 'must be the cursor in a `next` of this list, with the same filters'],
  ])('are refused with %s, also where no customer has the reference', async (search, field, message) => {
    for (const more of ['', '&customer_reference=unknown']) {
      const { status, json } = await list(`policies?${search}${more}`);
      expect([status, json.errors]).toEqual([400, [{ field, message }]]);
    }
  });

  test('by renewal date count days in the zone of each policy', async () => {
    const { shortCode, live } = await createMerchant(service, 'Epsilon');
    const { environment_id } = await service.admin('CreateEnvironment', {
      short_code: shortCode,
      environment_name: 'East',
      test_mode: false,
      time_zone: 'Pacific/Kiritimati',
    });
    await importTerm(service, environment_id, termRow('EAST-1', { term_through: '2026-06-30' }));
    const { json } = await list('policies?renewal_from=2026-07-01&renewal_through=2026-07-01', live.key, shortCode);
    expect(json.results).toMatchObject([{ policy_number: 'EAST-1', renewal_date: '2026-06-30T10:00:00.000Z' }]);
  });

  test('by renewal date show a renewed policy at its new date, and not after its end', async () => {
    const { live, shortCode } = await createMerchant(service, 'Delta');
    const due = async (search: string) => numbersOf([await list(`policies?${search}`, live.key, shortCode)]);
    expect(await due('renewal_through=2027-01-01')).toEqual(['MOT-1']);
    const renewal = { preferred_policy_start_date: '2027-01-01', policy_duration: 31 };
    await post(service, live.key, 'policies/renew', { policy_id: live.policyId, ...renewal });
    expect(await due('renewal_through=2027-01-31')).toEqual([]);
    expect(await due('renewal_from=2027-02-01&renewal_through=2027-02-01')).toEqual(['MOT-1']);
    await post(service, live.key, 'policies/cancel', { policy_id: live.policyId, cancellation_reason: 'sold' });
    expect(await due('renewal_from=2026-01-01')).toEqual([]);
  });

  test('of another merchant are not found by number or customer', async () => {
    const { policy_id } = await importTerm(service, beta.live.environmentId, termRow('BETA-1'));
    const { policy_holder } = (await service.send('GET', `/api/v1/policies/${policy_id}`, { key: beta.live.key })).json;
    for (const search of ['policy_number=BETA-1', `customer_id=${policy_holder.customer_id}`])
      expect((await list(`policies?${search}`)).json).toEqual({ next: null, results: [] });
  });
});

describe('The customers of a merchant', () => {
  test('have no lists, and links to them', async () => {
    const response = await list('customers?limit=100');
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants/:short_code/customers'));
    expect(response.json.results).toHaveLength(5);
    const { results } = (await list('customers?email=FLEET@customers.EXAMPLE')).json;
    const { customer_id } = results[0];
    expect(results).toEqual([
      {
        customer_id,
        customer_reference: 'ref-fleet',
        full_name: 'Holder of FLEET-1',
        customer_email: 'fleet@customers.example',
        customer_phone: '+234 1 000',
        date_of_birth: '1980-05-17',
        address: '1 Marina, Lagos',
        merchant_short_code: acme.shortCode,
        test_mode: false,
        links: {
          policies: `/api/v1/customers/${customer_id}/policies/`,
          claims: `/api/v1/customers/${customer_id}/claims/`,
          transactions: `/api/v1/customers/${customer_id}/transactions/`,
        },
      },
    ]);
    expect((await list('customers?customer_reference=REF-fleet')).json.results).toEqual(results);
    expect((await list('customers?customer_reference=ref-fleet&email=mot-1@customers.example')).json.results).toEqual(
      [],
    );
    expect((await walk('customers?limit=2')).map(({ json }) => json.results.length)).toEqual([2, 2, 1]);
    expect((await list('customers?email=beta-1@customers.example')).json.results).toEqual([]);
  });
});

describe('The claims of a merchant', () => {
  test('are filtered by status and policy, and have no documents', async () => {
    const claimIds: string[] = [acme.live.claimId];
    for (const policy_number of ['GADGET-1', 'GADGET-1', 'FLEET-1']) {
      service.clock.now = `2026-03-10T11:00:0${claimIds.length}.000Z`;
      const claim_details = { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '10.00' };
      const body = { policy_number, claim_details };
      claimIds.push((await service.send('POST', '/api/v1/claims', { key: acme.live.key, body })).json.claim_id);
    }
    await service.admin('DenyClaim', { claim_id: claimIds[2], reason: 'late' });
    const [pending, denied] = ['claim_status=pending', 'claim_status=denied'];
    const gadget = `policy_id=${policyIds.get('GADGET-1')}`;
    for (const [search, expected] of [
      ['', claimIds],
      [pending, [claimIds[0], claimIds[1], claimIds[3]]],
      [denied, [claimIds[2]]],
      ['claim_status=open', [claimIds[0], claimIds[1], claimIds[3]]],
      [gadget, [claimIds[1], claimIds[2]]],
      [`${gadget}&claim_status=open`, [claimIds[1]]],
      [`${gadget}&${denied}`, [claimIds[2]]],
      [`policy_id=${beta.live.policyId}`, []],
    ] as const) {
      const pages = await walk(`claims/?limit=2&${search}`);
      for (const page of pages)
        expectDocumentedBody(page, getRoute(service, 'GET', '/api/v1/merchants/:short_code/claims'));
      const found = pages.flatMap(({ json }) => json.results.map(({ claim_id }: { claim_id: string }) => claim_id));
      expect([search, found]).toEqual([search, expected.toReversed()]);
    }
    const single = (await service.send('GET', `/api/v1/claims/${acme.live.claimId}`, { key: acme.live.key })).json;
    const { documents: _, ...item } = single;
    expect((await list('claims')).json.results.at(-1)).toEqual(item);
  });

  test('are listed below their policy, as they are now', async () => {
    const read = async (path: string) => await service.send('GET', path, { key: acme.live.key });
    const ofPolicy = (await list(`claims?policy_id=${policyIds.get('GADGET-1')}`)).json.results;
    const first = await read('/api/v1/policies/gadget-1/claims/?limit=1');
    expectDocumentedBody(first, getRoute(service, 'GET', '/api/v1/policies/:policy_id/claims'));
    const second = await read(first.json.next.slice(service.url.length));
    expect([...first.json.results, ...second.json.results]).toEqual(ofPolicy);
    expect(ofPolicy.map(({ claim_status }: { claim_status: string }) => claim_status)).toEqual(['denied', 'pending']);
    expect(second.json.next).toBeNull();
    const other = await read(`/api/v1/policies/OVER-1/claims/${new URL(first.json.next).search}`);
    expect([other.status, other.json.errors]).toMatchObject([400, [{ field: 'after' }]]);
  });
});

describe('A list of a merchant', () => {
  test.each(['policies', 'customers', 'claims'])('shows one mode of one merchant: %s', async (items) => {
    const id = { policies: 'policy_id', customers: 'customer_id', claims: 'claim_id' }[items] ?? '';
    const idsIn = async (path: string, key: string): Promise<readonly string[]> =>
      (await list(path, key)).json.results.map((item: Record<string, string>) => item[id]);
    const idOf = { policies: 'policyId', customers: 'customerId', claims: 'claimId' }[items] as 'policyId';
    expect(await idsIn(items, acme.test.key)).toEqual([acme.test[idOf]]);
    expect(await idsIn(`${items}?test_mode=true`, ADMIN_KEY)).toEqual([acme.test[idOf]]);
    const live = await idsIn(items, acme.live.key);
    expect(live).toContain(acme.live[idOf]);
    expect(await idsIn(items, ADMIN_KEY)).toEqual(live);
    const lowerCase = await list(items, acme.live.key, acme.shortCode.toLowerCase());
    expect(lowerCase.json.results).toHaveLength(live.length);
    const other = await list(items, beta.live.key);
    const unknown = await list(items, beta.live.key, 'NON-0000');
    for (const response of [other, unknown])
      expect([response.status, response.json.code]).toEqual([404, 'merchant_not_found']);
    const otherMode = await list(`${items}?test_mode=true`, acme.live.key);
    expect([otherMode.status, otherMode.json.errors[0].field]).toEqual([400, 'test_mode']);
  });

  test('refuses a cursor of another list, merchant, mode or set of filters, and a changed one', async () => {
    const cursorOf = async (path: string, key = acme.live.key): Promise<string> =>
      new URL((await list(`${path}${path.includes('?') ? '&' : '?'}limit=1`, key)).json.next).searchParams.get(
        'after',
      ) ?? '';
    const cursor = await cursorOf('policies');
    await importTerm(service, acme.test.environmentId, termRow('TEST-2'));
    const cases: readonly (readonly [string, string, string?])[] = [
      ['customers', cursor],
      ['policies?status=active', cursor],
      ['policies', await cursorOf('policies?status=active')],
      ['policies', await cursorOf('policies', acme.test.key)],
      ['policies?test_mode=true', cursor, ADMIN_KEY],
      ['policies', `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`],
      ['policies', 'next'],
    ];
    for (const [path, after, key] of cases) {
      const response = await list(`${path}${path.includes('?') ? '&' : '?'}after=${after}`, key);
      expect([path, response.status, response.json.code]).toEqual([path, 400, 'invalid_request']);
      expect(response.json.errors).toMatchObject([{ field: 'after' }]);
    }
    const ofBeta = await list(`policies?after=${cursor}`, ADMIN_KEY, beta.shortCode);
    expect(ofBeta.json.errors).toMatchObject([{ field: 'after' }]);
    expect((await list(`policies?limit=100&after=${cursor}`, ADMIN_KEY)).json.results).toHaveLength(6);
  });

  test.each([
    ['policies?limit=0', 'limit'],
    ['policies?offset=5', 'offset'],
    ['policies?status=lapsed', 'status'],
    ['policies?cover=lapsed', 'cover'],
    ['policies?product_type=Car', 'product_type'],
    ['policies?customer_id=Ada', 'customer_id'],
    ['policies?in_force_on=2026-03-10T00:00:00Z', 'in_force_on'],
    ['policies?status=active&status=cancelled', 'status'],
    ['customers?email=ada', 'email'],
    ['claims?claim_status=closed', 'claim_status'],
    ['claims?policy_id=MOT-1', 'policy_id'],
    ['claims?test_mode=1', 'test_mode'],
  ])('rejects %s and names the parameter', async (path, field) => {
    const response = await list(path);
    expect([response.status, response.json.errors.map((error: { field: string }) => error.field)]).toEqual([
      400,
      [field],
    ]);
  });
});

describe('A walk while others write', () => {
  test('gives each policy that was there at the beginning exactly once', async () => {
    const first: string[] = [];
    const merchant = await createMerchant(service, 'Walk');
    const { environmentId, key } = merchant.live;
    for (let number = 0; number < 40; number++) {
      // Several have the same time of creation.
      service.clock.now = `2026-03-10T12:00:${String(Math.floor(number / 4)).padStart(2, '0')}.000Z`;
      first.push((await importTerm(service, environmentId, termRow(`WALK-${number}`))).policy_id);
    }
    const found: string[] = [];
    let path: string | null = `/api/v1/merchants/${merchant.shortCode}/policies?limit=3`;
    for (let page = 0; path !== null; page++) {
      // Some are written at the time of the newest that is listed, in the order of lists among the first ones.
      const others = [0, 1, 2].map((n) =>
        importTerm(service, environmentId, termRow(`NEW-${page}-${n}-${randomUUID()}`)),
      );
      const change = service.send('POST', '/api/v1/policies/cancel', {
        key,
        body: { policy_number: `WALK-${page}`, cancellation_reason: 'sold' },
      });
      const { json }: ApiResponse = await service.send('GET', path, { key });
      await Promise.all([...others, change]);
      found.push(...json.results.map(({ policy_id }: { policy_id: string }) => policy_id));
      path = json.next === null ? null : json.next.slice(service.url.length);
    }
    const ids = new Set(first);
    expect(found.filter((id) => ids.has(id)).toSorted()).toEqual(first.toSorted());
    expect(new Set(found).size).toBe(found.length);
  });
});
