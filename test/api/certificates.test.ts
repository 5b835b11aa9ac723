import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { openShop } from '../support/bought-policies.ts';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { textsOf } from '../support/pdf-text.ts';

const shop = await openShop();
const { service, acme } = shop;
shop.setDay('2026-03-10');
const motor = await shop.offer({
  base_premium: '1000.00',
  rating: { surcharge: '50.00', tax_percent: '10', commission_percent: '20' },
  coverages: [
    { coverage_name: 'Own damage', coverage_type: 'Collision', coverage_limit: '100000.00', deductible: '500.00' },
    { coverage_name: 'Theft', coverage_type: 'Property', coverage_limit: '100000.00' },
  ],
});
const inspected = await shop.offer({ inspection_required: true });
const beta = await createMerchant(service, 'Beta');

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly pdf: Uint8Array;
  readonly hash: string;
  readonly code: string | undefined;
}

async function ask(path: string, options: { key?: string; method?: string; headers?: object } = {}): Promise<Answer> {
  const { key = acme.live.key, method = 'GET', headers = {} } = options;
  const response = await fetch(`${service.url}/api/v1/policies/${path}`, {
    method,
    headers: { 'X-API-Key': key, ...headers },
  });
  const pdf = new Uint8Array(await response.arrayBuffer());
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const { code } = isProblem ? JSON.parse(Buffer.from(pdf).toString()) : {};
  const hash = createHash('sha256').update(pdf).digest('hex');
  return { status: response.status, headers: response.headers, pdf, hash, code };
}

const textsAt = async (path: string): Promise<readonly string[]> => textsOf((await ask(path)).pdf).flat();
const problemAt = async (path: string, key?: string): Promise<readonly unknown[]> => {
  const { status, code } = await ask(path, key === undefined ? {} : { key });
  return [status, code];
};

async function buy(product = motor, more: object = {}): Promise<{ readonly id: string; readonly path: string }> {
  shop.setDay('2026-03-10');
  const { policy_id: id } = await shop.buy(product, more);
  return { id, path: `${id}/certificate/` };
}

