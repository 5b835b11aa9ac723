import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiRequest } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme', { claim_amount: '1200.50' });

const RENEW = '/api/v1/policies/renew/';

async function codeOf(method: string, path: string, request: ApiRequest = {}): Promise<[number, string]> {
  const response = await service.send(method, path, request);
  return [response.status, response.json.code];
}

describe('Problem bodies', () => {
  test('has every documented member', async () => {
    const response = await service.send('GET', '/api/v1/policies/nothing', {
      key: acme.live.key,
      headers: { 'X-Request-Id': 'my.request-1' },
    });
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toBe('my.request-1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.json).toEqual({
      type: '/docs/errors#policy_not_found',
      title: 'There is no such policy',
      status: 404,
      detail: 'There is no such policy',
      error: 'There is no such policy',
      code: 'policy_not_found',
      request_id: 'my.request-1',
    });
  });

  test('uses application/json when the client accepts only that', async () => {
    const headers = { Accept: 'text/html, application/json;q=0.9' };
    const response = await service.send('GET', '/nowhere', { headers });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.json.code).toBe('route_not_found');
  });

  test('the refusal of an unknown path names it and the nearest one', async () => {
    const detailOf = async (path: string, key?: string): Promise<string> =>
      (await service.send('GET', path, { key })).json.detail;
    expect(await detailOf('/api/v1/policy/MOT-1/?as_of=2026-03-01')).toBe(
      'There is no path /api/v1/policy/MOT-1/; the nearest one is /api/v1/policies/{policy_id}',
    );
    expect(await detailOf('/api/v1/polcies')).toMatch(/nearest one is \/api\/v1\/policies$/);
    expect(await detailOf('/api/v1/polcies', ADMIN_KEY)).toMatch(/nearest one is \/api\/v1\/policies$/);
    // A merchant may not list the policies of all.
    expect(await detailOf('/api/v1/polcies', acme.live.key)).toMatch(
      /nearest one is \/api\/v1\/policies\/\{policy_id\}$/,
    );
    expect(await detailOf('/nowhere')).toBe('There is no path /nowhere');
    expect(await detailOf(`/${'x'.repeat(5_000)}`)).toBe(`There is no path /${'x'.repeat(199)}…`);
  });

  test('a failed renewal has renewal_status failed', async () => {
    for (const request of [
      {},
      { key: ADMIN_KEY },
      { key: acme.live.key, body: {} },
      { key: acme.live.key, raw: '{' },
    ]) {
      const response = await service.send('POST', RENEW, request);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.json.renewal_status).toBe('failed');
    }
  });

  test('an overlapping term has earliest_start', async () => {
    const body = { policy_id: acme.live.policyId, preferred_policy_start_date: '2026-12-31', policy_duration: 10 };
    const response = await service.send('POST', RENEW, { key: acme.live.key, body });
    expect(response.json).toMatchObject({ code: 'renewal_overlaps_current_term', earliest_start: '2027-01-01' });
  });

  test('an amount that is too high has the limit', async () => {
    const { claimId: claim_id } = acme.live;
    for (const command of ['ReviewClaim', 'SendClaimForApproval']) await service.admin(command, { claim_id });
    const response = await service.send('POST', '/api/v1/admin/commands/ApproveClaim', {
      key: ADMIN_KEY,
      body: { claim_id, approved_amount: '1200.51' },
    });
    const errors = [
      { field: 'approved_amount', message: 'must be at most 1200.50, the claimed amount less the deductible' },
    ];
    expect(response.json).toMatchObject({ status: 400, code: 'amount_too_high', limit: '1200.50', errors });
  });

  test('replaces an invalid request id', async () => {
    const response = await service.send('GET', '/nowhere', { headers: { 'X-Request-Id': 'has spaces' } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
  });
});

