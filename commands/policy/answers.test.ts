import { beforeEach, describe, expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { CommandHarness, invalidFields, MERCHANT } from '#test/support/command-harness.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { offeredProduct } from '#test/support/offered-products.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { sampleId } from '#test/support/sample-events.ts';
import { LIVE } from '#test/support/command-harness.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { changePolicy } from './change-policy.ts';
import { purchasePolicy } from './purchase-policy.ts';
import { reinstatePolicy } from './reinstate-policy.ts';
import { renewPolicy } from './renew-policy.ts';
import { setAutoRenew } from './set-auto-renew.ts';

let harness: CommandHarness;
let policyId: string;
let stream: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId, stream } = await importPolicy(harness));
});

const sentByMerchant = { actor: MERCHANT, environment: LIVE };
const renewal = (changes: object = {}) => ({
  policy_id: policyId,
  preferred_policy_start_date: '2027-01-01',
  policy_duration: 365,
  ...changes,
});
const cancellation = (changes: object = {}) => ({
  policy_id: policyId,
  cancellation_reason: 'sold the car',
  ...changes,
});
const coverages = ['fire', 'third party'].map((name) => ({ coverage_name: name, coverage_limit: null }));

test('a renewal answers with the new term', async () => {
  const outcome = await harness.run(renewPolicy, renewal({ policy_duration: 30 }));
  expect(outcome.created).toBe(false);
  expect(outcome.result).toEqual({
    renewal_status: 'success',
    message: 'Policy renewal successful',
    data: {
      policy_id: policyId,
      policy_number: 'POL-1',
      policy_duration: 30,
      policy_metadata: {
        product_name: 'Private Motor',
        product_type: 'Auto',
        insurer: 'Assurance',
        customer_name: 'Ada Obi',
        customer_email: 'ada@customers.example',
        customer_phone: '',
        customer_address: '',
        policy_status: 'active',
        policy_id: policyId,
        renewable: true,
      },
      renewal_date: '2027-01-31',
      premium: '30.00',
      tax: null,
      currency: 'EUR',
      effective_from: '2027-01-01',
      effective_through: '2027-01-30',
      coverages: coverages.map((coverage) => expect.objectContaining(coverage) as object),
    },
  });
});

test('a renewal takes the rates of its product and tier as the catalogue has them, also of one that is not on sale', async () => {
  const tiers = [{ tierId: 't', name: 'Gold', basePremium: '1.00', rating: { surcharge: '7.00' }, coverages: null }];
  const product = { rating: { tax_percent: '10' }, status: 'withdrawn', isLive: false } as const;
  const { quote_code } = await givenQuote(harness.eventStore, LIVE, { tierName: 'Gold' });
  const { result } = await harness.run(purchasePolicy, { quote_code });
  const renewFrom = async (from: string) => {
    const body = renewal({ policy_id: result.policy_id, preferred_policy_start_date: from });
    return ((await harness.run(renewPolicy, body)).result as { data: { premium: string } }).data.premium;
  };
  harness.products.push(offeredProduct(1, { ...product, tiers } as object));
  expect(await renewFrom('2027-03-01')).toBe('372.00');
  harness.products[0] = offeredProduct(1, product);
  expect(await renewFrom('2028-03-01')).toBe('401.50');
  harness.products[0] = offeredProduct(1, {});
  expect(await renewFrom('2029-03-01')).toBe('401.50');
});

test('a change answers with what the terms cost, before and now', async () => {
  await harness.run(renewPolicy, renewal());
  const change = { action: 'add', coverage_type: 'radio', additional_amount: '36.50' };
  const sent = { policy_id: 'pol-1', changes: [change], reason: 'a radio' };
  const outcome = await harness.run(changePolicy, sent, sentByMerchant);
  const terms = (outcome.events[0]!.data as { terms: { termId: string }[] }).terms;
  expect(outcome.created).toBe(false);
  expect(outcome.events[0]!.data).toMatchObject({ reason: 'a radio', effectiveAt: '2026-03-02' });
  expect(outcome.result).toEqual({
    change_status: 'success',
    message: 'Policy change successful',
    data: {
      policy_id: policyId,
      policy_number: 'POL-1',
      effective_on: '2026-03-02',
      premium_difference: '67.00',
      tax_difference: null,
      currency: 'EUR',
      terms: [
        {
          term_id: terms[0]?.termId,
          from: '2026-01-01',
          through: '2026-12-31',
          premium_before: '365.00',
          premium: '395.50',
        },
        {
          term_id: terms[1]?.termId,
          from: '2027-01-01',
          through: '2027-12-31',
          premium_before: '365.00',
          premium: '401.50',
        },
      ],
      coverages: [...coverages, { coverage_name: 'radio' }].map(
        (coverage) => expect.objectContaining(coverage) as object,
      ),
    },
  });
});

