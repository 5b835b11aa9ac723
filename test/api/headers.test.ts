import { addDays, startOfDay, UTC } from '#domain/values/dates.ts';
import { describe, expect, test } from '@jest/globals';
import { customers } from '#projections/customers/customers.ts';
import { merchants } from '#projections/merchants/merchants.ts';
import { policies } from '#projections/policies/policies.ts';
import { hashOf } from '#queries/resources.ts';
import { products } from '#projections/products/products.ts';
import { importTerm, createMerchant, termRow } from '../support/merchant-fixture.ts';
import type { ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';

/** Entity tag of the policies of the fixtures. */
const TAG = `"${policies.version}-0-${hashOf('ref-mot-1')}"`;

/** While true, the read models do not reach any position. */
let behind = false;

const service = await startSuiteService({
  projector: (real) => ({
    status: () => real.status(),
    initialBuildProgress: () => real.initialBuildProgress(),
    waitFor: async (position, timeoutMs) => !behind && (await real.waitFor(position, timeoutMs)),
  }),
});
const acme = await createMerchant(service, 'Acme');
const policyPath = `/api/v1/policies/${acme.live.policyId}/`;

async function read(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return await service.send('GET', path, { key: acme.live.key, headers });
}

describe('Headers of reads', () => {
  test('a resource is private, has nosniff and a strong ETag', async () => {
    const { headers } = await read(policyPath);
    expect(headers.get('vary')).toBe('X-API-Key');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('etag')).toBe(TAG);
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('HEAD returns the headers of GET and no body', async () => {
    const get = await read(policyPath);
    for (const path of [policyPath, '/livez']) {
      const head = await service.send('HEAD', path, { key: acme.live.key });
      expect([head.status, head.text]).toEqual([200, '']);
    }
    const head = await service.send('HEAD', policyPath, { key: acme.live.key });
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });

  test('the ETag has a part of the hash of the body where more than the stream of the resource determines it', async () => {
    const { json } = await read(`/api/v1/products/`);
    const views = [
      [`/api/v1/customers/${acme.live.customerId}`, `${customers.version}-0`],
      [`/api/v1/merchants/${acme.shortCode}`, `${merchants.version}-1`],
      [`/api/v1/products/${json.results[0][0].id}`, `${products.version}-0`],
    ];
    for (const [path = '', stream] of views) {
      const first = await read(path);
      expect([path, first.headers.get('etag')]).toEqual([path, expect.stringMatching(`^"${stream}-[0-9a-f]{12}"$`)]);
      expect((await read(path)).headers.get('etag')).toBe(first.headers.get('etag'));
    }
  });

  test('the ETag of the terms of a policy has the last day on which the calendar changed them', async () => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('TERMS-1'));
    const tagOn = async (day: string) => {
      const { now } = service.clock;
      service.clock.now = `${day}T12:00:00.000Z`;
      const tag = (await read(`/api/v1/policies/${policy_id}/terms`)).headers.get('etag');
      service.clock.now = now;
      return tag;
    };
    expect(await tagOn('2025-12-31')).toBe(`"${policies.version}-0"`);
    expect(await tagOn('2026-12-31')).toBe(`"${policies.version}-0-2026-01-01"`);
    expect(await tagOn('2027-01-01')).toBe(`"${policies.version}-0-2027-01-01"`);
  });
});

test('the ETag of a policy changes with the reference of its customer, and the revision in it does not', async () => {
  const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('REF-1'));
  const path = `/api/v1/policies/${policy_id}/`;
  const before = await read(path);
  const { customer_id } = before.json.policy_holder;
  const patch = { customer_reference: 'another' };
  await service.send('PATCH', `/api/v1/customers/${customer_id}`, { key: acme.live.key, body: patch });
  const headers = { 'If-None-Match': String(before.headers.get('etag')) };
  const after = await read(path, headers);
  expect([after.status, after.json]).toEqual([200, { ...before.json, customer_reference: 'another' }]);
  const options = { key: acme.live.key, headers: { 'If-Match': String(before.headers.get('etag')) } };
  const cancelled = await service.send('POST', `/api/v1/policies/${policy_id}/auto_renew/`, {
    ...options,
    body: { auto_renew: true },
  });
  expect(cancelled.status).toBe(200);
});

describe('If-None-Match', () => {
  test('answers 304 without a body to the tag that was read', async () => {
    const response = await read(policyPath, { 'If-None-Match': `"x", ${TAG}` });
    expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', TAG]);
    expect(response.headers.get('vary')).toBe('X-API-Key');
    expect(response.headers.get('content-type')).toBeNull();
  });
});

