import { describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { importTerm, termRow } from '../support/merchant-fixture.ts';

const shop = await openShop();
const { service, acme } = shop;
shop.setDay('2026-03-10');
/** A year costs 1155.00. */
const rating = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };
const prices = { base_premium: '1000.00', rating };
const motor = await shop.offer(prices);
const forgiving = await shop.offer({ ...prices, cancellation: { cooling_off_days: 14, minimum_retained: '300.00' } });
const inspected = await shop.offer({ ...prices, inspection_required: true });

const cancellation = { cancellation_reason: 'Sold' };

async function cancel(policy_id: string, more: object = {}): Promise<ApiResponse> {
  return await shop.post('policies/cancel', { policy_id, ...cancellation, ...more });
}

async function cancelByOffice(policy_id: string, effective_on: string): Promise<ApiResponse> {
  return await shop.admin('CancelPolicy', { policy_id, ...cancellation, effective_on });
}

async function reinstate(policy_id: string): Promise<ApiResponse> {
  return await shop.admin('ReinstatePolicy', { policy_id, reason: 'A mistake' });
}

async function buyOn(day: string, product = motor, more: object = {}): Promise<string> {
  shop.setDay(day);
  return (await shop.buy(product, more)).policy_id;
}

async function claimOn(policy_id: string, incident_date: string): Promise<readonly unknown[]> {
  const claim_details = { claim_type: 'Theft', incident_date, claim_amount: '10.00' };
  return problemOf(await shop.post('claims', { policy_id, claim_details })).slice(0, 2);
}

async function renew(policy_id: string, more: object = {}): Promise<ApiResponse> {
  const renewal = { policy_id, preferred_policy_start_date: '2027-03-10', policy_duration: 365, ...more };
  return await shop.post('policies/renew', renewal);
}

async function idsWithCover(cover: string): Promise<readonly string[]> {
  const { json } = await shop.get(`merchants/${acme.shortCode}/policies?cover=${cover}&limit=100`);
  return json.results.map((policy: ApiResponse['json']) => policy.policy_id);
}

test('A policy is expired from the day after its last term, in view, ETag and the customer', async () => {
  const id = await buyOn('2026-03-10', motor, { policy_duration: 30 });
  const read = async (search = '') => await shop.get(`policies/${id}${search}`);
  const before = await read();
  expect(before.json).toMatchObject({ status: 'active', in_force: true, cover: 'in_force' });
  shop.setDay('2026-04-08');
  expect((await read()).headers.get('etag')).toBe(before.headers.get('etag'));
  shop.setDay('2026-04-09');
  const after = await read();
  expect(after.json).toMatchObject({ status: 'active', in_force: false, cover: 'expired' });
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect((await read('?as_of=2026-04-08')).json).toMatchObject({ in_force: true, cover: 'in_force' });
  const customer = `customers/${after.json.policy_holder.customer_id}`;
  const { purchased_policies } = (await shop.get(customer)).json;
  expect(purchased_policies).toContainEqual(
    expect.objectContaining({ policy_id: id, in_force: false, cover: 'expired' }),
  );
});

