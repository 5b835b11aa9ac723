import { describe, expect, test } from '@jest/globals';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();

describe('The running service', () => {
  test('with RATE_LIMIT, answers 429 to a merchant key above the limit, but not to the administrator', async () => {
    const service = await place.startService({ settings: { LOG_LEVEL: 'error', RATE_LIMIT: '3' } });
    const { environment_id } = await service.createEnvironment();
    const { api_key: key } = await service.run('IssueApiKey', { environment_id, label: 'till' });
    const ask = async () => await service.request('/api/v1/merchants', { headers: { 'x-api-key': String(key) } });
    const responses = await Promise.all(Array.from({ length: 30 }, ask));
    const statuses = responses.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
    for (const { headers, status } of responses) {
      expect(headers.get('ratelimit-policy')).toBe('"key";q=3;w=1');
      expect(headers.get('retry-after')).toBe(status === 429 ? '1' : null);
    }
    expect((await service.request('/api/v1/merchants')).headers.get('ratelimit')).toBeNull();
    expect(await (await service.request('/metrics')).text()).toMatch(/^surety_rate_limited_total [1-9]/m);
  });

  test('with TRUST_PROXY, links have the protocol and host of the proxy', async () => {
    const service = await place.startService({ settings: { LOG_LEVEL: 'error', TRUST_PROXY: 'loopback' } });
    for (const name of ['Bank', 'Broker'])
      await service.command('RegisterMerchant', { name, business_email: 'b@bank.example' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.insure.example' };
    const response = await service.request('/api/v1/merchants?limit=1', { headers });
    const { next } = (await response.json()) as { next: string };
    expect(next).toMatch('https://api.insure.example/api/v1/merchants?limit=1&offset=1');
  });
});
