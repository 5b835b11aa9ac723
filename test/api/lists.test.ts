import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');
for (let number = 1; number <= 29; number++) {
  service.clock.now = `2026-03-11T10:00:${String(number).padStart(2, '0')}.000Z`;
  await importTerm(service, acme.live.environmentId, termRow(`LIST-${number}`));
}

const LIST = '/api/v1/policies/';

/** Returns a link with an empty cursor. */
const withoutCursor = (link: string): string => link.replace(/(?<=after=|before=)[\w-]+/, '');

describe('Pages', () => {
  test('returns the first 25 and a link to the next page by default', async () => {
    const first = await service.send('GET', LIST, { key: ADMIN_KEY });
    expect(first.json.count).toBe(30);
    expect(first.json.results).toHaveLength(25);
    expect(first.json.previous).toBeNull();
    expect(withoutCursor(first.json.next)).toBe(`${service.url}${LIST}?limit=25&offset=25&after=`);
    expect(first.headers.get('link')).toBe(`<${first.json.next}>; rel="next"`);
    const rest = await service.send('GET', first.json.next.slice(service.url.length), { key: ADMIN_KEY });
    expect(rest.json.results).toHaveLength(5);
    expect(rest.json.next).toBeNull();
    expect(withoutCursor(rest.json.previous)).toBe(`${service.url}${LIST}?limit=25&offset=0&before=`);
    expect(rest.headers.get('link')).toBe(`<${rest.json.previous}>; rel="prev"`);
  });

  test('links keep the other parameters', async () => {
    const page = await service.send('GET', '/api/v1/policies?test_mode=false&offset=3&limit=2', { key: ADMIN_KEY });
    const list = `${service.url}/api/v1/policies?test_mode=false`;
    expect(withoutCursor(page.json.next)).toBe(`${list}&offset=5&limit=2&after=`);
    expect(withoutCursor(page.json.previous)).toBe(`${list}&offset=1&limit=2&before=`);
  });

  test('a page starts after its cursor, and its offset is used only in the links', async () => {
    const get = async (path: string) => (await service.send('GET', path, { key: ADMIN_KEY })).json;
    const numbersOf = ({ results }: { results: { policy_number: string }[] }) =>
      results.map(({ policy_number }) => policy_number);
    const all = numbersOf(await get(`${LIST}?limit=100`));
    const first = await get(`${LIST}?limit=4&offset=8`);
    const moved = await get(first.next.slice(service.url.length).replace('offset=12', 'offset=20'));
    expect(numbersOf(moved)).toEqual(all.slice(12, 16));
    expect(moved.count).toBe(all.length);
    expect(withoutCursor(moved.next)).toBe(`${service.url}${LIST}?limit=4&offset=24&after=`);
    const back = await get(moved.previous.slice(service.url.length));
    expect(numbersOf(back)).toEqual(all.slice(8, 12));
    expect(new URL(back.next).searchParams.get('after')).toBe(new URL(first.next).searchParams.get('after'));
  });

  test('following previous returns every policy once, and the last link overlaps', async () => {
    const pages: string[][] = [];
    for (let path: string | null = `${LIST}?limit=8&offset=28`; path !== null; ) {
      const page: Awaited<ReturnType<ApiService['send']>> = await service.send('GET', path, { key: ADMIN_KEY });
      pages.unshift(page.json.results.map((policy: { policy_number: string }) => policy.policy_number));
      path = page.json.previous === null ? null : page.json.previous.slice(service.url.length);
    }
    expect(pages.map((page) => page.length)).toEqual([8, 8, 8, 8, 2]);
    expect(pages.slice(1).flat()).toEqual(Array.from({ length: 26 }, (_, index) => `LIST-${index + 4}`));
    expect(pages[0]?.[0]).toBe('MOT-1');
  });

  test.each([
    ['a changed cursor', 'after', (cursor: string) => `after=${cursor.slice(0, -2)}`],
    ['the cursor of another list', 'before', (cursor: string) => `before=${cursor}&test_mode=true`],
    ['two cursors', 'before', (cursor: string) => `after=${cursor}&before=${cursor}`],
  ])('rejects %s and names the parameter', async (_name, field, search) => {
    const first = await service.send('GET', `${LIST}?limit=2`, { key: ADMIN_KEY });
    const cursor = new URL(first.json.next).searchParams.get('after') ?? '';
    const response = await service.send('GET', `${LIST}?${search(cursor)}`, { key: ADMIN_KEY });
    expect([response.status, response.json.code]).toEqual([400, 'invalid_request']);
    expect(response.json.errors).toMatchObject([{ field }]);
  });

  test('returns an empty page with the count for an offset past the end', async () => {
    const page = await service.send('GET', `${LIST}?offset=1000&limit=100`, { key: ADMIN_KEY });
    expect(page.json).toEqual({
      count: 30,
      next: null,
      previous: `${service.url}${LIST}?offset=900&limit=100`,
      results: [],
    });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['test_mode=yes', 'test_mode'],
    ['page=2', 'page'],
  ])('rejects %s and names the parameter', async (search, field) => {
    const response = await service.send('GET', `${LIST}?${search}`, { key: ADMIN_KEY });
    expect(response.status).toBe(400);
    expect(response.json.errors).toMatchObject([{ field }]);
  });

  test('accepts the largest offset and rejects the next one with the documented range', async () => {
    const reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
    const { content } = reference.operations.get('ListPolicies') ?? {};
    const parameters = content?.['parameters'] as unknown as readonly { name: string; schema: { maximum: number } }[];
    const maximum = parameters.find(({ name }) => name === 'offset')?.schema.maximum ?? 0;
    const last = await service.send('GET', `${LIST}?offset=${maximum}`, { key: ADMIN_KEY });
    expect([last.status, last.json.results]).toEqual([200, []]);
    const beyond = await service.send('GET', `${LIST}?offset=${maximum + 1}`, { key: ADMIN_KEY });
    expect(beyond.json.errors).toEqual([{ field: 'offset', message: `must be a whole number from 0 to ${maximum}` }]);
  });

  test.each(['', 'name=', 'name=%20%20'])('rejects a search with %p', async (search) => {
    const response = await service.send('GET', `/api/v1/providers/search/?${search}`, { key: acme.live.key });
    expect(response.status).toBe(400);
    expect(response.json.errors).toMatchObject([{ field: 'name' }]);
  });
});

