import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { importTerm, termRow } from '../support/merchant-fixture.ts';

type Json = ApiResponse['json'];

const shop = await openShop();
const { service, acme } = shop;
shop.setDay('2026-03-10');
/** A year costs 1155.00. */
const motor = await shop.offer({
  base_premium: '1000.00',
  rating: { surcharge: '50.00', tax_percent: '10', commission_percent: '20' },
  coverages: [
    { coverage_name: 'Own damage', coverage_type: 'Collision', coverage_limit: '100000.00', deductible: '500.00' },
    { coverage_name: 'Theft', coverage_type: 'Property', coverage_limit: '100000.00' },
  ],
});
const glass = { action: 'add', coverage_name: 'Glass', additional_amount: '110.00' };

async function change(policyId: string, changes: readonly object[], more: object = {}): Promise<ApiResponse> {
  return await shop.post(`policies/${policyId}/changes`, { changes, ...more });
}

/** Buys a year from 2026-03-10 and renews it, so that there are two terms. */
async function buyTwoYears(): Promise<string> {
  shop.setDay('2026-03-10');
  const { policy_id } = await shop.buy(motor);
  const renewal = { policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365 };
  expect((await shop.post('policies/renew', renewal)).status).toBe(200);
  return policy_id;
}

describe('A change in the middle of a term', () => {
  test('prices the rest of the term and the later term again, and names the terms', async () => {
    const policyId = await buyTwoYears();
    shop.setDay('2026-05-21');
    const response = await change(policyId, [{ ...glass, coverage_type: 'Windows', coverage_limit: 5000 }]);
    expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/policies/:policy_id/changes'));
    expect(response.json.data).toMatchObject({
      policy_id: policyId,
      effective_on: '2026-05-22',
      premium_difference: '198.00',
      tax_difference: '18.00',
      currency: 'NGN',
      terms: [
        { from: '2026-03-10', through: '2027-03-09', premium_before: '1155.00', premium: '1243.00' },
        { from: '2027-03-10', through: '2028-03-09', premium_before: '1155.00', premium: '1265.00' },
      ],
      coverages: [
        { coverage_name: 'Own damage', coverage_limit: '100000.00', deductible: '500.00' },
        { coverage_name: 'Theft', deductible: null },
        { coverage_name: 'Glass', coverage_type: 'Windows', coverage_limit: '5000.00', deductible: null },
      ],
    });
    const today = await shop.get(`policies/${policyId}`);
    expect(today.json).toMatchObject({ premium: '1243.00', tax: '113.00', coverage: 'Own damage, Theft' });
    shop.setDay('2026-05-22');
    const tomorrow = await shop.get(`policies/${policyId}`);
    expect(tomorrow.json.coverage).toBe('Own damage, Theft, Glass');
    expect(tomorrow.headers.get('etag')).not.toBe(today.headers.get('etag'));
    expect((await shop.get(`policies/${policyId}?as_of=2026-05-21`)).json).toMatchObject({
      premium: '1155.00',
      coverage: 'Own damage, Theft',
    });
    const { results } = (await shop.get(`policies/${policyId}/terms`)).json;
    expect(results.map(({ periods }: Json) => periods.map(({ from, net }: Json) => `${from} ${net}`))).toEqual([
      ['2026-03-10 200.00', '2026-05-22 880.00'],
      ['2027-03-10 1100.00'],
    ]);
    expect(await shop.transactions(policyId)).toEqual([
      'premium 1155.00 2026-03-10',
      'premium 1155.00 2027-03-10',
      'premium_change 88.00 2026-05-22',
      'premium_change 110.00 2027-03-10',
    ]);
  });

  test('applies the changes of a request in turn; a second one on the day replaces the period', async () => {
    const policyId = await buyTwoYears();
    shop.setDay('2026-05-21');
    const changes = [glass, { action: 'modify', coverage_type: 'property', deductible: '250.00' }];
    expect((await change(policyId, changes)).json.data.premium_difference).toBe('198.00');
    const second = await change(policyId, [{ action: 'remove', coverage_name: 'glass', additional_amount: -110 }]);
    expect(second.json.data.premium_difference).toBe('-198.00');
    expect(second.json.data.coverages).toMatchObject([{}, { coverage_name: 'Theft', deductible: '250.00' }]);
    const [first] = (await shop.get(`policies/${policyId}/terms`)).json.results;
    expect(first.periods.map(({ from, net }: Json) => `${from} ${net}`)).toEqual([
      '2026-03-10 200.00',
      '2026-05-22 800.00',
    ]);
  });

  test('covers what happened today as it was this morning', async () => {
    const policyId = await buyTwoYears();
    shop.setDay('2026-05-21');
    await change(policyId, [
      { action: 'modify', coverage_name: 'Own damage', deductible: '0.00' },
      { action: 'remove', coverage_name: 'Theft' },
    ]);
    const file = async (incident_date: string, coverage_name: string): Promise<ApiResponse> => {
      const claim_details = { claim_type: 'Theft', incident_date, claim_amount: '900.00', coverage_name };
      return await shop.post('claims', { policy_id: policyId, claim_details });
    };
    const settled = async (day: string): Promise<unknown> => {
      const { claim_id } = (await file(day, 'Own damage')).json;
      return (await shop.get(`claims/${claim_id}`)).json.settlement.deductible;
    };
    expect([(await file('2026-05-21', 'Theft')).status, await settled('2026-05-21')]).toEqual([201, '500.00']);
    shop.setDay('2026-05-22');
    expect([(await file('2026-05-22', 'Theft')).status, await settled('2026-05-22')]).toEqual([400, '0.00']);
  });

  test('before the first day changes the whole term', async () => {
    shop.setDay('2026-03-10');
    const { policy_id } = await shop.buy(motor, { effective_from: '2026-04-01' });
    expect((await change(policy_id, [glass])).json.data).toMatchObject({ premium_difference: '110.00' });
    expect(await shop.transactions(policy_id)).toEqual([
      'premium 1155.00 2026-04-01',
      'premium_change 110.00 2026-04-01',
    ]);
  });

  test('finds the policy by its number, also for the platform, and acts once for one key', async () => {
    shop.setDay('2026-03-10');
    const { policy_number } = await shop.buy(motor);
    const headers = { 'Idempotency-Key': 'change-once' };
    const send = async () => await shop.post(`policies/${policy_number}/changes`, { changes: [glass] }, { headers });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.text]).toEqual([200, first.text]);
    const legal = { action: 'add', coverage_name: 'Legal aid', coverage_limit: '1000.00' };
    const byOffice = await shop.admin('ChangePolicy', { policy_id: policy_number, changes: [legal] });
    expect(byOffice.json.result.data.coverages).toHaveLength(4);
    const { policyId, environmentId } = acme.test;
    const other = { environment_id: environmentId, policy_id: policy_number, changes: [legal] };
    expect(problemOf(await shop.admin('ChangePolicy', other))).toEqual([404, 'policy_not_found']);
    expect(problemOf(await change(policyId, [legal]))).toEqual([404, 'policy_not_found']);
  });

  test('takes the ETag of the view, and refuses one that is old', async () => {
    const policyId = await buyTwoYears();
    const etag = (await shop.get(`policies/${policyId}`)).headers.get('etag') ?? '';
    const send = async () =>
      await shop.post(`policies/${policyId}/changes`, { changes: [glass] }, { headers: { 'If-Match': etag } });
    expect((await send()).status).toBe(200);
    expect(problemOf(await send())).toEqual([412, 'precondition_failed']);
  });

  test('leaves the tax of an imported term unknown where it is', async () => {
    shop.setDay('2026-03-10');
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('IMPORTED-1'));
    const { data } = (await change(policy_id, [glass])).json;
    expect(data).toMatchObject({ premium_difference: '89.21', tax_difference: null });
  });
});

