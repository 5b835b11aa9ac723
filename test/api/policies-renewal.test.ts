import { describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { importTerm, termRow } from '../support/merchant-fixture.ts';

const shop = await openShop();
const { service, acme } = shop;
/** A year costs 1155.00. */
const rating = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };
const prices = { base_premium: '1000.00', rating };
const inspected = await shop.offer({ ...prices, inspection_required: true });

async function renew(policy_id: string, more: object = {}): Promise<ApiResponse> {
  const renewal = { policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365, ...more };
  return await shop.post('policies/renew', renewal);
}

/** Buys a year of a product of its own from 2026-03-10. */
async function buyYear(changes: object = {}): Promise<{ readonly productId: string; readonly id: string }> {
  shop.setDay('2026-03-10');
  const productId = await shop.offer({ ...prices, ...changes });
  return { productId, id: (await shop.buy(productId)).policy_id };
}

describe('A renewal', () => {
  test('keeps the agreed net price, and takes fee and percentages of the product as it is now', async () => {
    const { productId, id } = await buyYear();
    await shop.reprice(productId, { surcharge: '60.00', tax_percent: '15', commission_percent: '10' });
    await service.admin('UpdateProduct', { product_id: productId, base_premium: '2000.00' });
    const { data } = (await renew(id)).json;
    expect(data).toMatchObject({
      premium: '1219.00',
      tax: '159.00',
      currency: 'NGN',
      policy_duration: 366,
      renewal_date: '2028-03-10',
      effective_from: '2027-03-10',
      effective_through: '2028-03-09',
      policy_metadata: { customer_phone: '', customer_address: '', renewable: true },
      coverages: [{ coverage_name: 'Own damage' }, { coverage_name: 'Theft' }],
    });
    const [, second] = (await shop.get(`policies/${id}/terms`)).json.results;
    expect(second).toMatchObject({ net: '1000.00', fee: '60.00', commission: '100.00' });
  });

  test('does so automatically too, for a year that keeps its date', async () => {
    const { productId, id } = await buyYear();
    await shop.post(`policies/${id}/auto_renew`, { auto_renew: true });
    await shop.reprice(productId, { ...rating, tax_percent: '20' });
    shop.setDay('2027-03-12');
    await service.scheduler.runOnce();
    expect((await shop.get(`policies/${id}`)).json).toMatchObject({
      effective_from: '2027-03-10',
      effective_through: '2028-03-09',
      premium: '1260.00',
      tax: '210.00',
    });
  });

  test('takes the percentages of its tier, and those of the product once the tier is gone', async () => {
    const tier = { tier_name: 'Gold', base_premium: '1000.00', rating: { tax_percent: '20' } };
    const { productId, id } = await buyYear({ tiers: [tier] });
    expect((await renew(id)).json.data).toMatchObject({ premium: '1200.00', tax: '200.00' });
    const [silver] = [{ ...tier, tier_name: 'Silver' }];
    await service.admin('UpdateProduct', { product_id: productId, tiers: [silver] });
    const later = { preferred_policy_start_date: '2028-03-10' };
    expect((await renew(id, later)).json.data).toMatchObject({ premium: '1155.00', tax: '105.00' });
  });

  test('by hand is possible while the product is withdrawn; automatic renewal stops', async () => {
    const { productId, id } = await buyYear();
    await shop.post(`policies/${id}/auto_renew`, { auto_renew: true });
    await service.admin('WithdrawProduct', { product_id: productId });
    shop.setDay('2027-03-10');
    await service.scheduler.runOnce();
    expect((await shop.get(`policies/${id}`)).json).toMatchObject({
      auto_renew: false,
      effective_through: '2027-03-09',
    });
    expect((await renew(id)).status).toBe(200);
  });

  test('of an imported term keeps its rates, known or not', async () => {
    shop.setDay('2026-03-10');
    const taxOf = async (number: string, amounts: object): Promise<readonly unknown[]> => {
      const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(number, { ...amounts }));
      const { premium, tax } = (await renew(policy_id)).json.data;
      return [premium, tax];
    };
    expect(await taxOf('TAXED', { premium: '1100.00', tax: '100.00' })).toEqual(['1100.00', '100.00']);
    expect(await taxOf('UNKNOWN', { premium: '1100.00' })).toEqual(['1100.00', null]);
  });

  test('at the time of an update of the product is priced before or after it', async () => {
    const { productId, id } = await buyYear();
    const [renewed] = await Promise.all([renew(id), shop.reprice(productId, { ...rating, tax_percent: '20' })]);
    const { premium, tax } = renewed.json.data;
    expect(['1155.00 105.00', '1260.00 210.00']).toContain(`${premium} ${tax}`);
    expect((await shop.terms(id))[1]).toBe(`upcoming 2027-03-10 2028-03-09 ${premium}`);
  });

  test('adds and modifies a coverage of the new term alone, at its own tax', async () => {
    const { productId, id } = await buyYear();
    await shop.reprice(productId, { ...rating, tax_percent: '20' });
    const details = { coverage_type: 'Glass', coverage_limit: 900, additional_amount: '120.00', agent: { name: 'Bo' } };
    const added = await renew(id, { include_additional_coverage: true, coverage_details: details });
    // Net 1000.00 + 120.00 without its tax of 20 %, fee 50.00.
    expect(added.json.data).toMatchObject({ premium: '1380.00', tax: '230.00' });
    expect(added.json.data.coverages[2]).toMatchObject({ coverage_name: 'Glass', coverage_limit: '900.00' });
    const change = {
      modify_exisitng_coverage: true,
      coverage_details: { coverage_type: 'collision', deductible: null },
    };
    const modified = await renew(id, { preferred_policy_start_date: '2028-03-10', ...change });
    expect(modified.json.data.premium).toBe('1380.00');
    expect(modified.json.data.coverages[0]).toMatchObject({ coverage_name: 'Own damage', deductible: null });
    expect((await shop.get(`policies/${id}`)).json.coverage).toBe('Own damage, Theft');
  });
});

