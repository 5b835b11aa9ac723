import { afterEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';

let running: ApiService | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('A process without the role api', () => {
  test('serves health and metrics and no other path', async () => {
    running = await startApiService({
      http: { servesApi: false, checkedParts: ['event_store', 'records'], healthChecks: [] },
    });
    const ready = await running.send('GET', '/readyz');
    expect(ready.status).toBe(200);
    expect(ready.json.checks.map(({ name }: { name: string }) => name)).toEqual(['event_store', 'records']);
    expect((await running.send('GET', '/livez')).status).toBe(200);
    const { text } = await running.send('GET', '/metrics');
    expect(text).toContain('surety_check_ok{check="records"} 1');
    // It has no check of read models, because it does not use them.
    expect(text).not.toMatch(/surety_(projector|log_position|read_model|parked|unroutable)/);
    for (const path of ['/api/v1/products', '/docs/', '/openapi.json', '/asyncapi.json', '/onboarding/verify/ABC-0000'])
      expect([path, (await running.send('GET', path, { key: ADMIN_KEY })).status]).toEqual([path, 404]);
  });

  test('reports the progress of read models with the role projector', async () => {
    running = await startApiService({ roles: ['projector'] });
    expect((await running.send('GET', '/metrics')).text).toContain('surety_projector_lag_seconds 0');
  });
});
