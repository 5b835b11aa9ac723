import { beforeEach, describe, expect, test } from '@jest/globals';
import { verificationTokens } from '#service/security/verification-token.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, SECRET } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';

let merchant: { readonly short_code: string; readonly tenant_id: string };

/** Positions that responses have waited for. */
const waitedFor = new Set<bigint>();

const service = await startSuiteService({
  projector: (real) => ({
    status: () => real.status(),
    initialBuildProgress: () => real.initialBuildProgress(),
    waitFor: async (position, timeoutMs) => {
      waitedFor.add(position);
      return await real.waitFor(position, timeoutMs);
    },
  }),
});
const acme = await createMerchant(service, 'Acme');

beforeEach(async () => {
  service.clock.now = '2026-03-10T09:30:00.000Z';
  merchant = await service.admin('RegisterMerchant', { name: 'Newcomer', business_email: 'new@comer.example' });
});

const tokenOf = (serial: number, tenantId = merchant.tenant_id): string => verificationTokens(SECRET)(tenantId, serial);

const pathOf = (token: string, shortCode = merchant.short_code): string =>
  `/api/v1/merchants/${shortCode}/verify/?token=${encodeURIComponent(token)}`;

async function isActive(): Promise<boolean> {
  return (await service.send('GET', `/api/v1/merchants/${merchant.short_code}`, { key: ADMIN_KEY })).json.is_active;
}

function withoutRequestId({ status, json }: ApiResponse): unknown {
  return { status, json: { ...json, request_id: undefined } };
}

