import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RateLimiter } from '../../src/http/middleware/rate-limit.ts';
import { makeMerchant, type MerchantScene } from '../support/api-scene.ts';
import { ADMIN_KEY, type ApiAnswer, type ApiService, startApiService } from '../support/api-service.ts';

const MERCHANTS = '/api/v1/merchants';
const REGISTRATION = '/api/v1/onboarding/providers/registration';

let service: ApiService;
let acme: MerchantScene;
let now = 0;

beforeAll(async () => {
  service = await startApiService({ rateLimiter: new RateLimiter({ perSecond: 2, now: () => now }) });
  acme = await makeMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

/** As many as a second allows have passed. */
async function spend(): Promise<ApiAnswer[]> {
  now += 60_000;
  const get = async () => await service.send('GET', MERCHANTS, { key: acme.live.key });
  return [await get(), await get()];
}

const limits = ({ headers }: ApiAnswer): unknown[] => [headers.get('ratelimit'), headers.get('ratelimit-policy')];

describe('a limit of two requests a second', () => {
  test('given a merchant key, then every answer says how it stands', async () => {
    const [first, second] = (await spend()) as [ApiAnswer, ApiAnswer];
    expect([first.status, ...limits(first)]).toEqual([200, '"key";r=1;t=1', '"key";q=2;w=1']);
    expect([second.status, ...limits(second)]).toEqual([200, '"key";r=0;t=1', '"key";q=2;w=1']);
    now += 60_000;
    const missing = await service.send('GET', `/api/v1/policies/${acme.live.claimId}`, { key: acme.live.key });
    expect([missing.status, ...limits(missing)]).toEqual([404, '"key";r=1;t=1', '"key";q=2;w=1']);
    const forbidden = await service.send('GET', '/api/v1/policies', { key: acme.live.key });
    expect([forbidden.status, ...limits(forbidden)]).toEqual([403, '"key";r=0;t=1', '"key";q=2;w=1']);
  });

  test('given one request too many, then 429 with Retry-After, the body is not read and nothing happens', async () => {
    await spend();
    const before = (await service.log()).length;
    const answer = await service.send('POST', REGISTRATION, {
      key: acme.live.key,
      raw: 'not JSON',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect([answer.status, answer.json.code]).toEqual([429, 'rate_limited']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(limits(answer)).toEqual(['"key";r=0;t=1', '"key";q=2;w=1']);
    expect(await service.log()).toHaveLength(before);
    const metrics = await service.send('GET', '/metrics');
    expect(metrics.text).toMatch(/^surety_rate_limited_total [1-9]/m);
  });

  test('given a second later, then requests pass again', async () => {
    await spend();
    expect((await service.send('GET', MERCHANTS, { key: acme.live.key })).status).toBe(429);
    now += 1_000;
    expect((await service.send('GET', MERCHANTS, { key: acme.live.key })).status).toBe(200);
  });

  test('given another key of the same merchant, then it has a limit of its own', async () => {
    await spend();
    expect((await service.send('GET', MERCHANTS, { key: acme.test.key })).status).toBe(200);
  });

  test('given platform keys or no key, then there is neither a limit nor its headers', async () => {
    for (let count = 0; count < 10; count++) {
      const answer = await service.send('GET', MERCHANTS, { key: ADMIN_KEY });
      expect([answer.status, ...limits(answer)]).toEqual([200, null, null]);
    }
    const open = await service.send('GET', '/livez');
    expect([open.status, ...limits(open)]).toEqual([200, null, null]);
    const wrongKey = acme.live.key.slice(0, -1) + (acme.live.key.endsWith('0') ? '1' : '0');
    const unknown = await service.send('GET', MERCHANTS, { key: wrongKey });
    expect([unknown.status, ...limits(unknown)]).toEqual([401, null, null]);
  });
});

describe('no limit', () => {
  test('given that none is set, then no answer speaks of one', async () => {
    const unlimited = await startApiService();
    try {
      const { live } = await makeMerchant(unlimited, 'Bolt');
      const answer = await unlimited.send('GET', MERCHANTS, { key: live.key });
      expect([answer.status, ...limits(answer)]).toEqual([200, null, null]);
    } finally {
      await unlimited.stop();
    }
  });
});