describe('The order of checks', () => {
  test('reports the errors of a request in a fixed order as they are corrected one by one', async () => {
    const json = { 'Content-Type': 'application/json' };
    const text = { 'Content-Type': 'text/plain' };
    const merchant = acme.live.key;
    const stale = { ...json, 'If-Match': '"1-77"' };
    const unknown = JSON.stringify({
      policy_id: '2f0b8a66-6a41-4a44-9c0e-0d5d5f3c1a11',
      preferred_policy_start_date: '2026-05-01',
      policy_duration: 5,
    });
    const overlapping = unknown.replace('2f0b8a66-6a41-4a44-9c0e-0d5d5f3c1a11', acme.live.policyId);
    expect(await codeOf('POST', '/api/v1/policies/renew/it', { raw: '{', headers: text })).toEqual([
      404,
      'route_not_found',
    ]);
    expect(await codeOf('PUT', RENEW, { raw: '{', headers: text })).toEqual([405, 'method_not_allowed']);
    expect(await codeOf('POST', RENEW, { raw: '{', headers: text })).toEqual([401, 'api_key_missing']);
    expect(await codeOf('POST', RENEW, { key: 'nope', raw: '{', headers: text })).toEqual([401, 'api_key_invalid']);
    expect(await codeOf('POST', RENEW, { key: ADMIN_KEY, raw: '{', headers: text })).toEqual([
      403,
      'merchant_key_required',
    ]);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: '{', headers: text })).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: '{', headers: json })).toEqual([400, 'malformed_body']);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: '{}', headers: json })).toEqual([400, 'invalid_request']);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: unknown, headers: stale })).toEqual([
      404,
      'policy_not_found',
    ]);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: overlapping, headers: stale })).toEqual([
      412,
      'precondition_failed',
    ]);
    expect(await codeOf('POST', RENEW, { key: merchant, raw: overlapping, headers: json })).toEqual([
      400,
      'renewal_overlaps_current_term',
    ]);
  });
});

describe('Routing', () => {
  test('answers 405 with Allow to another method', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/api/v1/policies/x', 'GET, HEAD, OPTIONS'],
      ['GET', RENEW, 'POST, OPTIONS'],
      ['POST', '/api/v1/merchants', 'GET, HEAD, OPTIONS'],
      ['PATCH', '/livez', 'GET, HEAD, OPTIONS'],
      ['PUT', '/api/v1/customers/x', 'GET, HEAD, PATCH, OPTIONS'],
    ] as const) {
      const response = await service.send(method, path);
      expect([response.status, response.json.code, response.headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        allow,
      ]);
    }
    const options = await service.send('OPTIONS', RENEW);
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'POST, OPTIONS', '']);
  });

  test('answers 404 to an unknown path whatever the key', async () => {
    for (const path of [
      '/index.html',
      '/api',
      '/api/v1',
      '/api/v1/policies//',
      '/api/v1/policies/a/b',
      '/API/v1/policies',
      '//x',
    ]) {
      expect([path, ...(await codeOf('GET', path))]).toEqual([path, 404, 'route_not_found']);
    }
  });

  test('answers 400 to an invalid encoding of the path', async () => {
    expect(await codeOf('GET', '/api/v1/policies/%E0%A4', { key: acme.live.key })).toEqual([400, 'invalid_request']);
  });

  test('answers 414 to a very long URL', async () => {
    expect(await codeOf('GET', `/api/v1/products?x=${'y'.repeat(9_000)}`)).toEqual([414, 'uri_too_long']);
  });
});

