import { expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';

const shop = await openShop();
const { service, acme } = shop;
const other = await createMerchant(service, 'Other');
shop.setDay('2026-03-10');
const motor = await shop.offer();
const ada = { beneficiary_name: 'Ada Obi', relationship: 'wife', share_percent: '66.67' };
const chi = { beneficiary_name: 'Chi Obi', share_percent: 33.33 };

async function put(policyId: string, beneficiaries: unknown, key = acme.live.key): Promise<ApiResponse> {
  const body = { beneficiaries };
  return await service.send('PUT', `/api/v1/policies/${policyId}/beneficiaries/`, { key, body });
}

test('Beneficiaries are replaced, with shares or without; the same again record nothing', async () => {
  const bought = await shop.buy(motor, { beneficiaries: [ada, chi] });
  const { policy_id } = bought;
  const shown = [
    { beneficiary_name: 'Ada Obi', relationship: 'wife', share_percent: '66.67' },
    { beneficiary_name: 'Chi Obi', relationship: null, share_percent: '33.33' },
  ];
  expect(bought.beneficiaries).toMatchObject(shown);
  const same = await put(policy_id, [ada, chi]);
  expectDocumentedBody(same, getRoute(service, 'PUT', '/api/v1/policies/:policy_id/beneficiaries'));
  expect(same.json).toEqual({
    policy_id,
    policy_number: bought.policy_number,
    beneficiaries: bought.beneficiaries,
  });
  const replaced = await put(bought.policy_number, [{ beneficiary_name: 'Bola Obi' }]);
  expect(replaced.json.beneficiaries).toEqual([
    { beneficiary_id: expect.any(String), beneficiary_name: 'Bola Obi', relationship: null, share_percent: null },
  ]);
  expect((await shop.get(`policies/${policy_id}`)).json.beneficiaries).toEqual(replaced.json.beneficiaries);
  expect((await put(policy_id, [])).json.beneficiaries).toEqual([]);
  const { results } = (await shop.get(`policies/${policy_id}/history`)).json;
  expect(results.map(({ type }: ApiResponse['json']) => type)).toEqual([
    'PolicyPurchased.v1',
    'BeneficiariesSet.v1',
    'BeneficiariesSet.v1',
  ]);
});

test.each<[string, unknown]>([
  ['beneficiaries', Array.from({ length: 101 }, () => ({ beneficiary_name: 'Ada' }))],
  // Of at most 20,000 characters in all.
  ['beneficiaries', Array.from({ length: 80 }, () => ({ beneficiary_name: 'A'.repeat(250), relationship: 'x' }))],
  ['beneficiaries', [ada, { ...chi, share_percent: '33.34' }]],
  ['beneficiaries', [{ ...ada, share_percent: '99.99' }]],
  ['beneficiaries.1.share_percent', [ada, { beneficiary_name: 'Chi' }]],
  ['beneficiaries.0.share_percent', [{ ...ada, share_percent: '0.00' }]],
  ['beneficiaries.0.share_percent', [{ ...ada, share_percent: '100.01' }]],
  ['beneficiaries.0.beneficiary_name', [{ share_percent: '100' }]],
])('A wrong list is refused and names %s', async (field, beneficiaries) => {
  const position = await service.eventStore.lastPosition();
  expect(problemOf(await put(acme.live.policyId, beneficiaries))).toEqual([400, 'invalid_request', field]);
  expect(await service.eventStore.lastPosition()).toBe(position);
});

test('Beneficiaries of a policy of another merchant, and of one that has ended, are refused', async () => {
  const { policy_id } = await shop.buy(motor);
  expect(problemOf(await put(policy_id, [], other.live.key))).toEqual([404, 'policy_not_found']);
  expect(problemOf(await put(policy_id, [], acme.test.key))).toEqual([404, 'policy_not_found']);
  await shop.post('policies/cancel', { policy_id, cancellation_reason: 'Sold' });
  expect(problemOf(await put(policy_id, []))).toEqual([409, 'policy_already_cancelled']);
});

test('A wrong share says what a share is', async () => {
  const { json } = await put(acme.live.policyId, [{ ...ada, share_percent: '33.333' }]);
  expect(json.errors[0].message).toMatch(
    /^must be a percentage above 0\.00 and at most 100\.00 with at most 2 decimal/,
  );
});

test('A retry with the same Idempotency-Key acts once, and If-Match compares the revision', async () => {
  const { policy_id } = await shop.buy(motor);
  const send = async (name: string, headers: Record<string, string>) =>
    await service.send('PUT', `/api/v1/policies/${policy_id}/beneficiaries/`, {
      key: acme.live.key,
      headers,
      body: { beneficiaries: [{ beneficiary_name: name }] },
    });
  const first = await send('Ada', { 'Idempotency-Key': 'put-1' });
  await send('Chi', {});
  const again = await send('Ada', { 'Idempotency-Key': 'put-1' });
  expect([again.headers.get('idempotent-replayed'), again.json]).toEqual(['true', first.json]);
  const etag = (await shop.get(`policies/${policy_id}`)).headers.get('etag') ?? '';
  expect((await send('Bola', { 'If-Match': etag })).status).toBe(200);
  expect(problemOf(await send('Dayo', { 'If-Match': etag }))).toEqual([412, 'precondition_failed']);
  expect((await shop.get(`policies/${policy_id}`)).json.beneficiaries).toMatchObject([{ beneficiary_name: 'Bola' }]);
});

test('Beneficiaries can be replaced while a policy waits and after its last term, and views of the past have the former', async () => {
  shop.setDay('2026-03-10');
  const waiting = await shop.buy(await shop.offer({ inspection_required: true }));
  expect((await put(waiting.policy_id, [ada, chi])).status).toBe(200);
  const { policy_id } = await shop.buy(motor, { beneficiaries: [{ beneficiary_name: 'Ada' }] });
  shop.setDay('2027-06-01');
  expect((await put(policy_id, [{ beneficiary_name: 'Chi' }])).status).toBe(200);
  const namesAsOf = async (day: string) => (await shop.get(`policies/${policy_id}?as_of=${day}`)).json.beneficiaries;
  expect(await namesAsOf('2027-05-31')).toMatchObject([{ beneficiary_name: 'Ada' }]);
  expect(await namesAsOf('2027-06-01')).toMatchObject([{ beneficiary_name: 'Chi' }]);
});
