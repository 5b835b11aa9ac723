import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';

const shop = await openShop();
/** A year costs 1155.00. */
const rating = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };
const prices = { base_premium: '1000.00', rating };
const { service } = shop;
const other = await createMerchant(service, 'Other');
shop.setDay('2026-03-10');

interface Case {
  readonly path: (policyId: string) => string;
  readonly body: (policyId: string) => object;
  readonly route: string;
  /** The member of the response that says `preview`, and that of `data` with the amount. */
  readonly status: string;
  readonly amount: string;
  /** The amount by the first tax of the product, and after 10 days by another one. */
  readonly amounts: readonly [string, string];
}

const CASES: Readonly<Record<string, Case>> = {
  renewal: {
    path: () => 'policies/renew',
    body: (policy_id) => ({ policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365 }),
    route: '/api/v1/policies/renew',
    status: 'renewal_status',
    amount: 'premium',
    amounts: ['1155.00', '1260.00'],
  },
  cancellation: {
    path: () => 'policies/cancel',
    body: (policy_id) => ({ policy_id, cancellation_reason: 'Sold' }),
    route: '/api/v1/policies/cancel',
    status: 'cancellation_status',
    amount: 'refund_amount',
    amounts: ['1096.99', '1066.85'],
  },
  change: {
    path: (policyId) => `policies/${policyId}/changes`,
    body: () => ({ changes: [{ action: 'add', coverage_name: 'Glass', additional_amount: '110.00' }] }),
    route: '/api/v1/policies/:policy_id/changes',
    status: 'change_status',
    amount: 'premium_difference',
    amounts: ['109.70', '106.69'],
  },
};

describe.each(Object.entries(CASES))('The preview of a %s', (_name, { path, body, route, status, amount, amounts }) => {
  const send = async (policyId: string, more: object = {}, search = '', request: object = {}): Promise<ApiResponse> =>
    await shop.post(`${path(policyId)}${search}`, { ...body(policyId), ...more }, request);

  /** Buys a policy for a year on 2026-03-10 at 10 % tax. */
  async function buy(): Promise<{ policyId: string; productId: string }> {
    shop.setDay('2026-03-10');
    const productId = await shop.offer(prices);
    return { policyId: (await shop.buy(productId)).policy_id, productId };
  }

  test('is what the request then does, and changes nothing', async () => {
    const { policyId } = await buy();
    const [view, position] = [await shop.get(`policies/${policyId}`), await service.eventStore.lastPosition()];
    const previewed = await send(policyId, {}, '?preview=true', { headers: { 'Idempotency-Key': `key ${route}` } });
    expectDocumentedBody(previewed, getRoute(service, 'POST', route));
    expect(previewed.json[status]).toBe('preview');
    expect(previewed.json.data[amount]).toBe(amounts[0]);
    expect(previewed.headers.get('surety-position')).toBeNull();
    expect(await service.eventStore.lastPosition()).toBe(position);
    expect((await shop.get(`policies/${policyId}`)).text).toBe(view.text);
    const more = { expected_amount: Number(amounts[0]) };
    const done = await send(policyId, more, '?preview=false', { headers: { 'Idempotency-Key': `key ${route}` } });
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(done.json).toEqual({ ...previewed.json, [status]: 'success' });
  });

  test('is refused as the request would be', async () => {
    const { policyId } = await buy();
    const refusals = async (search: string) => [
      problemOf(await send(policyId, { unknown: 1 }, search)),
      problemOf(await send(policyId, {}, search, { key: other.live.key })),
      problemOf(await send(policyId, {}, search, { headers: { 'If-Match': '"1-7"' } })),
    ];
    const previewed = await refusals('?preview=true');
    expect(previewed).toEqual(await refusals(''));
    expect(previewed.map(([code]) => code)).toEqual([400, 404, 412]);
    expect(problemOf(await send(policyId, {}, '?preview=yes'))).toEqual([400, 'invalid_request', 'preview']);
  });

  test('holds no longer when product or day are others', async () => {
    const { policyId, productId } = await buy();
    const { json } = await send(policyId, {}, '?preview=true');
    await shop.reprice(productId, { ...rating, tax_percent: '20' });
    shop.setDay('2026-03-20');
    const more = { expected_amount: json.data[amount] };
    const position = await service.eventStore.lastPosition();
    const refused = await send(policyId, more);
    expect(problemOf(refused)).toEqual([409, 'amount_changed', 'expected_amount']);
    expect(refused.json.amount).toBe(amounts[1]);
    expect(await service.eventStore.lastPosition()).toBe(position);
    expect(problemOf(await send(policyId, more, '?preview=true'))).toEqual(problemOf(refused));
    expect((await send(policyId, { expected_amount: refused.json.amount })).status).toBe(200);
  });

  test('takes an amount of the policy alone', async () => {
    const { policyId } = await buy();
    for (const expected_amount of ['1.001', 'much', '', null, '12345678901234567.00', {}])
      expect(problemOf(await send(policyId, { expected_amount }))).toEqual([400, 'invalid_request', 'expected_amount']);
  });
});

test('A sum with more digits than one amount may have can be sent back', async () => {
  shop.setDay('2026-03-10');
  const { policy_id } = await shop.buy(await shop.offer(prices));
  const changes = [{ action: 'add', coverage_name: 'Glass', additional_amount: '66000000.00' }];
  await shop.post('policies/renew', { policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365 });
  const previewed = await shop.post(`policies/${policy_id}/changes?preview=true`, { changes });
  const { premium_difference: expected_amount } = previewed.json.data;
  expect(expected_amount).toBe('131819178.08');
  const done = await shop.post(`policies/${policy_id}/changes`, { changes, expected_amount });
  expect([done.status, done.json.data]).toEqual([200, previewed.json.data]);
});

test('A preview counts what is due by today, and leaves it to the scheduler', async () => {
  shop.setDay('2026-03-10');
  const { policy_id } = await shop.buy(await shop.offer(prices), { policy_duration: 30, auto_renew: true });
  shop.setDay('2026-05-01');
  const position = await service.eventStore.lastPosition();
  const body = { policy_id, preferred_policy_start_date: '2026-05-09', policy_duration: 30 };
  const { json } = await shop.post('policies/renew?preview=true', body);
  expect([json.renewal_status, json.earliest_start]).toEqual(['preview', undefined]);
  expect(await service.eventStore.lastPosition()).toBe(position);
  expect(await shop.terms(policy_id)).toHaveLength(1);
  const early = { ...body, preferred_policy_start_date: '2026-05-08' };
  const refused = await shop.post('policies/renew?preview=true', early);
  expect(refused.json).toMatchObject({ code: 'renewal_overlaps_current_term', earliest_start: '2026-05-09' });
  expect((await shop.post('policies/renew', body)).json).toEqual({ ...json, renewal_status: 'success' });
  expect(await shop.terms(policy_id)).toHaveLength(3);
});
