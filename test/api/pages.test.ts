import { describe, expect, test } from '@jest/globals';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

/** Requests every HTML response of the routes, to GET and to submitted forms. */
async function pages(): Promise<readonly (readonly [string, ApiResponse])[]> {
  const found: (readonly [string, ApiResponse])[] = [];
  for (const { method, path, kind } of service.http.routes) {
    if (method === 'POST' && kind !== 'public') continue;
    const real = path.replaceAll(/:\w+/g, acme.shortCode);
    const form = { raw: 'token=wrong', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    for (const path of [real, `${real}/`, `${real}?token=%3Cscript%3E`]) {
      const sent = { key: ADMIN_KEY, ...(method === 'POST' ? form : {}) };
      const response = await service.send(method, path, sent);
      if (response.headers.get('content-type')?.startsWith('text/html')) found.push([`${method} ${path}`, response]);
    }
  }
  return found;
}

describe('Pages', () => {
  test('every HTML response has the security headers', async () => {
    const all = await pages();
    const names = all.map(([path]) => path);
    expect(names).toContain(`GET /onboarding/verify/${acme.shortCode}`);
    expect(names).toContain(`POST /onboarding/verify/${acme.shortCode}`);
    expect(names).toContain('GET /docs/');
    for (const [path, { headers, text }] of all) {
      const policy = headers.get('content-security-policy') ?? '';
      expect([path, policy]).toEqual([path, expect.stringMatching(/default-src '(none|self)'/)]);
      for (const wanted of ["frame-ancestors 'none'", "base-uri 'none'"])
        expect([path, policy]).toEqual([path, expect.stringContaining(wanted)]);
      expect([path, policy]).not.toEqual([
        path,
        expect.stringMatching(/unsafe-eval|script-src[^;]*unsafe-inline|\*|https?:/),
      ]);
      expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
      expect([path, headers.get('cross-origin-opener-policy')]).toEqual([path, 'same-origin']);
      expect([path, headers.get('permissions-policy')]).toEqual([path, expect.stringContaining('camera=()')]);
      expect([path, headers.get('x-powered-by'), headers.get('server')]).toEqual([path, null, null]);
      expect([path, text.includes('<script>')]).toEqual([path, false]);
    }
  });
});
