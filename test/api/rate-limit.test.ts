import { describe, expect, test } from '@jest/globals';
import { RateLimiter } from '#http/api/middleware/rate-limit.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const MERCHANTS = '/api/v1/merchants';
const REGISTRATION = '/api/v1/onboarding/providers/registration';

let now = 0;

const service = await startSuiteService({ http: { rateLimiter: new RateLimiter({ perSecond: 2, now: () => now }) } });
const acme = await createMerchant(service, 'Acme');

/** Uses up the limit of a second. */
async function spendLimit(): Promise<ApiResponse[]> {
  now += 60_000;
  const get = async () => await service.send('GET', MERCHANTS, { key: acme.live.key });
  return [await get(), await get()];
}

const rateLimitHeaders = ({ headers }: ApiResponse): unknown[] => [
  headers.get('ratelimit'),
  headers.get('ratelimit-policy'),
];

describe('A limit of two requests a second', () => {
  test('every response to a merchant key has the rate limit headers', async () => {
    const [first, second] = (await spendLimit()) as [ApiResponse, ApiResponse];
    expect([first.status, ...rateLimitHeaders(first)]).toEqual([200, '"key";r=1;t=1', '"key";q=2;w=1']);
    expect([second.status, ...rateLimitHeaders(second)]).toEqual([200, '"key";r=0;t=1', '"key";q=2;w=1']);
    now += 60_000;
    const missing = await service.send('GET', `/api/v1/policies/${acme.live.claimId}`, { key: acme.live.key });
    expect([missing.status, ...rateLimitHeaders(missing)]).toEqual([404, '"key";r=1;t=1', '"key";q=2;w=1']);
    const forbidden = await service.send('GET', '/api/v1/policies', { key: acme.live.key });
    expect([forbidden.status, ...rateLimitHeaders(forbidden)]).toEqual([403, '"key";r=0;t=1', '"key";q=2;w=1']);
  });

  test('answers 429 with Retry-After above the limit and does not read the body', async () => {
    await spendLimit();
    const before = (await service.log()).length;
    const response = await service.send('POST', REGISTRATION, {
      key: acme.live.key,
      raw: 'not JSON',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect([response.status, response.json.code]).toEqual([429, 'rate_limited']);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(rateLimitHeaders(response)).toEqual(['"key";r=0;t=1', '"key";q=2;w=1']);
    expect(await service.log()).toHaveLength(before);
    const metrics = await service.send('GET', '/metrics');
    expect(metrics.text).toMatch(/^surety_rate_limited_total [1-9]/m);
  });

  test('has a separate limit for another key of the same merchant', async () => {
    await spendLimit();
    expect((await service.send('GET', MERCHANTS, { key: acme.test.key })).status).toBe(200);
  });

  test('has no limit and no headers for platform keys and without a key', async () => {
    for (let count = 0; count < 10; count++) {
      const response = await service.send('GET', MERCHANTS, { key: ADMIN_KEY });
      expect([response.status, ...rateLimitHeaders(response)]).toEqual([200, null, null]);
    }
    const open = await service.send('GET', '/livez');
    expect([open.status, ...rateLimitHeaders(open)]).toEqual([200, null, null]);
    const wrongKey = acme.live.key.slice(0, -1) + (acme.live.key.endsWith('0') ? '1' : '0');
    const unknown = await service.send('GET', MERCHANTS, { key: wrongKey });
    expect([unknown.status, ...rateLimitHeaders(unknown)]).toEqual([401, null, null]);
  });
});

describe('Without a limit', () => {
  test('responses have no rate limit headers', async () => {
    const unlimited = await startApiService();
    try {
      const { live } = await createMerchant(unlimited, 'Bolt');
      const response = await unlimited.send('GET', MERCHANTS, { key: live.key });
      expect([response.status, ...rateLimitHeaders(response)]).toEqual([200, null, null]);
    } finally {
      await unlimited.stop();
    }
  });
});
