import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeMerchant, type MerchantScene } from '../support/api-scene.ts';
import { ADMIN_KEY, type ApiAnswer, type ApiService, startApiService } from '../support/api-service.ts';

let service: ApiService;
let acme: MerchantScene;

beforeAll(async () => {
  service = await startApiService();
  acme = await makeMerchant(service, 'Acme');
});

afterAll(async () => {
  await service.stop();
});

/** Every answer in HTML that the routes give: to a GET, and to a form that is sent from a page. */
async function pages(): Promise<readonly (readonly [string, ApiAnswer])[]> {
  const found: (readonly [string, ApiAnswer])[] = [];
  for (const { method, path, kind } of service.http.routes) {
    if (method === 'POST' && kind !== 'page') continue;
    const real = path.replaceAll(/:\w+/g, acme.shortCode);
    const form = { raw: 'token=wrong', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    for (const asked of [real, `${real}/`, `${real}?token=%3Cscript%3E`]) {
      const sent = { key: ADMIN_KEY, ...(method === 'POST' ? form : {}) };
      const answer = await service.send(method, asked, sent);
      if (answer.headers.get('content-type')?.startsWith('text/html')) found.push([`${method} ${asked}`, answer]);
    }
  }
  return found;
}

describe('pages', () => {
  test('given every route, then each answer in HTML has the headers that keep it to itself', async () => {
    const all = await pages();
    const names = all.map(([asked]) => asked);
    expect(names).toContain(`GET /onboarding/verify/${acme.shortCode}`);
    expect(names).toContain(`POST /onboarding/verify/${acme.shortCode}`);
    expect(names).toContain('GET /docs/');
    for (const [asked, { headers, text }] of all) {
      const policy = headers.get('content-security-policy') ?? '';
      expect([asked, policy]).toEqual([asked, expect.stringMatching(/default-src '(none|self)'/)]);
      for (const wanted of ["frame-ancestors 'none'", "base-uri 'none'"])
        expect([asked, policy]).toEqual([asked, expect.stringContaining(wanted)]);
      expect([asked, policy]).not.toEqual([
        asked,
        expect.stringMatching(/unsafe-eval|script-src[^;]*unsafe-inline|\*|https?:/),
      ]);
      expect([asked, headers.get('content-type')]).toEqual([asked, 'text/html; charset=utf-8']);
      expect([asked, headers.get('x-content-type-options')]).toEqual([asked, 'nosniff']);
      expect([asked, headers.get('x-frame-options')]).toEqual([asked, 'DENY']);
      expect([asked, headers.get('referrer-policy')]).toEqual([asked, 'no-referrer']);
      expect([asked, headers.get('cross-origin-opener-policy')]).toEqual([asked, 'same-origin']);
      expect([asked, headers.get('permissions-policy')]).toEqual([asked, expect.stringContaining('camera=()')]);
      expect([asked, headers.get('x-powered-by'), headers.get('server')]).toEqual([asked, null, null]);
      expect([asked, text.includes('<script>')]).toEqual([asked, false]);
    }
  });
});
