import { describe, expect, test } from '@jest/globals';
import {
  BadRequestError,
  ConflictError,
  NoResponseError,
  ServerError,
  SuretyClient,
  type SuretyError,
  TooManyRequestsError,
} from '../../clients/typescript/src/index.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = Response | Error | (() => Promise<Response>);

const ok = (body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { headers });

function problem(status: number, members: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ detail: 'The detail', request_id: 'of the service', ...members }), {
    status,
    headers,
  });
}

/** A client whose requests get these answers, in this order; the last one again and again. */
function clientWith(...answers: Answer[]): { readonly client: SuretyClient; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const client = new SuretyClient({
    url: 'http://service.example/',
    key: 'sk_live_x',
    callTimeoutMs: 2_000,
    fetch: async (url, { method = '', headers, body, signal }) => {
      const text = await new Response(body ?? null).text();
      sent.push({ url, method, headers: new Headers(headers), body: text });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
      return await Promise.race([typeof answer === 'function' ? answer() : (answer as Response).clone(), aborted]);
    },
  });
  return { client, sent };
}

const quote = { quote_code: 'Quo_abcde_01234567' };

describe('A command', () => {
  const busy = (status: number): Response => problem(status, { code: 'busy' });
  const cutBody = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });

  test.each<[string, Answer]>([
    ['a lost connection', new TypeError('fetch failed')],
    ['a response that breaks off', async () => new Response(cutBody)],
    ['408 without a body', new Response(null, { status: 408 })],
    ['429', busy(429)],
    ['502 of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['503', busy(503)],
    ['504', busy(504)],
  ])('keeps its key and its bytes when it is sent again after %s', async (_, failure) => {
    const { client, sent } = clientWith(failure, ok({ policy_id: 'p' }));
    const body = { ...quote };
    const errors: SuretyError[] = [];
    const purchase = client.policies.purchase(body, {
      onRetry: (error) => {
        errors.push(error);
        body.quote_code = 'changed meanwhile';
      },
    });
    expect(await purchase).toEqual({ policy_id: 'p' });
    expect(sent.map((one) => one.body)).toEqual([JSON.stringify(quote), JSON.stringify(quote)]);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(errors.map(({ idempotencyKey }) => idempotencyKey)).toEqual([keys[0]]);
  });

  test('with files keeps the bytes of its form', async () => {
    const { client, sent } = clientWith(busy(503), ok({ claim_id: 'c' }));
    const details = { claim_type: 'illness', incident_date: '2026-01-02' };
    const documents = [new File(['text'], 'report.txt')];
    await client.claims.submit({ policy_number: 'P-1', claim_details: details, documents });
    expect(sent[0]?.body).toContain('filename="report.txt"');
    expect(sent[0]?.body).toContain(JSON.stringify(details));
    expect(sent[1]?.body).toBe(sent[0]?.body);
    expect(sent[1]?.headers.get('content-type')).toBe(sent[0]?.headers.get('content-type'));
  });

  test.each([400, 401, 403, 404, 409, 412, 413, 422, 500, 501])('is not sent again after %d', async (status) => {
    const { client, sent } = clientWith(problem(status, { code: 'some_code' }, { 'retry-after': '1' }));
    await expect(client.policies.purchase(quote)).rejects.toMatchObject({ status, code: 'some_code' });
    expect(sent).toHaveLength(1);
  });

  test('takes a key of the caller', async () => {
    const { client, sent } = clientWith(ok({}));
    await client.policies.purchase(quote, { idempotencyKey: 'order 7' });
    expect(sent[0]?.headers.get('idempotency-key')).toBe('order 7');
  });

  test('ends after the limit of the call, with the key for another one', async () => {
    const { client, sent } = clientWith(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
    const error = (await client.policies
      .purchase(quote, { callTimeoutMs: 300 })
      .catch((one: unknown) => one)) as SuretyError;
    expect(error).toBeInstanceOf(NoResponseError);
    expect(error).toMatchObject({
      code: 'no_response',
      status: undefined,
      request_id: sent[0]?.headers.get('x-request-id'),
    });
    expect(error.idempotencyKey).toBe(sent[0]?.headers.get('idempotency-key'));
    expect(error.message).toMatch(
      /^no_response: connect ECONNREFUSED \(POST \/api\/v1\/policies\/, request [0-9a-f]{32}\)$/,
    );
    expect(sent.length).toBeGreaterThan(1);
  });

  test('is sent again when one attempt takes too long', async () => {
    const { client, sent } = clientWith(async () => await new Promise(() => {}), ok({ policy_id: 'p' }));
    expect(await client.policies.purchase(quote, { attemptTimeoutMs: 20 })).toEqual({ policy_id: 'p' });
    expect(sent).toHaveLength(2);
  });

  test('waits as long as Retry-After says, but never above 5 seconds', async () => {
    const start = performance.now();
    const soon = clientWith(problem(503, { code: 'busy' }, { 'retry-after': '1' }), ok({ policy_id: 'p' }));
    await soon.client.policies.purchase(quote);
    expect(performance.now() - start).toBeGreaterThan(990);
    const late = clientWith(problem(429, { code: 'rate_limited' }, { 'retry-after': '6' }));
    const call = late.client.policies.purchase(quote, { callTimeoutMs: 60_000 });
    await expect(call).rejects.toBeInstanceOf(TooManyRequestsError);
    expect(late.sent).toHaveLength(1);
  });

  test('is conditional on a resource that was read', async () => {
    const { client, sent } = clientWith(ok({ policy_id: 'p' }, { etag: '"8-3"' }), ok({}));
    const policy = await client.policies.get('p');
    await client.policies.setAutoRenew('p', { auto_renew: true }, { ifMatch: policy });
    await client.policies.setAutoRenew('p', { auto_renew: true }, { ifMatch: '"8-4"' });
    expect(sent.map(({ headers }) => headers.get('if-match'))).toEqual([null, '"8-3"', '"8-4"']);
    const other = client.policies.setAutoRenew('p', { auto_renew: true }, { ifMatch: { ...policy } });
    await expect(other).rejects.toThrow('ifMatch must be a resource that this client got');
  });

  test('ends with the reason of its signal, also while it waits', async () => {
    const { client } = clientWith(problem(503, { code: 'busy' }, { 'retry-after': '1' }));
    const controller = new AbortController();
    const onRetry = (): void => controller.abort(new Error('closed'));
    await expect(client.policies.purchase(quote, { signal: controller.signal, onRetry })).rejects.toThrow('closed');
    await expect(client.policies.purchase(quote, { signal: controller.signal })).rejects.toThrow('closed');
  });
});

