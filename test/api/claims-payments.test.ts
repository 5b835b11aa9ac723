import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';

type Json = ApiResponse['json'];

const shop = await openShop();
const START = '2026-03-10';
shop.setDay(START);
/** Own damage with a deductible, theft without one; each with a limit for a term. */
const coverages = [
  { coverage_name: 'Own damage', coverage_limit: '1000.00', deductible: '100.00' },
  { coverage_name: 'Theft', coverage_limit: '600.00' },
];
const motor = await shop.offer({ coverages });
const strict = await shop.offer({ coverages, cancellation: { refund_after_claim: false } });
const kind = await shop.offer({ coverages, cancellation: { cooling_off_days: 14 } });

beforeEach(() => shop.setDay(START));

const move = async (command: string, claim_id: string, body: object = {}): Promise<ApiResponse> =>
  await shop.admin(command, { claim_id, ...body });
const view = async (claimId: string): Promise<Json> => (await shop.get(`claims/${claimId}`)).json;
const names = async (claimId: string): Promise<readonly string[]> =>
  (await view(claimId)).claim_status_timeline.map(({ name }: Json) => name);

/** Files a claim of the day, by default of 700.00 for own damage. */
async function file({ policy_id }: Json, details: object = {}): Promise<string> {
  const incident_date = shop.service.clock.now.slice(0, 10);
  const claim = { claim_type: 'Collision', incident_date, claim_amount: '700.00', coverage_name: 'Own damage' };
  const { status, json, text } = await shop.post('claims', { policy_id, claim_details: { ...claim, ...details } });
  if (status !== 201) throw new Error(text);
  return json.claim_id;
}

/** Files a claim that waits for approval. */
async function filePending(policy: Json, details: object = {}): Promise<string> {
  const claimId = await file(policy, details);
  for (const command of ['ReviewClaim', 'SendClaimForApproval']) await move(command, claimId);
  return claimId;
}

async function fileApproved(policy: Json, details: object = {}): Promise<string> {
  const claimId = await filePending(policy, details);
  const { status, text } = await move('ApproveClaim', claimId);
  if (status !== 200) throw new Error(text);
  return claimId;
}

/** Pays a claim, and returns the id of the payment. */
async function pay(claimId: string, body: object = {}): Promise<string> {
  const { status, json, text } = await move('PayClaim', claimId, body);
  if (status !== 200) throw new Error(text);
  return json.result.payment_id;
}

const cancel = async ({ policy_id }: Json): Promise<ApiResponse> =>
  await shop.post('policies/cancel', { policy_id, cancellation_reason: 'Sold' });