describe('Products', () => {
  const LISTED = '/api/v1/products';
  interface Item {
    readonly name: string;
    readonly product_type: string;
    readonly provider: string;
  }
  const find = async (search: string): Promise<{ count: number; items: readonly Item[] }> => {
    const { json } = await service.send('GET', `${LISTED}?limit=100&${search}`, { key: acme.live.key });
    return { count: json.count, items: json.results.flat() };
  };

  test('are found by type, by provider, and by both', async () => {
    const details = { name: 'Ark Marine', support_email: 'a@b.example', support_phone: '1' };
    const { provider_id } = await service.admin('RegisterProvider', details);
    for (const product_type of ['Cargo', 'Travel'])
      await service.admin('AddProduct', {
        provider_id,
        product_type,
        name: `Ark ${product_type}`,
        description: 'All risks',
        base_premium: '10',
      });
    const travel = (await find('')).items.filter(({ product_type }) => product_type === 'Travel');
    expect(travel.length).toBeGreaterThan(0);
    expect(await find('product_type=Travel')).toEqual({ count: travel.length, items: travel });
    const ofArk = await find(`provider_id=${provider_id.toUpperCase()}`);
    expect(ofArk.items.map(({ name }) => name).sort()).toEqual(['Ark Cargo', 'Ark Travel']);
    const both = await find(`product_type=Travel&provider_id=${provider_id}`);
    expect(both).toMatchObject({ count: 1, items: [{ name: 'Ark Travel' }] });
    expect(await find(`provider_id=${randomUUID()}`)).toEqual({ count: 0, items: [] });
  });

  test('that leave the list between two pages take no other with them', async () => {
    const details = { name: 'Short Lived', support_email: 'a@b.example', support_phone: '1' };
    const { provider_id } = await service.admin('RegisterProvider', details);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await service.admin('AddProduct', {
        provider_id,
        product_type: 'Cargo',
        name,
        description: 'd',
        base_premium: '10',
      });
    const names: string[] = [];
    for (let path: string | null = `${LISTED}?limit=2&provider_id=${provider_id}`; path !== null; ) {
      const { json } = await service.send('GET', path, { key: acme.live.key });
      const items = json.results.flat() as { readonly id: string; readonly name: string }[];
      names.push(...items.map(({ name }) => name));
      for (const { id } of items) await service.admin('WithdrawProduct', { product_id: id });
      path = json.next === null ? null : json.next.slice(service.url.length);
    }
    expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test.each([
    ['product_type=auto', 'product_type'],
    ['product_type=', 'product_type'],
    ['provider_id=baobab', 'provider_id'],
  ])('rejects %s and names the parameter', async (search, field) => {
    const response = await service.send('GET', `${LISTED}?${search}`, { key: acme.live.key });
    expect([response.status, response.json.errors[0].field]).toEqual([400, field]);
  });
});

describe('The origin of links', () => {
  const nextFor = async (
    port: string,
    host: string,
    forwarded: Record<string, string> = {},
    list = LIST,
  ): Promise<string> =>
    await new Promise((resolve, reject) => {
      const headers = { host, 'x-api-key': ADMIN_KEY, ...forwarded };
      const options = { host: '127.0.0.1', port, path: `${list}?limit=1`, headers };
      httpRequest(options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve(withoutCursor(JSON.parse(text).next)));
      })
        .on('error', reject)
        .end();
    });

  test('is the Host header, or the socket address when Host is invalid', async () => {
    const { port } = new URL(service.url);
    expect(await nextFor(port, 'insure.example:81')).toBe(
      'http://insure.example:81/api/v1/policies/?limit=1&offset=1&after=',
    );
    for (const host of ['evil.example/path?x=', 'a.example:99999', '999.999.999.999'])
      expect(await nextFor(port, host)).toBe(`${service.url}/api/v1/policies/?limit=1&offset=1&after=`);
  });

  const behindTls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.insure.example' };

  test('ignores the headers of an untrusted proxy', async () => {
    const { port } = new URL(service.url);
    expect(await nextFor(port, 'inner.example', behindTls)).toBe(
      'http://inner.example/api/v1/policies/?limit=1&offset=1&after=',
    );
  });

  test('is the first valid protocol and host of a trusted proxy', async () => {
    const trusting = await startApiService({ http: { trustProxy: 'loopback' } });
    const distrusting = await startApiService({ http: { trustProxy: '10.0.0.0/8' } });
    try {
      for (const { admin } of [trusting, distrusting])
        for (const name of ['Acme', 'Beta']) await admin('RegisterMerchant', { name, business_email: 'a@b.example' });
      const next = async ({ url }: ApiService, forwarded: Record<string, string>): Promise<string> =>
        new URL(await nextFor(new URL(url).port, 'inner.example', forwarded, '/api/v1/merchants')).origin;
      expect(await next(trusting, behindTls)).toBe('https://api.insure.example');
      const behindTwoProxies = {
        'x-forwarded-proto': 'https, http',
        'x-forwarded-host': 'api.insure.example:8443, proxy.example',
      };
      expect(await next(trusting, behindTwoProxies)).toBe('https://api.insure.example:8443');
      expect(await next(trusting, { 'x-forwarded-proto': 'https' })).toBe('https://inner.example');
      const wrong = { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'evil.example/path' };
      expect(await next(trusting, wrong)).toBe('http://inner.example');
      expect(await next(distrusting, behindTls)).toBe('http://inner.example');
    } finally {
      await trusting.stop();
      await distrusting.stop();
    }
  });

  test('is PUBLIC_URL when it is set', async () => {
    const other = await startApiService({ publicUrl: 'https://api.insure.example/surety' });
    try {
      await createMerchant(other, 'Acme');
      await createMerchant(other, 'Beta');
      const { port } = new URL(other.url);
      expect(await nextFor(port, 'evil.example')).toBe(
        'https://api.insure.example/surety/api/v1/policies/?limit=1&offset=1&after=',
      );
    } finally {
      await other.stop();
    }
  });
});