describe('A cancellation as of a later day', () => {
  test('leaves status and cover until the day is over', async () => {
    const id = await buyOn('2026-03-10', motor, { auto_renew: true });
    await renew(id, { auto_renew: true });
    shop.setDay('2026-05-21');
    const { json } = await cancel(id, { effective_on: '2026-06-30' });
    expect(json.data).toMatchObject({
      policy_status: 'active',
      effective_on: '2026-06-30',
      cancellation_date: '2026-06-30T23:59:59.000Z',
      refund_amount: '1914.45',
      tax_refunded: '174.04',
      refund_rule: 'pro_rata',
      currency: 'NGN',
    });
    const shown = { renewable: false, auto_renew: false, renewal_date: null, cancellation_reason: 'Sold' };
    const returned = ['return_premium -759.45 2026-06-30', 'return_premium -1155.00 2027-03-10'];
    for (const [day, status, state, cover] of [
      ['2026-05-21', 'active', 'in_force', 'in_force'],
      ['2026-06-30', 'active', 'in_force', 'in_force'],
      ['2026-07-01', 'cancelled', 'past', 'cancelled'],
    ] as const) {
      shop.setDay(day);
      await service.scheduler.runOnce();
      expect((await shop.get(`policies/${id}`)).json).toMatchObject({ status, cover, ...shown });
      expect(await idsWithCover(cover)).toContain(id);
      expect(await shop.terms(id)).toEqual([
        `${state} 2026-03-10 2027-03-09 1155.00`,
        'cancelled 2027-03-10 2028-03-09 1155.00',
      ]);
      expect((await shop.transactions(id)).slice(2)).toEqual(returned);
      const list = `merchants/${acme.shortCode}/policies?in_force_on=${day}&limit=100`;
      const inForce = (await shop.get(list)).json.results.map((policy: ApiResponse['json']) => policy.policy_id);
      expect([day, inForce.includes(id)]).toEqual([day, status === 'active']);
    }
    expect(await claimOn(id, '2026-06-30')).toEqual([201, undefined]);
    expect(await claimOn(id, '2026-07-01')).toEqual([400, 'incident_not_covered']);
    const asOf = async (day: string) => (await shop.get(`policies/${id}?as_of=${day}`)).json;
    expect(await asOf('2026-06-29')).toMatchObject({ status: 'active', renewable: true, cancellation_date: null });
    expect(await asOf('2026-07-01')).toMatchObject({
      status: 'cancelled',
      cancellation_date: '2026-06-30T23:59:59.000Z',
    });
  });

  test('stands in the way of every other command, but for a reinstatement', async () => {
    const id = await buyOn('2026-03-10');
    const { policy_id: same } = (await cancel(id, { effective_on: '2027-03-09' })).json.data;
    expect(same).toBe(id);
    expect(problemOf(await cancel(id))).toEqual([409, 'policy_already_cancelled']);
    expect(problemOf(await renew(id))).toEqual([400, 'policy_not_renewable']);
    const switching = await shop.post(`policies/${id}/auto_renew`, { auto_renew: true });
    expect(problemOf(switching)).toEqual([409, 'policy_already_cancelled']);
    expect((await reinstate(id)).status).toBe(200);
    expect((await renew(id)).status).toBe(200);
  });

  test('has an ETag that comes back: unchanged until the end is shown, taken by a command on the last day and after it', async () => {
    const id = await buyOn('2026-03-10');
    const old = (await shop.get(`policies/${id}`)).headers.get('etag') ?? '';
    await cancel(id, { effective_on: '2026-06-30' });
    const read = async (etag?: string): Promise<[number, string]> => {
      const headers = etag === undefined ? {} : { 'If-None-Match': etag };
      const response = await service.send('GET', `/api/v1/policies/${id}`, { key: acme.live.key, headers });
      return [response.status, response.headers.get('etag') ?? ''];
    };
    const [, before] = await read();
    shop.setDay('2026-06-30');
    expect(await read(before)).toEqual([304, before]);
    shop.setDay('2026-07-01');
    const [status, after] = await read(before);
    expect([status, after === before]).toEqual([200, false]);
    expect(await read(after)).toEqual([304, after]);
    const body = { policy_id: id, ...cancellation };
    for (const etag of [before, after]) {
      const response = await shop.post('policies/cancel', body, { headers: { 'If-Match': etag } });
      expect(problemOf(response)).toEqual([409, 'policy_already_cancelled']);
    }
    const stale = await shop.post('policies/cancel', body, { headers: { 'If-Match': old } });
    expect(problemOf(stale)).toEqual([412, 'precondition_failed']);
  });
});