describe('An approval', () => {
  test('is by default of what is claimed less the deductible', async () => {
    const claimId = await fileApproved(await shop.buy(motor));
    expect((await view(claimId)).settlement).toEqual({
      approved_amount: '600.00',
      offer_amount: null,
      paid_amount: null,
      outstanding: '600.00',
      limit: '1000.00',
      deductible: '100.00',
    });
  });

  test('of more than that is refused, naming the bound', async () => {
    const claimId = await filePending(await shop.buy(motor));
    const refused = await move('ApproveClaim', claimId, { approved_amount: '600.01' });
    expect(problemOf(refused)).toEqual([400, 'amount_too_high', 'approved_amount']);
    expect(refused.json.limit).toBe('600.00');
  });

  test('is at most what other claims of the term have left of the limit of the coverage', async () => {
    const policy = await shop.buy(motor);
    const [first, second] = [await fileApproved(policy), await filePending(policy)];
    const theft = await filePending(policy, { coverage_name: 'Theft' });
    await pay(first);
    const refused = await move('ApproveClaim', second, { approved_amount: '400.01' });
    expect([...problemOf(refused), refused.json.limit]).toEqual([400, 'amount_too_high', 'approved_amount', '400.00']);
    await move('ApproveClaim', second);
    await pay(second);
    expect((await view(second)).settlement.paid_amount).toBe('400.00');
    const spent = await filePending(policy);
    expect((await move('ApproveClaim', spent)).json).toMatchObject({ code: 'amount_too_high', limit: '0.00' });
    expect((await move('ApproveClaim', theft)).status).toBe(200);
    expect((await view(theft)).settlement.approved_amount).toBe('600.00');
    const [{ claim_payments: payments }] = (await shop.get(`policies/${policy.policy_id}/terms`)).json.results;
    expect(payments).toEqual([
      { coverage_name: 'Own damage', paid: '1000.00', limit_left: '0.00' },
      { coverage_name: 'Theft', paid: '0.00', limit_left: '600.00' },
    ]);
  });

  test('needs a coverage where one of the day has a limit, and an amount where none was claimed', async () => {
    const policy = await shop.buy(motor);
    const unnamed = await filePending(policy, { coverage_name: undefined });
    expect(problemOf(await move('ApproveClaim', unnamed))).toEqual([400, 'invalid_request', 'coverage_name']);
    const unknown = { coverage_name: 'Flood' };
    expect(problemOf(await move('ApproveClaim', unnamed, unknown))).toEqual([400, 'invalid_request', 'coverage_name']);
    expect((await move('ApproveClaim', unnamed, { coverage_name: 'theft' })).status).toBe(200);
    expect((await view(unnamed)).claim_details.coverage_name).toBe('Theft');
  });

  test.each(['0.00', '-1.00', '10.001'])('of %s is refused, naming the amount', async (approved_amount) => {
    const claimId = await filePending(await shop.buy(motor));
    const refused = await move('ApproveClaim', claimId, { approved_amount });
    expect(problemOf(refused)).toEqual([400, 'invalid_request', 'approved_amount']);
  });

  test('is refused where the policy has ended before the incident', async () => {
    const policy = await shop.buy(kind);
    const claimId = await filePending(policy);
    await cancel(policy);
    expect(problemOf(await move('ApproveClaim', claimId))).toEqual([409, 'incident_no_longer_covered']);
  });
});

