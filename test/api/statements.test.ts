import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { appendTo } from '#stores/event-log/event-log.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant, importTerm, termRow } from '../support/merchant-fixture.ts';
import { post } from '../support/policy-with-history.ts';
import { startSuiteService } from '../support/suite-service.ts';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme', { premium: '365.00' });
const { key, policyId } = acme.live;
const { environment_id: eastern } = await service.admin('CreateEnvironment', {
  short_code: acme.shortCode,
  environment_name: 'Kiritimati',
  test_mode: false,
  time_zone: 'Pacific/Kiritimati',
});
// In Kiritimati, 14 hours ahead of UTC, it is 1 April.
service.clock.now = '2026-03-31T10:30:00.000Z';
await importTerm(service, eastern, termRow('EAST-1', { premium: '365.00', product_name: '=1+1' }));
service.clock.now = '2026-03-31T12:00:00.000Z';
await importTerm(service, acme.live.environmentId, termRow('UTC-1', { premium: '365.00' }));
service.clock.now = '2026-04-30T23:30:00.000Z';
await post(service, key, 'policies/cancel', { policy_id: policyId, cancellation_reason: 'Sold the car' });
service.clock.now = '2026-05-01T00:30:00.000Z';
await importTerm(service, acme.live.environmentId, termRow('UTC-2', { premium: '365.00' }));

async function read(search = '', more: { accept?: string; key?: string } = {}) {
  const path = `/api/v1/merchants/${acme.shortCode}/transactions/${search}`;
  const headers = { Accept: more.accept ?? 'application/json' };
  return await service.send('GET', path, { key: more.key ?? key, headers });
}

function linesOf({ json }: ApiResponse): readonly string[] {
  return json.results.map((each: Record<string, string>) => `${each.policy_number} ${each.kind} ${each.amount}`);
}

const MARCH = ['MOT-1 premium 365.00', 'UTC-1 premium 365.00'];
const APRIL = ['EAST-1 premium 365.00', 'MOT-1 return_premium -245.00'];
const MAY = ['UTC-2 premium 365.00'];