describe('The day of a cancellation', () => {
  test.each<[string, unknown]>([
    ['yesterday', '2026-05-20'],
    ['after the term', '2027-03-10'],
    ['no day', '2026-02-30'],
    ['a number', 20260630],
    ['null', null],
  ])('is refused: %s', async (_, effective_on) => {
    const id = await buyOn('2026-03-10');
    await renew(id);
    shop.setDay('2026-05-21');
    const before = await service.eventStore.lastPosition();
    expect(problemOf(await cancel(id, { effective_on }))).toEqual([400, 'invalid_request', 'effective_on']);
    expect(await service.eventStore.lastPosition()).toBe(before);
  });

  test('is today alone before the first day, in a gap, and while the policy waits', async () => {
    const later = await buyOn('2026-03-10', motor, { effective_from: '2026-04-01' });
    const waiting = await buyOn('2026-03-10', inspected);
    const gap = await buyOn('2026-03-10', motor, { policy_duration: 10 });
    await renew(gap);
    shop.setDay('2026-03-25');
    for (const id of [later, waiting, gap])
      for (const effective_on of ['2026-03-26', '2026-03-24']) {
        expect(problemOf(await cancel(id, { effective_on }))).toEqual([400, 'invalid_request', 'effective_on']);
        const byOffice = await cancelByOffice(id, effective_on);
        expect(problemOf(byOffice)).toEqual([400, 'invalid_request', 'effective_on']);
      }
    for (const [id, cover] of [
      [later, 'not_begun'],
      [waiting, 'waiting'],
      [gap, 'gap'],
    ] as const) {
      expect((await shop.get(`policies/${id}`)).json).toMatchObject({ in_force: false, cover });
      expect(await idsWithCover(cover)).toContain(id);
      const { data } = (await cancel(id, { effective_on: '2026-03-25' })).json;
      expect(data).toMatchObject({ policy_status: 'cancelled', refund_amount: '1155.00', refund_rule: 'not_begun' });
      expect((await shop.get(`policies/${id}`)).json.cover).toBe('cancelled');
      expect(await idsWithCover(cover)).not.toContain(id);
    }
    expect(await shop.terms(gap)).toEqual([
      'past 2026-03-10 2026-03-19 85.14',
      'cancelled 2027-03-10 2028-03-09 1155.00',
    ]);
  });

  test('may be earlier for the platform, but not before the day before the term, nor before a change', async () => {
    const id = await buyOn('2026-03-10');
    shop.setDay('2026-06-30');
    expect(problemOf(await cancelByOffice(id, '2026-03-08'))).toEqual([400, 'invalid_request', 'effective_on']);
    const { data } = (await cancelByOffice(id, '2026-05-21')).json.result;
    expect(data).toMatchObject({ policy_status: 'cancelled', refund_amount: '880.00', tax_refunded: '80.00' });
    expect(data).toMatchObject({ cancellation_date: '2026-05-21T23:59:59.000Z', cancellation_initiator: 'admin' });
    expect((await reinstate(id)).status).toBe(200);
    const termsAt = async (search: string) => await shop.terms(id, search);
    expect(await termsAt('?as_of=2026-06-29')).toEqual(['in_force 2026-03-10 2027-03-09 1155.00']);
    service.clock.now = '2026-07-01T10:00:00.000Z';
    await cancelByOffice(id, '2026-05-21');
    expect(await termsAt('?as_of=2026-05-20')).toEqual(['in_force 2026-03-10 2027-03-09 1155.00']);
    expect(await termsAt('?as_of=2026-06-29')).toEqual(['past 2026-03-10 2027-03-09 1155.00']);
    expect(await termsAt('?as_of=2026-06-29&known_at=2026-06-30T23:00:00Z')).toEqual([
      'in_force 2026-03-10 2027-03-09 1155.00',
    ]);
    expect(await termsAt('?known_at=2026-06-30T23:00:00Z')).toEqual(['in_force 2026-03-10 2027-03-09 1155.00']);
    expect((await reinstate(id)).status).toBe(200);
    const never = (await cancelByOffice(id, '2026-03-09')).json.result;
    expect(never.data).toMatchObject({ refund_amount: '1155.00', refund_rule: 'not_begun' });
    expect(problemOf(await shop.get(`policies/${id}?as_of=2026-07-01`))).toEqual([404, 'not_in_force_yet']);

    const changed = await buyOn('2026-03-10');
    shop.setDay('2026-05-22');
    await shop.post(`policies/${changed}/changes`, { changes: [{ action: 'add', coverage_name: 'Glass' }] });
    shop.setDay('2026-06-30');
    expect(problemOf(await cancelByOffice(changed, '2026-05-22'))).toEqual([409, 'changed_after_day']);
    expect((await cancelByOffice(changed, '2026-05-23')).status).toBe(200);
  });

  test('is refused when the last term is over', async () => {
    const id = await buyOn('2026-03-10', motor, { policy_duration: 30 });
    shop.setDay('2026-04-09');
    expect(problemOf(await cancel(id))).toEqual([409, 'policy_expired']);
    expect(problemOf(await cancelByOffice(id, '2026-04-01'))).toEqual([409, 'policy_expired']);
  });
});