describe('A read', () => {
  test('names the highest position that the client has received', async () => {
    const { client, sent } = clientWith(
      ok({}, { 'surety-position': '90' }),
      ok({}, { 'surety-position': '100' }),
      ok({}, { 'surety-position': '99' }),
      ok({}),
    );
    await client.me();
    for (const _ of [1, 2]) await client.policies.purchase(quote);
    await client.me();
    expect(sent.map(({ headers }) => headers.get('surety-min-position'))).toEqual([null, null, null, '100']);
  });

  test.each([{}, { head: null }, { head: '99' }])(
    'is repeated at once without a position that the log lacks (%j)',
    async (members) => {
      const notReached = problem(503, { code: 'position_not_reached', ...members }, { 'retry-after': '1' });
      const { client, sent } = clientWith(
        ok({}, { 'surety-position': '100' }),
        notReached,
        ok({ role: 'merchant' }),
        ok({}),
      );
      await client.policies.purchase(quote);
      expect(await client.me()).toEqual({ role: 'merchant' });
      await client.me();
      expect(sent.map(({ headers }) => headers.get('surety-min-position'))).toEqual([null, '100', null, null]);
    },
  );

  test('is repeated with its position while the read models lag', async () => {
    const lagging = problem(503, { code: 'position_not_reached', head: '100' }, { 'retry-after': '0' });
    const { client, sent } = clientWith(
      ok({}, { 'surety-position': '100' }),
      lagging,
      lagging,
      ok({ role: 'merchant' }),
    );
    await client.policies.purchase(quote);
    expect(await client.me()).toEqual({ role: 'merchant' });
    expect(sent.map(({ headers }) => headers.get('surety-min-position'))).toEqual([null, '100', '100', '100']);
  });

  test('refuses a parameter that would lead to another path', async () => {
    const { client, sent } = clientWith(ok({}));
    for (const id of ['', '.', '..']) await expect(client.policies.get(id)).rejects.toThrow('policy_id must not be');
    await client.policies.get('a/b?c');
    expect(sent.map(({ url }) => url)).toEqual(['http://service.example/api/v1/policies/a%2Fb%3Fc/']);
  });

  test('of a download is repeated until its body begins', async () => {
    const { client, sent } = clientWith(problem(503, { code: 'busy' }), new Response('a,b\r\n'));
    const download = await client.policies.downloadHistory('p', 'text/csv');
    expect(await download.text()).toBe('a,b\r\n');
    expect(sent.map(({ headers }) => headers.get('accept'))).toEqual(['text/csv', 'text/csv']);
  });
});