test('a change in a gap answers with the coverages of the next term', async () => {
  await harness.run(renewPolicy, renewal({ preferred_policy_start_date: '2028-01-01' }));
  harness.now = '2027-06-01T10:00:00.000Z';
  const change = { action: 'add', coverage_type: 'radio' };
  const { result } = await harness.run(changePolicy, { policy_id: 'pol-1', changes: [change] }, sentByMerchant);
  const terms = [{ from: '2028-01-01' }];
  expect(result).toMatchObject({ data: { terms, coverages: [...coverages, { coverage_name: 'radio' }] } });
});

describe('A cancellation', () => {
  const data = () => ({
    policy_id: policyId,
    policy_number: 'POL-1',
    policy_status: 'cancelled',
    cancellation_date: '2026-03-01T10:00:00.000Z',
    cancellation_reason: 'sold the car',
    cancellation_initiator: 'Acme Bank',
    effective_on: '2026-03-01',
    refund_amount: '305.00',
    tax_refunded: null,
    refund_rule: 'pro_rata',
    currency: 'EUR',
  });
  const answer = (changes: object) => ({
    cancellation_status: 'success',
    message: 'Policy cancellation successful',
    data: { ...data(), ...changes },
  });

  test('answers with what is returned, and the merchant as initiator', async () => {
    expect((await harness.run(cancelPolicy, cancellation(), sentByMerchant)).result).toEqual(answer({}));
  });

  test('of a later day leaves the status as it is until then', async () => {
    const effective_on = '2026-12-30';
    const { result } = await harness.run(cancelPolicy, cancellation({ effective_on }), sentByMerchant);
    const cancellation_date = '2026-12-30T23:59:59.000Z';
    expect(result).toEqual(answer({ policy_status: 'active', effective_on, cancellation_date, refund_amount: '1.00' }));
  });

  test('of an earlier day is for the platform, shown as admin', async () => {
    const effective_on = '2026-02-28';
    const refused = await harness.expectRefusal(cancelPolicy, cancellation({ effective_on }), sentByMerchant);
    expect(invalidFields(refused)).toEqual(['effective_on']);
    const { result } = await harness.run(cancelPolicy, cancellation({ effective_on }));
    expect(result).toMatchObject({
      data: { policy_status: 'cancelled', cancellation_initiator: 'admin', effective_on, refund_amount: '306.00' },
    });
  });

  test('can be undone', async () => {
    await harness.run(setAutoRenew, { policy_id: policyId, auto_renew: true });
    const [cancelled] = (await harness.run(cancelPolicy, cancellation())).events;
    const { events, created, result } = await harness.run(reinstatePolicy, { policy_id: policyId, reason: 'mistake' });
    const { returned } = cancelled!.data as { returned: object };
    expect({ created, result }).toEqual({ created: false, result: {} });
    expect(events).toMatchObject([
      { type: 'PolicyReinstated', data: { reinstated: returned, autoRenew: true, effectiveAt: '2026-03-01' } },
    ]);
  });
});

describe('A policy is named', () => {
  test('by its number without case, by its id, or by both', async () => {
    await harness.run(renewPolicy, renewal({ policy_id: undefined, policy_number: ' pol-1 ' }));
    await harness.run(renewPolicy, renewal({ policy_number: 'POL-1', preferred_policy_start_date: '2028-01-01' }));
    await harness.run(cancelPolicy, cancellation({ policy_id: undefined, policy_number: 'POL-1' }));
    expect(await harness.events(stream)).toHaveLength(4);
  });

  test('never by id and number of different policies, known or not', async () => {
    await importPolicy(harness, { policy_number: 'POL-2' });
    for (const names of [{ policy_number: 'POL-2' }, { policy_number: 'NO' }, { policy_id: derivedId('no') }]) {
      const refusal = await harness.expectRefusal(renewPolicy, renewal({ policy_number: 'POL-1', ...names }));
      expect([refusal.code, invalidFields(refusal)]).toEqual(['invalid_request', ['policy_id', 'policy_number']]);
    }
    expect((await harness.expectRefusal(cancelPolicy, cancellation({ policy_id: sampleId('policy', 9) }))).code).toBe(
      'policy_not_found',
    );
  });
});

test('a policy that has not begun can be renewed and keeps its status', async () => {
  const row = { policy_number: 'POL-2', term_from: '2026-06-01', term_through: '2027-05-31' };
  const later = await importPolicy(harness, row);
  const body = renewal({ policy_id: later.policyId, preferred_policy_start_date: '2027-06-01' });
  const { result } = await harness.run(renewPolicy, body);
  expect(result).toMatchObject({ data: { policy_metadata: { policy_status: 'accepted' } } });
});