const { id: unchanged } = await buyYear();
const add = { include_additional_coverage: true };
const glass = { coverage_type: 'Glass' };

describe('A wrong renewal', () => {
  test.each<[readonly string[], object]>([
    [['policy_duration'], { policy_duration: 366 }],
    [['preferred_policy_start_date'], { preferred_policy_start_date: '2026-03-09' }],
    [['preferred_policy_start_date'], { preferred_policy_start_date: '2028-03-11' }],
    [['include_additional_coverage', 'modify_exisitng_coverage'], { coverage_details: glass }],
    [['modify_exisitng_coverage'], { ...add, modify_exisitng_coverage: true, coverage_details: glass }],
    [['coverage_details'], add],
    [['coverage_details.coverage_type'], { ...add, coverage_details: {} }],
    [['coverage_details.coverage_type'], { ...add, coverage_details: { coverage_type: 'theft' } }],
    [['coverage_details.coverage_type'], { modify_exisitng_coverage: true, coverage_details: glass }],
    [['coverage_details.additional_amount'], { ...add, coverage_details: { ...glass, additional_amount: -5000 } }],
    [['auto_renew'], { auto_renew: 'sometimes' }],
  ])('names %j (%#)', async (fields, more) => {
    shop.setDay('2026-03-10');
    const before = await service.eventStore.lastPosition();
    expect(problemOf(await renew(unchanged, more))).toEqual([400, 'invalid_request', ...fields]);
    expect(await service.eventStore.lastPosition()).toBe(before);
  });

  test('says when a term can begin', async () => {
    shop.setDay('2026-03-10');
    const response = await renew(unchanged, { preferred_policy_start_date: '2027-03-09' });
    expect(problemOf(response)).toEqual([400, 'renewal_overlaps_current_term', 'preferred_policy_start_date']);
    expect(response.json).toMatchObject({ renewal_status: 'failed', earliest_start: '2027-03-10' });
  });

  test('would cost more than eight digits', async () => {
    shop.setDay('2026-03-10');
    const details = { ...glass, additional_amount: '99999999.00' };
    expect(problemOf(await renew(unchanged, { ...add, coverage_details: details }))).toEqual([
      400,
      'premium_out_of_range',
    ]);
  });
});