describe('Payments', () => {
  test('in parts end the claim with the last one; each is dated and shown', async () => {
    const policy = await shop.buy(motor);
    const claimId = await fileApproved(policy);
    shop.setDay('2026-03-20');
    const first = await pay(claimId, { paid_amount: 250, paid_on: '2026-03-15', reference: 'TR-1' });
    expect(await view(claimId)).toMatchObject({
      claim_status: 'approved',
      date_resolved: null,
      settlement: { paid_amount: '250.00', outstanding: '350.00' },
    });
    const second = await pay(claimId);
    expect(await view(claimId)).toMatchObject({
      claim_status: 'paid',
      date_resolved: '2026-03-20',
      settlement: { paid_amount: '600.00', outstanding: '0.00' },
      payments: [
        { payment_id: first, amount: '250.00', paid_on: '2026-03-15', reference: 'TR-1', reversed_on: null },
        { payment_id: second, amount: '350.00', paid_on: '2026-03-20', reference: null, reversed_on: null },
      ],
    });
    expect((await names(claimId)).slice(-3)).toEqual(['approved', 'part paid', 'paid']);
    expect(await shop.transactions(policy.policy_id)).toEqual([
      'premium 1155.00 2026-03-10',
      'claim_payment -250.00 2026-03-15',
      'claim_payment -350.00 2026-03-20',
    ]);
  });

  test('close the claim early with final, also by a payment of 0.00, which has no entry', async () => {
    const policy = await shop.buy(motor);
    const claims = [await fileApproved(policy, { claim_amount: '300.00' }), await fileApproved(policy)];
    expect(await pay(String(claims[0]), { paid_amount: '50.00', final: true })).toEqual(expect.any(String));
    await pay(String(claims[1]), { paid_amount: '100.00' });
    expect(await pay(String(claims[1]), { paid_amount: '0.00', final: true })).toBeNull();
    for (const claimId of claims)
      expect(await view(claimId)).toMatchObject({ claim_status: 'paid', settlement: { outstanding: '0.00' } });
    expect(await shop.transactions(policy.policy_id)).toHaveLength(3);
  });

  test.each([
    [{ paid_amount: '600.01' }, 'amount_too_high', 'paid_amount'],
    [{ paid_amount: '0.00' }, 'invalid_request', 'paid_amount'],
    [{ paid_amount: '0.00', final: true }, 'invalid_request', 'paid_amount'],
    [{ paid_on: '2026-03-11' }, 'invalid_request', 'paid_on'],
    [{ paid_on: '2026-03-09' }, 'invalid_request', 'paid_on'],
  ])('with %j are refused', async (body, code, field) => {
    const claimId = await fileApproved(await shop.buy(motor));
    expect(problemOf(await move('PayClaim', claimId, body))).toEqual([400, code, field]);
  });

  test('never pass the limit that several approved claims share', async () => {
    const policy = await shop.buy(motor);
    const claims = [await fileApproved(policy), await fileApproved(policy)];
    const responses = await Promise.all(claims.map(async (claimId) => await move('PayClaim', claimId)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const refused = responses.find(({ status }) => status === 400);
    expect(refused?.json).toMatchObject({ code: 'amount_too_high', limit: '400.00' });
    const late = String(claims[responses.findIndex(({ status }) => status === 400)]);
    await pay(late, { paid_amount: '400.00' });
    expect(await view(late)).toMatchObject({ claim_status: 'approved', settlement: { outstanding: '200.00' } });
  });

  test('allow no denial, withdrawal or offer any more', async () => {
    const claimId = await fileApproved(await shop.buy(motor));
    await pay(claimId, { paid_amount: '1.00' });
    for (const [command, body] of [
      ['DenyClaim', { reason: 'x' }] as const,
      ['WithdrawClaim', { reason: 'x' }] as const,
      ['SendClaimOffer', {}] as const,
    ])
      expect(problemOf(await move(command, claimId, body))).toEqual([409, 'claim_move_not_allowed']);
    const moved = { incident_date: START, reason: 'x' };
    expect(problemOf(await move('ReviseClaim', claimId, moved))).toEqual([400, 'invalid_request', 'incident_date']);
    expect((await move('ReviseClaim', claimId, { claim_amount: '650.00', reason: 'x' })).status).toBe(200);
    const { settlement, claim_status } = await view(claimId);
    expect([claim_status, settlement.approved_amount, settlement.paid_amount]).toEqual(['pending', null, '1.00']);
  });
});

describe('A reversal', () => {
  test('takes a payment back: the claim is approved again, and the entry is dated today', async () => {
    const policy = await shop.buy(motor);
    const claimId = await fileApproved(policy);
    const payment_id = await pay(claimId);
    shop.setDay('2026-04-02');
    const reversed = await move('ReversePayment', claimId, { payment_id, reason: 'The account is closed' });
    expect(reversed.json.result).toEqual({ claim_status: 'approved' });
    expect(await view(claimId)).toMatchObject({
      claim_status: 'approved',
      date_resolved: null,
      notes: 'The account is closed',
      settlement: { paid_amount: '0.00', outstanding: '600.00' },
      payments: [{ payment_id, reversed_on: '2026-04-02' }],
    });
    expect((await names(claimId)).slice(-2)).toEqual(['paid', 'payment reversed']);
    expect((await shop.transactions(policy.policy_id)).slice(1)).toEqual([
      'claim_payment -600.00 2026-03-10',
      'claim_payment 600.00 2026-04-02',
    ]);
    const [{ claim_payments: payments }] = (await shop.get(`policies/${policy.policy_id}/terms`)).json.results;
    expect(payments[0]).toMatchObject({ paid: '0.00', limit_left: '1000.00' });
    expect((await shop.get(`claims/${claimId}?as_of=2026-04-01`)).json.claim_status).toBe('paid');
    const again = await move('ReversePayment', claimId, { payment_id, reason: 'x' });
    expect(problemOf(again)).toEqual([409, 'payment_already_reversed']);
    expect((await move('DenyClaim', claimId, { reason: 'Fraud' })).json.result).toEqual({ claim_status: 'denied' });
  });

  test('leads back to the accepted offer where there is one', async () => {
    const claimId = await fileApproved(await shop.buy(motor));
    await move('SendClaimOffer', claimId, { offer_amount: '500.00' });
    await shop.post(`claims/${claimId}/offer/accept`, {});
    const payment_id = await pay(claimId);
    const reversed = await move('ReversePayment', claimId, { payment_id, reason: 'x' });
    expect(reversed.json.result).toEqual({ claim_status: 'offer_accepted' });
    expect((await view(claimId)).settlement).toMatchObject({ offer_amount: '500.00', outstanding: '500.00' });
  });

  test('needs a payment of this claim and a reason', async () => {
    const policy = await shop.buy(motor);
    const [claimId, other] = [await fileApproved(policy), await fileApproved(policy, { claim_amount: '200.00' })];
    const payment_id = await pay(other);
    const refused = await move('ReversePayment', claimId, { payment_id, reason: 'x' });
    expect(problemOf(refused)).toEqual([400, 'invalid_request', 'payment_id']);
    expect(problemOf(await move('ReversePayment', other, { payment_id }))).toEqual([400, 'invalid_request', 'reason']);
  });
});

describe('After an approval', () => {
  test('the claim can be denied, and the merchant can withdraw it', async () => {
    const policy = await shop.buy(motor);
    const [denied, withdrawn] = [await fileApproved(policy), await fileApproved(policy)];
    expect((await move('DenyClaim', denied, { reason: 'Fraud' })).json.result).toEqual({ claim_status: 'denied' });
    const response = await shop.post(`claims/${withdrawn}/withdraw`, { reason: 'Repaired' });
    expect(response.json).toMatchObject({ claim_status: 'withdrawn', settlement: { outstanding: '0.00' } });
  });

  test('a reopened claim keeps its payments; an approval of what it was paid pays it at once', async () => {
    const claimId = await fileApproved(await shop.buy(motor));
    await pay(claimId, { paid_amount: '400.00', final: true });
    await move('ReopenClaim', claimId, { reason: 'A new report' });
    expect((await view(claimId)).settlement).toMatchObject({ approved_amount: null, paid_amount: '400.00' });
    await move('SendClaimForApproval', claimId);
    const less = await move('ApproveClaim', claimId, { approved_amount: '399.99' });
    expect(problemOf(less)).toEqual([400, 'invalid_request', 'approved_amount']);
    const approved = await move('ApproveClaim', claimId, { approved_amount: '400.00' });
    expect(approved.json.result).toEqual({ claim_status: 'paid' });
    expect((await names(claimId)).slice(-4)).toEqual(['reopened', 'pending approval', 'approved', 'paid']);
  });
});

describe('A cancellation after a payment', () => {
  /** Buys a policy with a paid claim of its first day. */
  async function buyWithPayment(productId: string): Promise<{ policy: Json; claimId: string; payment_id: string }> {
    const policy = await shop.buy(productId);
    const claimId = await fileApproved(policy);
    return { policy, claimId, payment_id: await pay(claimId) };
  }

  test('returns nothing by the rule of the product, and pro rata once the payment is reversed', async () => {
    const { policy, claimId, payment_id } = await buyWithPayment(strict);
    const kept = await cancel(policy);
    expect(kept.json.data).toMatchObject({ refund_rule: 'none_after_claim', refund_amount: '0.00' });
    await shop.admin('ReinstatePolicy', { policy_id: policy.policy_id, reason: 'x' });
    await move('ReversePayment', claimId, { payment_id, reason: 'Fraud' });
    const returned = await cancel(policy);
    expect(returned.json.data).toMatchObject({ refund_rule: 'pro_rata' });
    expect(Number(returned.json.data.refund_amount)).toBeGreaterThan(1000);
  });

  test('has no cooling-off time', async () => {
    const { policy } = await buyWithPayment(kind);
    expect((await cancel(policy)).json.data.refund_rule).toBe('pro_rata');
  });

  test('by the platform does not reach back before the incident', async () => {
    shop.setDay(START);
    const policy = await shop.buy(motor);
    shop.setDay('2026-03-14');
    await pay(await fileApproved(policy));
    shop.setDay('2026-03-20');
    const body = { policy_id: policy.policy_id, cancellation_reason: 'x' };
    const early = await shop.admin('CancelPolicy', { ...body, effective_on: '2026-03-13' });
    expect(problemOf(early)).toEqual([409, 'claim_paid_after_day']);
    expect((await shop.admin('CancelPolicy', { ...body, effective_on: '2026-03-14' })).status).toBe(200);
  });
});