describe('A policy that cannot be changed', () => {
  test('is cancelled, also for a later day, or its last term is over', async () => {
    const policyId = await buyTwoYears();
    const cancellation = { policy_id: policyId, cancellation_reason: 'Sold', effective_on: '2026-06-30' };
    expect((await shop.post('policies/cancel', cancellation)).status).toBe(200);
    expect(problemOf(await change(policyId, [glass]))).toEqual([409, 'policy_not_changeable']);
    const { policy_id: short } = await shop.buy(motor, { policy_duration: 30 });
    shop.setDay('2026-04-09');
    expect(problemOf(await change(short, [glass]))).toEqual([409, 'policy_not_changeable']);
    shop.setDay('2026-07-01');
    expect(problemOf(await change(policyId, [glass]))).toEqual([409, 'policy_not_changeable']);
    expect(await shop.transactions(short)).toHaveLength(1);
  });
});

const unchanged = await buyTwoYears();

describe('A wrong change', () => {
  const refused = async (changes: unknown, more: object = {}): Promise<readonly unknown[]> => {
    const before = await service.eventStore.lastPosition();
    const response = await shop.post(`policies/${unchanged}/changes`, { changes, ...more });
    expect(await service.eventStore.lastPosition()).toBe(before);
    return problemOf(response);
  };
  const many = Array.from({ length: 21 }, (_, number) => ({ action: 'add', coverage_name: `Cover ${number}` }));

  test.each<[string, unknown]>([
    ['changes', undefined],
    ['changes', []],
    ['changes', many],
    ['changes', { action: 'add' }],
    ['changes.0', ['add']],
    ['changes.0.action', [{ ...glass, action: 'replace' }]],
    ['changes.0.coverage_name', [{ ...glass, coverage_name: 'own DAMAGE' }]],
    ['changes.0.coverage_name', [{ ...glass, action: 'modify' }]],
    ['changes.0.coverage_name', [{ action: 'remove', coverage_name: 'Collision' }]],
    ['changes.0.coverage_type', [{ action: 'remove', coverage_type: 'Windows' }]],
    ['changes.0.coverage_limit', [{ action: 'remove', coverage_name: 'Theft', coverage_limit: '1.00' }]],
    ['changes.0.covered_items', [{ action: 'remove', coverage_name: 'Theft', covered_items: [] }]],
    ['changes.0.additional_amount', [{ ...glass, additional_amount: '-2000.00' }]],
    ['changes.0.colour', [{ ...glass, colour: 'red' }]],
    ['changes.1.coverage_name', [glass, glass]],
    [
      'changes.1',
      [
        { action: 'remove', coverage_name: 'Theft' },
        { action: 'remove', coverage_name: 'Own damage' },
      ],
    ],
  ])('names %s (%#)', async (field, changes) => {
    expect(await refused(changes)).toEqual([400, 'invalid_request', field]);
  });

  test('names other members of the body', async () => {
    expect(await refused([glass], { reason: '' })).toEqual([400, 'invalid_request', 'reason']);
    expect(await refused([glass], { effective_on: '2026-04-01' })).toEqual([400, 'invalid_request', 'effective_on']);
  });

  test('is refused whole where it does not fit a later term, which it names', async () => {
    shop.setDay('2026-03-10');
    const { policy_id } = await shop.buy(motor);
    const add = { include_additional_coverage: true, coverage_details: { coverage_type: 'Glass' } };
    const renewal = { policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365, ...add };
    expect((await shop.post('policies/renew', renewal)).status).toBe(200);
    const response = await change(policy_id, [glass]);
    expect(problemOf(response)).toEqual([400, 'invalid_request', 'changes.0.coverage_name']);
    expect(response.json.errors[0].message).toContain('2027-03-10 through 2028-03-09');
    expect(await shop.transactions(policy_id)).toHaveLength(2);
  });

  test('is refused where the premium has too many digits', async () => {
    expect(await refused([{ ...glass, additional_amount: '99999999.00' }])).toEqual([
      400,
      'premium_out_of_range',
      'changes.0.additional_amount',
    ]);
  });
});
