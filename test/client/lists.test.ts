import { describe, expect, test } from '@jest/globals';
import { clientWith, ok, problem, type Sent } from './client-with.ts';

describe('A list', () => {
  const page = (results: readonly unknown[], next: string | null): Response => ok({ results, next });

  test('follows next at its own address, and yields the items of nested pages', async () => {
    const { client, sent } = clientWith(
      page([['a', 'b']], 'https://public.example/surety/api/v1/products?limit=100&after=x%2By'),
      page([], 'https://public.example/surety/api/v1/products?limit=100&after=z'),
      page([['c']], null),
    );
    const items: unknown[] = [];
    for await (const item of client.products.list({ test_mode: true })) items.push(item);
    expect(items).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://service.example/api/v1/products?limit=100&test_mode=true',
      'http://service.example/api/v1/products?limit=100&after=x%2By',
      'http://service.example/api/v1/products?limit=100&after=z',
    ]);
  });

  test.each([
    [0, [], 0],
    [2, ['a', 'b'], 1],
    [3, ['a', 'b', 'c'], 2],
  ])('ends after max = %d items', async (max, expected, requests) => {
    const { client, sent } = clientWith(page(['a', 'b'], 'http://service.example/?after=b'), page(['c', 'd'], null));
    const items: unknown[] = [];
    for await (const item of client.merchants.policies('ACM-0000', {}, { max })) items.push(item);
    expect([items, sent.length]).toEqual([expected, requests]);
  });

  test('of the claims of a customer counts claims', async () => {
    const { client, sent } = clientWith(
      page([{ data: ['a', 'b'] }], 'http://service.example/?after=b'),
      page([{ data: ['c'] }], null),
    );
    const items: unknown[] = [];
    for await (const item of client.customers.claims('c', {}, { max: 2 })) items.push(item);
    expect([items, sent.length]).toEqual([['a', 'b'], 1]);
  });

  test.each(['{}', 'null', '[]', '{"results":{},"next":null}', '{"results":[]}', '{"results":[],"next":5}'])(
    'with the page %s fails',
    async (text) => {
      const { client, sent } = clientWith(new Response(text));
      await expect(client.products.list().next()).rejects.toMatchObject({ code: 'unexpected_response' });
      expect(sent).toHaveLength(1);
    },
  );

  test('fails at a page whose next names itself, and yields nothing twice', async () => {
    const itself = 'http://service.example/?after=b&limit=100';
    const { client, sent } = clientWith(page(['a'], itself), page(['b'], itself));
    const items: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const item of client.products.list()) items.push(item);
    };
    await expect(read()).rejects.toMatchObject({ code: 'unexpected_response' });
    expect([items, sent.length]).toEqual([['a'], 2]);
  });

  test('of quotes keeps one key, so that all pages are of the same quotes', async () => {
    const { client, sent } = clientWith(page([['a']], 'http://service.example/?offset=1'), page([['b']], null));
    expect(await client.quotes.request({ insurance_details: { product_type: 'Life' } })).toEqual(['a', 'b']);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  });

  test('of quotes has the products without an offer beside them', async () => {
    const body = { results: [['a']], next: null, not_offered: [{ product: 'b' }] };
    const { client } = clientWith(new Response(JSON.stringify(body)));
    const answer = await client.quotes.requestWithReasons({ insurance_details: { product_type: 'Life' } });
    expect(answer).toEqual({ quotes: ['a'], notOffered: [{ product: 'b' }] });
  });
});

describe('The feed', () => {
  const events = (...ids: string[]): Response => ok(ids.map((id) => ({ id })));

  async function idsOf(feed: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const { id } of feed) ids.push(id);
    return ids;
  }

  const cursorsOf = (sent: readonly Sent[]): readonly string[] => sent.map(({ url }) => new URL(url).search);

  test('ends at the empty page', async () => {
    const { client, sent } = clientWith(events('a', 'b'), events());
    expect(await idsOf(client.events({ after: '0', limit: 2 }))).toEqual(['a', 'b']);
    expect(cursorsOf(sent)).toEqual(['?limit=2&after=0&timeout=0', '?limit=2&lastEventId=b&timeout=0']);
  });

  test('goes on after the empty page with follow, and waits as Retry-After asks', async () => {
    const early = ok([], { 'retry-after': '1' });
    const { client, sent } = clientWith(events('a'), early, events(), events('b'));
    const start = performance.now();
    expect(await idsOf(client.events({}, { follow: true, max: 2 }))).toEqual(['a', 'b']);
    expect(performance.now() - start).toBeGreaterThan(990);
    const again = '?lastEventId=a&timeout=30000';
    expect(cursorsOf(sent)).toEqual(['?timeout=30000', again, again, again]);
  });

  test.each(['{}', 'null', '[{}]', '[null]'])('with the page %s fails', async (text) => {
    const { client } = clientWith(new Response(text));
    await expect(client.events({}, { follow: true }).next()).rejects.toMatchObject({ code: 'unexpected_response' });
  });

  test('the newest events are those at its end, newest first, however far apart they are', async () => {
    const head = ok([{ id: 'old' }], { 'surety-position': '5000' });
    const { client, sent } = clientWith(head, events('c'), events('a', 'b', 'c'));
    expect((await client.newestEvents(2)).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, '4900', '4000']);
  });

  test('no newest events are none', async () => {
    const { client } = clientWith(ok([], { 'surety-position': '5000' }), events('a'));
    expect(await client.newestEvents(0)).toEqual([]);
  });

  test('begins after the newest event with fromNow', async () => {
    const { client, sent } = clientWith(ok([{ id: 'old' }], { 'surety-position': '7' }), events('a'), events());
    expect(await idsOf(client.events({}, { fromNow: true }))).toEqual(['a']);
    expect(cursorsOf(sent)).toEqual(['?limit=1&timeout=0', '?after=7&timeout=0', '?lastEventId=a&timeout=0']);
  });

  test('that has begun waits for the service beyond the limit of a call', async () => {
    const failures = Array.from({ length: 5 }, () => new TypeError('fetch failed'));
    const { client, sent } = clientWith(events('a'), ...failures, events('b'));
    expect(await idsOf(client.events({}, { follow: true, max: 2, callTimeoutMs: 100 }))).toEqual(['a', 'b']);
    expect(sent).toHaveLength(7);
  });

  test('that has begun waits as long as the service asks', async () => {
    const { client } = clientWith(events('a'), problem(503, { code: 'event_unreadable' }, { 'retry-after': '60' }));
    const controller = new AbortController();
    const waits: number[] = [];
    const onRetry = (_: unknown, waitMs: number): void => {
      waits.push(waitMs);
      controller.abort(new Error('closed'));
    };
    const feed = client.events({}, { follow: true, onRetry, signal: controller.signal });
    await expect(idsOf(feed)).rejects.toThrow('closed');
    expect(waits).toEqual([60_000]);
  });
});