describe('Bodies', () => {
  const send = async (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    await codeOf('POST', '/api/v1/policies/cancel', { key: acme.live.key, raw, headers });

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded; charset=latin1', {}],
    ['multipart/mixed', {}],
    ['multipart/form-data; boundary=b; charset=utf-16', {}],
    ['application/problem+json', {}],
    ['application/json; charset=latin1', {}],
    ['application/json', { 'Content-Encoding': 'gzip' }],
  ])('answers 415 to a body of type %s', async (type, more) => {
    expect(await send('{}', { 'Content-Type': type, ...more })).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    ['an array', '[]', 'body'],
    ['a text', '"x"', 'body'],
    ['null', 'null', 'body'],
    ['a prototype', '{"__proto__":{"policy_id":"x"}}', '__proto__'],
    ['a deep prototype', '{"alternative_offerings":{"__proto__":1}}', 'alternative_offerings.__proto__'],
    ['NUL', '{"cancellation_reason":"a\\u0000b"}', 'cancellation_reason'],
    ['half a surrogate pair', '{"cancellation_reason":"\\ud800"}', 'cancellation_reason'],
    ['a number without end', '{"alternative_offerings":1e999}', 'alternative_offerings'],
  ])('reports the field of %s', async (_, raw, field) => {
    const response = await service.send('POST', '/api/v1/policies/cancel', {
      key: acme.live.key,
      raw,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(400);
    expect(response.json.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test('accepts a byte order mark', async () => {
    const raw = `\uFEFF{"policy_number":"NOBODY","cancellation_reason":"x"}`;
    expect(await send(raw, { 'Content-Type': 'application/json' })).toEqual([404, 'policy_not_found']);
  });

  test('answers 413 to a body over 1 MiB, with or without Content-Length', async () => {
    const large = JSON.stringify({ policy_number: 'x', cancellation_reason: 'y'.repeat(1024 * 1024) });
    expect(await send(large, { 'Content-Type': 'application/json' })).toEqual([413, 'body_too_large']);
    const stream = new Blob([large]).stream();
    const response = await fetch(`${service.url}/api/v1/policies/cancel`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.live.key, 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  test('answers 413 when the body is small enough but its event is not', async () => {
    // In the JSON of the event each number has 21 digits.
    const offerings = `[${'1e20,'.repeat(90_000)}1]`;
    const raw = `{"policy_id":"${acme.live.policyId}","cancellation_reason":"x","alternative_offerings":${offerings}}`;
    const headers = { 'Content-Type': 'application/json' };
    expect(await send(raw, headers)).toEqual([413, 'event_too_large']);
    expect(await send(raw, { ...headers, 'Idempotency-Key': 'too-large' })).toEqual([413, 'event_too_large']);
    const policy = await service.send('GET', `/api/v1/policies/${acme.live.policyId}/`, { key: acme.live.key });
    expect(policy.json.status).toBe('active');
  });

  test('rejects unknown and repeated query parameters', async () => {
    for (const [method, path, field] of [
      ['GET', `/api/v1/policies/${acme.live.policyId}?verbose=1`, 'verbose'],
      ['GET', '/api/v1/merchants?limit=1&limit=2', 'limit'],
      ['GET', '/api/v1/merchants?__proto__=1', '__proto__'],
      ['GET', '/livez?verbose', 'verbose'],
      ['POST', '/api/v1/policies/cancel?reason=x', 'reason'],
      ['POST', `/api/v1/policies/cancel?policy_id=${acme.live.policyId}&policy_id=${acme.live.policyId}`, 'policy_id'],
    ] as const) {
      const response = await service.send(method, path, {
        key: acme.live.key,
        ...(method === 'POST' ? { body: { policy_number: 'x', cancellation_reason: 'x' } } : {}),
      });
      expect([path, response.status]).toEqual([path, 400]);
      expect(response.json.errors).toMatchObject([{ field }]);
    }
  });
});

describe('Input that is not HTTP', () => {
  const sendRaw = async (text: string): Promise<string> =>
    await new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.on('close', () => resolve(received)).on('error', reject);
    });

  test('gets the response of Node without a body, and the connection closes', async () => {
    expect(await sendRaw('how do you do?\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });

  test('rejects HTTP/1.1 without Host or with two; HTTP/1.0 needs none', async () => {
    expect(await sendRaw('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"code":"malformed_request"/,
    );
    expect(await sendRaw('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw('GET /livez HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*"code":"malformed_request"/,
    );
  });

  test('ignores an unknown expectation', async () => {
    const request = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(request)).toMatch(/^HTTP\/1\.1 404 [^]*"code":"route_not_found"/);
  });

  test.each(['http://any.example', 'HTTPS://any.example:8443'])(
    'uses the path of an absolute URL as sent to proxies, %s',
    async (origin) => {
      const requestTo = (path: string): string =>
        `GET ${origin}${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(requestTo('/livez'))).toMatch(/^HTTP\/1\.1 200 [^]*"alive"/);
      expect(await sendRaw(requestTo('/livez?x=1'))).toMatch(/^HTTP\/1\.1 400 [^]*"field":"x"/);
      expect(await sendRaw(requestTo(''))).toMatch(/^HTTP\/1\.1 302 [^]*Location: \/docs\/\r\n/);
    },
  );
});