describe('An error', () => {
  test('has the class of its status, and names fields, code and request', async () => {
    const errors = [{ field: 'customer_metadata.email', message: 'must be an e-mail address' }];
    const { client } = clientWith(problem(400, { code: 'invalid_request', detail: 'Some fields are wrong', errors }));
    const error = (await client.policies.purchase(quote).catch((one: unknown) => one)) as SuretyError;
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      name: 'BadRequestError',
      code: 'invalid_request',
      errors,
      request_id: 'of the service',
    });
    expect(error.message).toBe(
      'invalid_request: Some fields are wrong; customer_metadata.email must be an e-mail address (POST /api/v1/policies/, request of the service)',
    );
    const conflict = clientWith(problem(409, { code: 'amount_changed', premium: '10.00' })).client.me();
    await expect(conflict).rejects.toBeInstanceOf(ConflictError);
    await expect(conflict).rejects.toMatchObject({ problem: { premium: '10.00' } });
  });

  test('of another server has the status', async () => {
    const { client } = clientWith(new Response('<h1>Internal error</h1>', { status: 500 }));
    const error = client.me();
    await expect(error).rejects.toBeInstanceOf(ServerError);
    await expect(error).rejects.toMatchObject({ status: 500, code: 'unexpected_response' });
    const page = clientWith(new Response('<h1>Log in</h1>')).client.me();
    await expect(page).rejects.toMatchObject({ status: 200, code: 'unexpected_response' });
  });
});

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
    const { client } = clientWith(
      page([{ data: ['a', 'b'] }], 'http://service.example/?after=b'),
      page([{ data: ['c'] }], null),
    );
    const items: unknown[] = [];
    for await (const item of client.customers.claims('c', {}, { max: 3 })) items.push(item);
    expect(items).toEqual(['a', 'b', 'c']);
  });

  test('of quotes keeps one key, so that all pages are of the same quotes', async () => {
    const { client, sent } = clientWith(page([['a']], 'http://service.example/?offset=1'), page([['b']], null));
    expect(await client.quotes.request({ insurance_details: { product_type: 'Life' } })).toEqual(['a', 'b']);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([keys[0], keys[0]]);
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

  test('goes on after the empty page with follow, and waits where the service says so', async () => {
    const early = ok([], { 'retry-after': '1' });
    const { client, sent } = clientWith(events('a'), early, events(), events('b'));
    const start = performance.now();
    expect(await idsOf(client.events({}, { follow: true, max: 2 }))).toEqual(['a', 'b']);
    expect(performance.now() - start).toBeGreaterThan(990);
    const again = '?lastEventId=a&timeout=30000';
    expect(cursorsOf(sent)).toEqual(['?timeout=30000', again, again, again]);
  });
});

test('a client without an address or a key is refused', () => {
  expect(() => new SuretyClient({ key: 'x' })).toThrow('url is missing');
  expect(() => new SuretyClient({ url: 'http://service.example' })).toThrow('key is missing');
  expect(() => new SuretyClient({ url: 'file:///x', key: 'x' })).toThrow('url must begin with http');
});