describe('GET /merchants/{short_code}/verify', () => {
  test("verifies the merchant with the mailed token for any merchant's key", async () => {
    service.clock.now = '2026-03-10T12:00:00.000Z';
    expect(await isActive()).toBe(false);
    const response = await service.send('GET', pathOf(tokenOf(1)), { key: acme.test.key });
    expect(response.status).toBe(200);
    expect(Object.keys(response.json)).toEqual(['message']);
    expect(response.json.message).toMatch(/verified.*e-mailed.*spam.*support.*ONBOARDING_MSG_NOT_RECEIVED/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const seen = await service.send('GET', `/api/v1/merchants/${merchant.short_code}`, {
      key: ADMIN_KEY,
      headers: { 'Surety-Min-Position': response.headers.get('surety-position') ?? '' },
    });
    expect(seen.json).toMatchObject({ is_active: true, kyc_verified: false, updated_at: '2026-03-10T12:00:00.000Z' });
  });

  test('answers every invalid token alike and writes nothing', async () => {
    await service.admin('ResendVerification', { short_code: merchant.short_code });
    const before = (await service.log()).length;
    const paths = [
      pathOf(tokenOf(1)),
      pathOf('wrong'),
      pathOf(tokenOf(2), 'NOB-0000'),
      pathOf(tokenOf(2), 'no-code-at-all-is-as-long-as-this'),
      `/api/v1/merchants/${merchant.short_code}/verify`,
    ];
    const responses = [];
    for (const path of paths) responses.push(await service.send('GET', path, { key: acme.live.key }));
    service.clock.now = '2026-03-12T09:30:00.000Z';
    responses.push(await service.send('GET', pathOf(tokenOf(2)), { key: acme.live.key }));
    const [first, ...others] = responses.map(withoutRequestId);
    for (const other of others) expect(other).toEqual(first);
    expect(responses[0]).toMatchObject({
      status: 400,
      json: { error: 'Invalid verification token', code: 'invalid_verification_token' },
    });
    expect(await service.log()).toHaveLength(before);
  });

  test('the reference marks the token as required', async () => {
    const reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
    for (const operation of ['VerifyMerchant', 'VerificationPage']) {
      const parameters = reference.operations.get(operation)?.content['parameters'];
      expect([operation, parameters]).toEqual([
        operation,
        expect.arrayContaining([expect.objectContaining({ name: 'token', required: true })]),
      ]);
    }
  });

  test('answers 405 to HEAD and POST and verifies nothing', async () => {
    const before = (await service.log()).length;
    for (const method of ['HEAD', 'POST']) {
      const response = await service.send(method, pathOf(tokenOf(1)), { key: ADMIN_KEY });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    }
    const encoded = await service.send('HEAD', pathOf(tokenOf(1)).replace('merchants', 'm%65rchants'), {
      key: ADMIN_KEY,
    });
    expect([404, 405]).toContain(encoded.status);
    expect(await service.log()).toHaveLength(before);
  });

  test('no token appears in logs, events or metrics', async () => {
    await service.send('GET', pathOf(tokenOf(1)), { key: ADMIN_KEY });
    const events = (await service.log()).map(({ data, metadata }) => JSON.stringify([data, metadata])).join('\n');
    const metrics = (await service.send('GET', '/metrics')).text;
    for (const text of [service.logged.join('\n'), events, metrics]) expect(text).not.toContain(tokenOf(1));
  });
});

describe('The verification page', () => {
  const page = (): string => `/onboarding/verify/${merchant.short_code}`;
  const press = async (token: string, path = page()): Promise<ApiResponse> =>
    await service.send('POST', path, {
      raw: new URLSearchParams({ token }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });

  test('opening the link shows a page with one button and changes nothing', async () => {
    const before = (await service.log()).length;
    const response = await service.send('GET', `${page()}?token=${tokenOf(1)}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.text.match(/<button/g)).toHaveLength(1);
    expect(response.text).toContain(`name="token" value="${tokenOf(1)}"`);
    expect(response.text).not.toContain('<script');
    expect(await service.log()).toHaveLength(before);
  });

  test('escapes a malicious token', async () => {
    const response = await service.send('GET', `${page()}?token=${encodeURIComponent('"><b>x</b>')}`);
    expect(response.text).toContain('value="&quot;&gt;&lt;b&gt;x&lt;/b&gt;"');
  });

  test('the button verifies the merchant without a key', async () => {
    const response = await press(tokenOf(1));
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('ONBOARDING_MSG_NOT_RECEIVED')]);
    const event = (await service.log()).at(-1);
    expect(event?.type).toBe('MerchantVerified.v1');
    expect(event?.metadata).toMatchObject({ actor: { role: 'system', keyId: null } });
    expect((await press(tokenOf(1))).status).toBe(200);
    expect((await service.send('GET', pathOf(tokenOf(1)), { key: ADMIN_KEY })).status).toBe(200);
    expect((await service.log()).at(-1)?.id).toBe(event?.id);
  });

  test('the response to the button waits for the read models', async () => {
    await press(tokenOf(1));
    const { position } = (await service.log()).at(-1) ?? {};
    expect(position).toBeDefined();
    expect([...waitedFor]).toContain(position);
  });

  test('shows the same page for every error', async () => {
    const before = (await service.log()).length;
    const responses = [await press('wrong'), await press(tokenOf(1), '/onboarding/verify/NOB-0000')];
    for (const { status, text } of responses) {
      expect(status).toBe(400);
      expect(text).toContain('Invalid verification token');
      expect(text).toBe(responses[0]?.text);
    }
    expect(await service.log()).toHaveLength(before);
  });

  test('rejects a missing or too large form', async () => {
    expect((await service.send('POST', page(), { body: { token: tokenOf(1) } })).status).toBe(415);
    for (const length of [20_000, 500_000]) expect((await press('x'.repeat(length))).status).toBe(413);
  });

  test('logs neither token nor short code', async () => {
    const firstLine = service.logged.length;
    await service.send('GET', `${page()}?token=${tokenOf(1)}`);
    await press('wrong');
    const lines = service.logged.slice(firstLine).filter((line) => line.includes('"msg":"request"'));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).not.toContain(tokenOf(1));
      expect(line).not.toContain(merchant.short_code);
    }
  });
});