describe('The certificate of a policy', () => {
  test('is a PDF of the view, to be saved under the number of the policy', async () => {
    const beneficiaries = [{ beneficiary_name: 'Ngozi Obi', relationship: 'sister', share_percent: '100.00' }];
    const { id, path } = await buy(motor, { beneficiaries });
    const { policy_number: number } = (await shop.get(`policies/${id}`)).json;
    const { status, headers, pdf } = await ask(path);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename=certificate-${number}.pdf`,
      'content-length': String(pdf.length),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    const pages = textsOf(pdf);
    expect(pages.flat()).toEqual(
      expect.arrayContaining([
        'Certificate of insurance',
        number,
        id,
        'Leadway',
        'help@leadway.example',
        'Acme',
        'Ada Obi',
        'In force',
        '10 March 2026 through 9 March 2027, both days included',
        'UTC',
        'Own damage',
        'Collision',
        '100,000.00',
        '500.00',
        '1,000.00',
        '50.00',
        '105.00',
        '1,155.00',
        'Ngozi Obi',
        'sister',
        '100.00 %',
        `1 of ${pages.length}`,
      ]),
    );
    expect(pages.flat()).not.toContain('TEST');
  });

  test('is the same by number and for every role, and another on another day', async () => {
    const { id, path } = await buy();
    const { policy_number: number } = (await shop.get(`policies/${id}`)).json;
    shop.setDay('2026-04-20');
    const { hash, headers } = await ask(path);
    const others = [
      await ask(path),
      await ask(`${number}/certificate`),
      await ask(`${path}?environment_id=${acme.live.environmentId}`, { key: ADMIN_KEY }),
    ];
    for (const other of others) expect([other.hash, other.headers.get('etag')]).toEqual([hash, headers.get('etag')]);
    shop.setDay('2026-04-21');
    const next = await ask(path);
    expect(next.hash).not.toBe(hash);
    expect(next.headers.get('etag')).not.toBe(headers.get('etag'));
  });

  test('has the word TEST and another tag in test mode', async () => {
    const { policyId, key } = acme.test;
    const { pdf, headers } = await ask(`${policyId}/certificate/`, { key });
    for (const texts of textsOf(pdf)) expect(texts).toContain('TEST');
    const live = await ask(`${acme.live.policyId}/certificate/`);
    expect(headers.get('etag')).not.toBe(live.headers.get('etag'));
  });

  test('is not sent again to a client that has it, and has the same headers for HEAD', async () => {
    const { id, path } = await buy();
    const { headers, pdf } = await ask(path);
    const tag = headers.get('etag') ?? '';
    const again = await ask(path, { headers: { 'If-None-Match': tag } });
    expect([again.status, again.pdf.length, again.headers.get('etag')]).toEqual([304, 0, tag]);
    const head = await ask(path, { method: 'HEAD' });
    expect([head.status, head.pdf.length, head.headers.get('content-length')]).toEqual([200, 0, String(pdf.length)]);
    await shop.post('policies/cancel', { policy_id: id, cancellation_reason: 'Sold' });
    expect((await ask(path, { headers: { 'If-None-Match': tag } })).status).toBe(200);
  });

  test('reflects the log up to a position', async () => {
    const { path } = await buy();
    const position = String(await service.eventStore.lastPosition());
    expect((await ask(path, { headers: { 'Surety-Min-Position': position } })).status).toBe(200);
  });

  test('shows a cancellation from its recording, and as of a day from its day', async () => {
    const { id, path } = await buy();
    shop.setDay('2026-04-01');
    await shop.post('policies/cancel', { policy_id: id, cancellation_reason: 'Sold', effective_on: '2026-04-30' });
    expect(await textsAt(path)).toContain('Cancelled for a later day. The last day of cover is 30 April 2026.');
    shop.setDay('2026-05-01');
    expect(await textsAt(path)).toContain('Cancelled. The last day of cover is 30 April 2026.');
    const before = await textsAt(`${path}?as_of=2026-04-29`);
    expect(before).toContain('The policy on 29 April 2026. What takes effect on later days is not shown.');
    expect(before.filter((text) => text.startsWith('Cancelled'))).toEqual([]);
  });

  test('has the same bytes for the same day and knowledge, whatever is recorded later', async () => {
    const { id, path } = await buy();
    const point = `${path}?as_of=2026-04-01&known_at=2026-03-11T00:00:00Z`;
    shop.setDay('2026-04-02');
    const { hash, status } = await ask(point);
    const changes = [{ action: 'add', coverage_name: 'Glass', additional_amount: '10.00' }];
    expect((await shop.post(`policies/${id}/changes`, { changes })).status).toBe(200);
    expect([status, (await ask(point)).hash]).toEqual([200, hash]);
    shop.setDay('2026-04-03');
    expect(await textsAt(path)).toContain('Glass');
  });

  test('is not found where the view is not, and of another merchant', async () => {
    const { path } = await buy();
    expect(await problemAt(`${path}?as_of=2026-03-09`)).toEqual([404, 'not_in_force_yet']);
    expect(await problemAt(`${path}?known_at=2026-03-09T00:00:00Z`)).toEqual([404, 'not_known_yet']);
    expect(await problemAt(path, beta.live.key)).toEqual([404, 'policy_not_found']);
    expect(await problemAt(path, acme.test.key)).toEqual([404, 'policy_not_found']);
    expect(await problemAt(`${path}?day=2026-03-09`)).toEqual([400, 'invalid_request']);
  });

  test('is made before the first day, but not while the policy waits for its activation', async () => {
    const { path: later } = await buy(motor, { effective_from: '2026-06-01' });
    expect(await textsAt(later)).toContain('Accepted; cover begins on 1 June 2026');
    const { id, path } = await buy(inspected);
    expect((await shop.get(`policies/${id}`)).status).toBe(200);
    for (const search of ['', '?as_of=2026-03-10', '?known_at=2026-03-10T10:00:00Z'])
      expect([search, ...(await problemAt(`${path}${search}`))]).toEqual([search, 404, 'not_in_force_yet']);
    shop.setDay('2026-03-15');
    await shop.admin('ActivatePolicy', { policy_id: id });
    expect(await textsAt(path)).toContain('15 March 2026 through 14 March 2027, both days included');
    expect(await problemAt(`${path}?as_of=2026-03-14`)).toEqual([404, 'not_in_force_yet']);
    expect(await problemAt(`${path}?known_at=2026-03-14T00:00:00Z`)).toEqual([404, 'not_in_force_yet']);
  });

  test('does not write what it shows to the log', async () => {
    const { path } = await buy();
    service.logged.length = 0;
    await ask(path);
    expect(service.logged.join('\n')).not.toMatch(/Obi|Leadway/);
  });
});