describe('The statement of a merchant', () => {
  test('has the transactions of all policies with number, reference, product and insurer, in the order of recording', async () => {
    const response = await read();
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants/:short_code/transactions'));
    expect(linesOf(response)).toEqual([MARCH[0], APRIL[0], MARCH[1], APRIL[1], MAY[0]]);
    const ofPolicy = await service.send('GET', '/api/v1/policies/MOT-1/transactions/', { key });
    const [transaction] = ofPolicy.json.results;
    expect(response.json.results[0]).toEqual({
      ...transaction,
      policy_number: 'MOT-1',
      customer_id: acme.live.customerId,
      customer_reference: 'ref-mot-1',
      product: 'Motor Basic',
      insurer: 'Imported Insurance',
    });
  });

  test.each([
    ['recorded_from=2026-03-01&recorded_through=2026-03-31', MARCH],
    ['recorded_from=2026-04-01&recorded_through=2026-04-30', APRIL],
    ['recorded_from=2026-05-01', MAY],
    ['recorded_through=2026-03-10', MARCH.slice(0, 1)],
    ['recorded_from=2026-03-11&recorded_through=2026-03-30', []],
    ['recorded_from=9999-12-31', []],
    ['recorded_through=9999-12-31&kind=return_premium', APRIL.slice(1)],
    ['kind=claim_payment', []],
  ])('counts days in the zone of each policy: %s', async (search, expected) => {
    expect(linesOf(await read(`?${search}`))).toEqual(expected);
    const walked: string[] = [];
    for (let path: string | null = `?limit=1&${search}`; path !== null; ) {
      const page = await read(path);
      walked.push(...linesOf(page));
      path = page.json.next === null ? null : new URL(page.json.next).search;
    }
    expect(walked).toEqual(expected);
  });

  test('is downloaded whole as a table whose amounts are numbers and whose texts are no formulas', async () => {
    const response = await read('', { accept: 'text/csv' });
    expect(response.headers.get('vary')).toBe('X-API-Key, Accept');
    const rows = parse<Record<string, string>>(response.text, { columns: true });
    const { results } = (await read('?limit=100')).json;
    const texts = results.map(({ term, ...entry }: { term: { from: string; through: string } | null }) =>
      Object.fromEntries(
        Object.entries({ ...entry, term_from: term?.from, term_through: term?.through }).map(([name, value]) => [
          name,
          value === '=1+1' ? "'=1+1" : (value ?? ''),
        ]),
      ),
    );
    expect(rows).toEqual(texts);
    expect(rows.map(({ amount }) => amount)).toContain('-245.00');
    expect(rows.map(({ product }) => product)).toContain("'=1+1");
    const lines = (await read('?kind=return_premium', { accept: 'application/x-ndjson' })).text;
    expect(JSON.parse(lines)).toEqual(results.find(({ kind }: { kind: string }) => kind === 'return_premium'));
  });

  test('shows the reference that a customer has now', async () => {
    const { live } = await createMerchant(service, 'Beta');
    const body = { customer_reference: 'C-1' };
    await service.send('PATCH', `/api/v1/customers/${live.customerId}/`, { key: live.key, body });
    const { json } = await service.send('GET', `/api/v1/policies/${live.policyId}/`, { key: live.key });
    const path = `/api/v1/merchants/${json.merchant_short_code}/transactions/`;
    const { results } = (await service.send('GET', path, { key: live.key })).json;
    expect(results[0].customer_reference).toBe('C-1');
  });

  test('has what every policy has, also changes, payments and what is owed again', async () => {
    const { live, shortCode } = await createMerchant(service, 'Gamma');
    const { claimId, policyId } = live;
    await post(service, live.key, `policies/${policyId}/changes`, {
      changes: [{ action: 'add', coverage_name: 'Glass', additional_amount: '365.00' }],
    });
    for (const command of ['ReviewClaim', 'SendClaimForApproval']) await service.admin(command, { claim_id: claimId });
    await service.admin('ApproveClaim', {
      claim_id: claimId,
      approved_amount: '1000.00',
      coverage_name: 'Third party',
    });
    await service.admin('PayClaim', { claim_id: claimId, paid_amount: '900.00' });
    const claim = (await service.send('GET', `/api/v1/claims/${claimId}/`, { key: live.key })).json;
    await service.admin('ReversePayment', { claim_id: claimId, payment_id: claim.payments[0].payment_id, reason: 'x' });
    await post(service, live.key, 'policies/cancel', { policy_id: policyId, cancellation_reason: 'x' });
    await service.admin('ReinstatePolicy', { policy_id: policyId, reason: 'x' });
    const of = async (path: string) => (await service.send('GET', `/api/v1/${path}`, { key: live.key })).json.results;
    const listed = await of(`merchants/${shortCode}/transactions/?limit=100`);
    expect(new Set(listed.map(({ kind }: { kind: string }) => kind)).size).toBe(5);
    expect(
      listed.map(
        ({
          policy_number: _n,
          customer_id: _id,
          customer_reference: _c,
          product: _p,
          insurer: _i,
          ...rest
        }: object & Record<string, unknown>) => rest,
      ),
    ).toEqual(await of(`policies/${policyId}/transactions/?limit=100`));
  });

  test('is of one mode, and to a platform key of the mode that it asks for', async () => {
    expect(linesOf(await read('', { key: acme.test.key }))).toEqual(MARCH.slice(0, 1));
    expect(linesOf(await read('', { key: ADMIN_KEY }))).toHaveLength(5);
    expect(linesOf(await read('?test_mode=true', { key: ADMIN_KEY }))).toEqual(MARCH.slice(0, 1));
    expect((await read('?test_mode=true', { accept: 'text/csv', key: ADMIN_KEY })).text.split('\r\n')).toHaveLength(3);
  });

  test.each([
    ['recorded_from=2026-02-30', 'recorded_from'],
    ['recorded_from=2026-03-02&recorded_through=2026-03-01', 'recorded_through'],
    ['kind=fee', 'kind'],
    ['offset=1', 'offset'],
  ])('refuses %s', async (search, field) => {
    const { status, json } = await read(`?${search}`);
    expect([status, json.errors[0].field]).toEqual([400, field]);
    expect((await read(`?${search}`, { accept: 'text/csv' })).json.errors[0].field).toBe(field);
  });

  test('is refused while an event of a policy of the merchant and mode cannot be read', async () => {
    const { live, test } = await createMerchant(service, 'Delta');
    const stream = `policy-${live.policyId}`;
    const last = await service.eventStore.readLast(stream);
    const event = { id: randomUUID(), type: 'PolicyPromised.v9', data: {}, metadata: last?.metadata };
    const { position } = await appendTo(service.eventStore, stream, last?.revision ?? 0, [event]);
    await service.projector.waitFor(position, 5_000);
    for (const accept of ['application/json', 'text/csv'])
      expect(await statusOf(live.key, accept)).toEqual([503, 'document_parked']);
    for (const other of [test.key, key]) expect(await statusOf(other)).toEqual([200, undefined]);
    const ofPolicy = await service.send('GET', `/api/v1/policies/${live.policyId}/transactions/`, { key: live.key });
    expect([ofPolicy.status, ofPolicy.json.code]).toEqual([503, 'document_parked']);
  });
});

async function statusOf(ownKey: string, accept = 'application/json') {
  const { merchant } = (await service.send('GET', '/api/v1/me', { key: ownKey })).json;
  const path = `/api/v1/merchants/${merchant.short_code}/transactions/`;
  const { status, json } = await service.send('GET', path, { key: ownKey, headers: { Accept: accept } });
  return [status, json?.code];
}