describe('The cooling-off time', () => {
  test('returns everything through its last day, and covers no incident of the term from then on', async () => {
    const id = await buyOn('2026-03-10', forgiving);
    shop.setDay('2026-03-24');
    const { data } = (await cancel(id)).json;
    expect(data).toMatchObject({ refund_amount: '1155.00', tax_refunded: '105.00', refund_rule: 'cooling_off' });
    expect(await claimOn(id, '2026-03-20')).toEqual([400, 'incident_not_covered']);
    expect(await shop.transactions(id)).toEqual(['premium 1155.00 2026-03-10', 'return_premium -1155.00 2026-03-24']);
  });

  test.each([
    ['a day later', '2026-03-25', '2026-03-25'],
    ['for a day after it', '2026-03-24', '2026-03-25'],
  ])('is over: %s', async (_, day, effective_on) => {
    const id = await buyOn('2026-03-10', forgiving);
    shop.setDay(day);
    // The product retains 300.00 of the net price, and the fee; the rest and its tax are returned.
    expect((await cancel(id, { effective_on })).json.data).toMatchObject({
      refund_amount: '770.00',
      tax_refunded: '70.00',
      refund_rule: 'pro_rata',
    });
  });

  test('is for a first term of 30 days or more', async () => {
    const rule = async (policy_duration: number): Promise<string> => {
      const id = await buyOn('2026-03-10', forgiving, { policy_duration });
      return (await cancel(id)).json.data.refund_rule;
    };
    expect([await rule(29), await rule(30)]).toEqual(['pro_rata', 'cooling_off']);
  });

  test('stays as it was at the purchase', async () => {
    const product = await shop.offer({ ...prices, cancellation: { cooling_off_days: 14 } });
    const id = await buyOn('2026-03-10', product);
    await service.admin('UpdateProduct', { product_id: product, cancellation: null });
    expect((await cancel(id)).json.data.refund_rule).toBe('cooling_off');
  });
});