describe('A policy that waits for inspection', () => {
  const bookOn = async (day: string): Promise<unknown> =>
    (await shop.get(`audit/portfolio?as_of=${day}`, ADMIN_KEY)).json.results;

  test('is not renewed, changed or begun, counts nowhere in the book, and keeps auto_renew for later', async () => {
    shop.setDay('2026-03-10');
    const before = await bookOn('2026-04-15');
    const { policy_id: id, status } = await shop.buy(inspected, { policy_duration: 30 });
    expect(status).toBe('accepted');
    const changes = [{ action: 'add', coverage_name: 'Glass' }];
    const day = { preferred_policy_start_date: '2026-06-01' };
    for (const today of ['2026-03-10', '2026-04-20']) {
      shop.setDay(today);
      expect(problemOf(await renew(id, day))).toEqual([400, 'policy_not_renewable']);
      expect(problemOf(await shop.post(`policies/${id}/changes`, { changes }))).toEqual([409, 'policy_not_changeable']);
      expect((await shop.post(`policies/${id}/auto_renew`, { auto_renew: true })).json.auto_renew).toBe(true);
      await service.scheduler.runOnce();
      expect(await shop.terms(id)).toEqual(['upcoming 2026-03-10 2026-04-08 145.41']);
      expect((await shop.get(`policies/${id}`)).json).toMatchObject({ status: 'accepted', auto_renew: true });
    }
    expect(await bookOn('2026-04-15')).toEqual(before);
    expect(await bookOn('2026-03-15')).not.toEqual([]);
    expect(problemOf(await shop.get(`policies/${id}?as_of=2026-04-01`))).toEqual([404, 'not_in_force_yet']);
    const claim_details = { claim_type: 'Theft', incident_date: '2026-03-20' };
    expect(problemOf(await shop.post('claims', { policy_id: id, claim_details }))[1]).toBe('incident_not_covered');
    expect((await shop.admin('ActivatePolicy', { policy_id: id })).status).toBe(200);
    expect(problemOf(await shop.admin('ActivatePolicy', { policy_id: id }))).toEqual([409, 'policy_already_active']);
    shop.setDay('2026-05-20');
    await service.scheduler.runOnce();
    expect(await shop.terms(id)).toEqual([
      'past 2026-04-20 2026-05-19 145.41',
      'in_force 2026-05-20 2026-06-18 145.41',
    ]);
    expect(await shop.transactions(id)).toEqual(['premium 145.41 2026-03-10', 'premium 145.41 2026-05-20']);
  });

  test('counts from the activation on, and is accepted until the first day after an early one', async () => {
    shop.setDay('2026-03-10');
    const { policy_id: id } = await shop.buy(inspected, { effective_from: '2026-04-01' });
    await shop.admin('ActivatePolicy', { policy_id: id });
    expect(problemOf(await shop.admin('ActivatePolicy', { policy_id: id }))).toEqual([409, 'policy_already_active']);
    expect((await shop.get(`policies/${id}`)).json.status).toBe('accepted');
    shop.setDay('2026-04-01');
    await service.scheduler.runOnce();
    expect((await shop.get(`policies/${id}`)).json.status).toBe('active');
    expect(problemOf(await shop.admin('ActivatePolicy', { policy_id: id }))).toEqual([409, 'policy_already_active']);
    const late = await shop.admin('DeclinePolicy', { policy_id: id, reason: 'Too old' });
    expect(problemOf(late)).toEqual([409, 'policy_already_active']);
  });

  test('begins once, when the platform and the scheduler act at midnight', async () => {
    shop.setDay('2026-03-10');
    const { policy_id: waiting } = await shop.buy(inspected, { effective_from: '2026-04-01' });
    const { productId } = await buyYear();
    const { policy_id: accepted } = await shop.buy(productId, { effective_from: '2026-04-01' });
    service.clock.now = '2026-04-01T00:00:00.000Z';
    const changes = [{ action: 'add', coverage_name: 'Glass' }];
    const [activated, changed] = await Promise.all([
      shop.admin('ActivatePolicy', { policy_id: waiting }),
      shop.post(`policies/${accepted}/changes`, { changes }),
      service.scheduler.runOnce(),
    ]);
    expect([activated.status, changed.status]).toEqual([200, 200]);
    for (const id of [waiting, accepted]) {
      expect((await shop.get(`policies/${id}`)).json.status).toBe('active');
      const activations = (await service.log()).filter(
        ({ stream, type }) => stream === `policy-${id}` && type.startsWith('PolicyActivated'),
      );
      expect(activations).toHaveLength(1);
    }
  });
});
