import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  BadRequestError,
  ConflictError,
  NoResponseError,
  ServerError,
  SuretyClient,
  type SuretyError,
  TooManyRequestsError,
} from '#client/index.ts';
import { type Answer, clientWith, ok, problem } from './client-with.ts';

const quote = { quote_code: 'Quo_abcde_01234567' };

describe('A command', () => {
  const busy = (status: number): Response => problem(status, { code: 'busy' });
  const cutBody = (): ReadableStream =>
    new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });

  test.each<[string, Answer]>([
    ['a lost connection', new TypeError('fetch failed')],
    ['a response that breaks off', async () => new Response(cutBody())],
    ['half a JSON text', new Response('{"policy_id":', { headers: { 'content-type': 'application/json' } })],
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

  test.each([{}, { 'retry-after': '0' }])('waits at least 200 ms after 503 with %p', async (headers) => {
    const { client } = clientWith(problem(503, { code: 'busy' }, headers), ok({ policy_id: 'p' }));
    const waits: number[] = [];
    await client.policies.purchase({ ...quote }, { onRetry: (_, waitMs) => waits.push(waitMs) });
    expect(waits).toEqual([expect.any(Number)]);
    expect(waits[0]).toBeGreaterThanOrEqual(200);
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

  test('is not sent again after 500 whose body breaks off, nor after 429 that asks for a minute', async () => {
    const broken = async (status: number, headers = {}): Promise<Response> =>
      new Response(cutBody(), { status, headers });
    const failed = clientWith(async () => await broken(500));
    await expect(failed.client.me()).rejects.toMatchObject({ status: 500, code: 'unexpected_response' });
    const limited = clientWith(async () => await broken(429, { 'retry-after': '60' }));
    await expect(limited.client.me()).rejects.toMatchObject({ status: 429 });
    expect([failed.sent.length, limited.sent.length]).toEqual([1, 1]);
  });

  test.each([400, 401, 403, 404, 409, 412, 413, 422, 500, 501])('is not sent again after %d', async (status) => {
    const { client, sent } = clientWith(problem(status, { code: 'some_code' }, { 'retry-after': '1' }));
    await expect(client.policies.purchase(quote)).rejects.toMatchObject({ status, code: 'some_code' });
    expect(sent).toHaveLength(1);
  });

  test('refuses a key that no header can have', async () => {
    const { client, sent } = clientWith(ok({}));
    await expect(client.policies.purchase(quote, { idempotencyKey: 'a\nb' })).rejects.toThrow('idempotencyKey');
    expect(sent).toHaveLength(0);
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
      /^no_response: connect ECONNREFUSED \(POST http:\/\/service.example\/api\/v1\/policies\/, request [0-9a-f]{32}\)$/,
    );
    expect(sent.length).toBeGreaterThan(1);
  });

  test('is not sent again after the time for retries, which cuts no attempt', async () => {
    const limits = { callTimeoutMs: Infinity, retryForMs: 1 };
    const refused = clientWith(problem(503, { code: 'busy' }));
    await expect(refused.client.policies.purchase(quote, limits)).rejects.toMatchObject({ detail: 'The detail' });
    expect(refused.sent).toHaveLength(1);
    const slow = async (): Promise<Response> => await pause(20, ok({}));
    expect(await clientWith(slow).client.policies.purchase(quote, limits)).toEqual({});
  });

  test('names the addresses that do not answer', async () => {
    const error = new AggregateError([new Error('connect ECONNREFUSED ::1:80'), new Error('other')]);
    const { client } = clientWith(new TypeError('fetch failed', { cause: error }));
    const call = client.policies.purchase(quote, { retryForMs: 1 });
    await expect(call).rejects.toMatchObject({ detail: 'connect ECONNREFUSED ::1:80' });
  });

  test('is sent again when one attempt takes too long', async () => {
    const { client, sent } = clientWith(async () => await new Promise(() => {}), ok({ policy_id: 'p' }));
    expect(await client.policies.purchase(quote, { attemptTimeoutMs: 200 })).toEqual({ policy_id: 'p' });
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
    expect([client.etagOf(policy), client.etagOf({ ...policy })]).toEqual(['"8-3"', undefined]);
    const other = client.policies.setAutoRenew('p', { auto_renew: true }, { ifMatch: { ...policy } });
    await expect(other).rejects.toThrow('ifMatch must be a resource that this client got');
  });

  test('ends with the reason of its signal, also while it waits', async () => {
    const { client } = clientWith(problem(503, { code: 'busy' }, { 'retry-after': '1' }));
    const controller = new AbortController();
    const start = performance.now();
    const onRetry = (): void => void setTimeout(() => controller.abort(new Error('closed')), 50);
    await expect(client.policies.purchase(quote, { signal: controller.signal, onRetry })).rejects.toThrow('closed');
    expect(performance.now() - start).toBeLessThan(900);
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
      const waits: number[] = [];
      expect(await client.me({ onRetry: (_, waitMs) => waits.push(waitMs) })).toEqual({ role: 'merchant' });
      expect(waits).toEqual([0]);
      await client.me();
      const head = 'head' in members ? members.head : null;
      expect(sent.map(({ headers }) => headers.get('surety-min-position'))).toEqual([null, '100', head, head]);
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
    for (const id of ['', '.', '..', undefined as unknown as string])
      await expect(client.policies.get(id)).rejects.toThrow('policy_id must be given');
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
      'invalid_request: Some fields are wrong (fields customer_metadata.email; POST http://service.example/api/v1/policies/, request of the service)',
    );
    const conflict = clientWith(problem(409, { code: 'amount_changed', premium: '10.00' })).client.me();
    await expect(conflict).rejects.toBeInstanceOf(ConflictError);
    await expect(conflict).rejects.toMatchObject({ problem: { premium: '10.00' } });
  });

  test.each([
    '{"code":"x"}',
    '{"code":7,"detail":"d"}',
    '{"code":"x","detail":"d","errors":null}',
    '{"code":"x","detail":"d","errors":[null]}',
    '[]',
    'null',
    '',
  ])('with the body %s is one of another server', async (body) => {
    const { client, sent } = clientWith(new Response(body, { status: 400 }));
    await expect(client.me()).rejects.toMatchObject({ status: 400, code: 'unexpected_response', errors: [] });
    expect(sent).toHaveLength(1);
  });

  test('after the limit of the call has the one before as its cause', async () => {
    const never = async (): Promise<Response> => await new Promise(() => {});
    const { client } = clientWith(problem(503, { code: 'busy' }), never);
    const error = client.policies.purchase(quote, { callTimeoutMs: 400 });
    await expect(error).rejects.toMatchObject({ code: 'no_response', cause: { code: 'busy', status: 503 } });
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

test('a client without an address or a key is refused', () => {
  expect(() => new SuretyClient({ key: 'x' })).toThrow('url is missing');
  expect(() => new SuretyClient({ url: 'http://service.example' })).toThrow('key is missing');
  expect(() => new SuretyClient({ url: 'file:///x', key: 'x' })).toThrow('url must begin with http');
  expect(() => new SuretyClient({ url: 'http://service.example', key: 'secret\n' })).toThrow('key has characters');
  expect(() => new SuretyClient({ url: 'http://service.example/?a=b', key: 'x' })).toThrow('no query');
  expect(() => new SuretyClient({ url: 'http://user:password@service.example', key: 'x' })).toThrow('no user');
});