describe('A reinstatement', () => {
  test('restores terms, automatic renewal and status without a gap, and owes again what was returned', async () => {
    const id = await buyOn('2026-03-10');
    await renew(id, { auto_renew: true });
    const before = (await shop.get(`policies/${id}`)).json;
    shop.setDay('2026-05-21');
    await cancel(id);
    shop.setDay('2026-06-01');
    expect(await claimOn(id, '2026-05-30')).toEqual([400, 'incident_not_covered']);
    expect((await reinstate(id)).json).toMatchObject({
      command: 'ReinstatePolicy',
      events: [{ type: 'PolicyReinstated.v1' }],
    });
    expect((await shop.get(`policies/${id}`)).json).toEqual(before);
    expect(await claimOn(id, '2026-05-30')).toEqual([201, undefined]);
    expect((await shop.transactions(id)).slice(2)).toEqual([
      'return_premium -880.00 2026-05-21',
      'return_premium -1155.00 2027-03-10',
      'premium_reinstated 880.00 2026-05-21',
      'premium_reinstated 1155.00 2027-03-10',
    ]);
    shop.setDay('2028-03-10');
    await service.scheduler.runOnce();
    expect((await shop.terms(id)).at(-1)).toBe('in_force 2028-03-10 2029-03-09 1155.00');
  });

  test('leaves automatic renewal, as of a day before the renewal that switched it off, as it was', async () => {
    const id = await buyOn('2026-03-10', motor, { auto_renew: true });
    await renew(id, { auto_renew: false });
    await cancel(id);
    expect((await reinstate(id)).status).toBe(200);
    const asOf = async (search: string) => (await shop.get(`policies/${id}${search}`)).json.auto_renew;
    expect([await asOf('?as_of=2026-03-10'), await asOf('')]).toEqual([true, false]);
  });

  test('is refused without a cancellation, after a decline, and when the last term is over', async () => {
    const id = await buyOn('2026-03-10');
    expect(problemOf(await reinstate(id))).toEqual([409, 'policy_not_cancelled']);
    const declined = await buyOn('2026-03-10', motor, { effective_from: '2026-04-01' });
    expect((await shop.admin('DeclinePolicy', { policy_id: declined, reason: 'Too old' })).status).toBe(200);
    expect(problemOf(await reinstate(declined))).toEqual([409, 'policy_not_cancelled']);
    const short = await buyOn('2026-03-10', motor, { policy_duration: 30 });
    await cancel(short);
    shop.setDay('2026-04-09');
    expect(problemOf(await reinstate(short))).toEqual([409, 'policy_expired']);
  });

  test('lets a policy that waited wait again', async () => {
    const id = await buyOn('2026-03-10', inspected, { policy_duration: 30 });
    await cancel(id);
    shop.setDay('2026-06-01');
    expect((await reinstate(id)).status).toBe(200);
    expect(await shop.terms(id)).toEqual(['upcoming 2026-03-10 2026-04-08 145.41']);
    expect((await shop.admin('ActivatePolicy', { policy_id: id })).status).toBe(200);
    expect(await shop.terms(id)).toEqual(['in_force 2026-06-01 2026-06-30 145.41']);
  });

  test.each<[string, object]>([
    ['reason', { reason: '' }],
    ['effective_on', { effective_on: '2026-06-01' }],
  ])('names a wrong %s (%#)', async (field, more) => {
    const body = { policy_id: acme.live.policyId, reason: 'A mistake', ...more };
    expect(problemOf(await shop.admin('ReinstatePolicy', body))).toEqual([400, 'invalid_request', field]);
  });

  test('happens once, of two at the same time', async () => {
    const id = await buyOn('2026-03-10');
    await cancel(id);
    const responses = await Promise.all([reinstate(id), reinstate(id)]);
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
    expect(await shop.transactions(id)).toHaveLength(3);
  });
});

test('An imported policy returns by days, without a cooling-off time, and its tax stays unknown', async () => {
  shop.setDay('2026-03-15');
  const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('IMPORTED-2'));
  expect((await cancel(policy_id)).json.data).toMatchObject({
    refund_amount: '291.00',
    tax_refunded: null,
    refund_rule: 'pro_rata',
  });
});

test('A change and a cancellation at the same time leave what one after the other leaves', async () => {
  const id = await buyOn('2026-03-10', await shop.offer({ ...prices, rating: { ...rating, surcharge: '0.00' } }));
  shop.setDay('2026-05-22');
  const changes = [{ action: 'add', coverage_name: 'Glass', additional_amount: '110.00' }];
  const [changed, cancelled] = await Promise.all([shop.post(`policies/${id}/changes`, { changes }), cancel(id)]);
  expect(cancelled.status).toBe(200);
  expect([200, 409]).toContain(changed.status);
  const amounts = (await shop.transactions(id)).map((one) => Number(one.split(' ')[1]));
  const balance = amounts.reduce((sum, amount) => sum + amount, 0);
  // 74 of 365 days are earned. The end takes the change back, which would begin on the next day.
  expect(balance).toBeCloseTo(223.01, 2);
});