describe('If-Match', () => {
  const cancel = async (policy_id: string, tag: string) =>
    await service.send('POST', '/api/v1/policies/cancel', {
      key: acme.live.key,
      body: { policy_id, cancellation_reason: 'x' },
      headers: { 'If-Match': tag },
    });

  test('rejects an invalid tag and names the header', async () => {
    const response = await cancel(acme.live.policyId, '1-0');
    expect([response.status, response.json.errors[0].field]).toEqual([400, 'If-Match']);
  });

  test.each([
    ['the tag that was read', TAG],
    ['the tag of an older projection', '"0-0"'],
    ['any', '*'],
  ])('executes the command with %s', async (name, tag) => {
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(`TAG-${name.length}`));
    expect((await cancel(policy_id, tag)).status).toBe(200);
  });
});

describe('If-Match of a policy with a due change', () => {
  test('is the tag that was read before the command recorded the change', async () => {
    const row = termRow('DUE-1', { term_from: '2026-04-01', term_through: '2027-03-31' });
    const { policy_id } = await importTerm(service, acme.live.environmentId, row);
    const { now } = service.clock;
    service.clock.now = '2026-04-01T00:00:30.000Z';
    const before = await read(`/api/v1/policies/${policy_id}`);
    expect(before.json.status).toBe('accepted');
    const cancel = async (tag: string) =>
      await service.send('POST', '/api/v1/policies/cancel', {
        key: acme.live.key,
        body: { policy_id, cancellation_reason: 'x' },
        headers: { 'If-Match': tag },
      });
    expect((await cancel(before.headers.get('etag') ?? '')).status).toBe(200);
    expect((await cancel(before.headers.get('etag') ?? '')).status).toBe(412);
    service.clock.now = now;
  });
});

describe('Positions', () => {
  test('a read at the position of a command shows its result', async () => {
    for (let days = 1; days <= 20; days++) {
      const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(`POS-${days}`));
      const renewed = await service.send('POST', '/api/v1/policies/renew', {
        key: acme.live.key,
        body: { policy_id, preferred_policy_start_date: '2027-01-01', policy_duration: days },
      });
      expect(renewed.headers.get('surety-position')).toMatch(/^\d+$/);
      expect(renewed.headers.get('surety-pending')).toBeNull();
      const current = await read(`/api/v1/policies/${policy_id}`, {
        'Surety-Min-Position': renewed.headers.get('surety-position') ?? '',
      });
      expect(current.json.renewal_date).toBe(startOfDay(addDays('2027-01-01', days), UTC));
    }
  });

  test('while the read models are stalled, a command is pending and a read with a minimum position gets Retry-After', async () => {
    behind = true;
    try {
      const { headers, status } = await service.send('POST', '/api/v1/onboarding/providers/registration', {
        key: acme.live.key,
        body: { name: 'Late', support_email: 'a@b.example', support_phone: '1' },
      });
      expect([status, headers.get('surety-pending')]).toEqual([201, 'true']);
      const response = await read(policyPath, { 'Surety-Min-Position': headers.get('surety-position') ?? '' });
      expect([response.status, response.json.code, response.headers.get('retry-after')]).toEqual([
        503,
        'position_not_reached',
        '1',
      ]);
      // The log contains the position, but not one of a log that was restored.
      expect(response.json.head).toBe(headers.get('surety-position'));
      const beyond = await read(policyPath, { 'Surety-Min-Position': '999999' });
      expect([beyond.json.code, beyond.json.head]).toEqual(['position_not_reached', response.json.head]);
      expect((await read(policyPath)).status).toBe(200);
    } finally {
      behind = false;
    }
  });

  test.each(['-1', 'x', '1.5', '9'.repeat(30), ''])('rejects %s as a position', async (position) => {
    const response = await read(policyPath, { 'Surety-Min-Position': position });
    expect([response.status, response.json.errors[0].field]).toEqual([400, 'Surety-Min-Position']);
  });
});

describe('Traces', () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  test('events carry the trace and the request id; an invalid trace is ignored', async () => {
    for (const [name, traceparent, stored] of [
      ['Traced', trace, trace],
      ['Untraced', trace.replace('b7ad6b7169203331', '0000000000000000'), undefined],
    ] as const) {
      const requestId = `request-of-${name}`;
      const response = await service.send('POST', '/api/v1/onboarding/providers/registration', {
        key: acme.live.key,
        body: { name, support_email: 'a@b.example', support_phone: '1' },
        headers: { traceparent, 'X-Request-Id': requestId },
      });
      const events = await service.eventStore.readStream(`provider-${response.json.provider_id}`);
      expect(events[0]?.metadata).toMatchObject({ requestId });
      expect((events[0]?.metadata as { traceparent?: string } | undefined)?.traceparent).toBe(stored);
    }
  });
});
