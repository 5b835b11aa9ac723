import { beforeEach, describe, expect, test } from '@jest/globals';
import { importedPolicy, givenMerchants, OTHER_MERCHANT } from '../../test/support/book.ts';
import { CommandHarness, fieldsOf, MERCHANT, TEST } from '../../test/support/command-harness.ts';
import { productStream } from '../../src/domain/product/product.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { renewPolicy } from './renew-policy.ts';

let harness: CommandHarness;
let policyId: string;
let stream: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId, stream } = await importedPolicy(harness));
});

const renewal = (changes: object = {}) => ({
  policy_id: policyId,
  preferred_policy_start_date: '2027-01-01',
  policy_duration: 365,
  ...changes,
});

async function renewed(changes: object = {}) {
  return (await harness.run(renewPolicy, renewal(changes))).events[0]?.data;
}

describe('Given a policy that is covered through 2026-12-31', () => {
  test('when it is renewed for a year, then a term follows at the annual premium', async () => {
    expect(await renewed()).toEqual({
      effectiveAt: '2027-01-01',
      policyId,
      merchantId: expect.any(String),
      environmentId: 1,
      testMode: false,
      customerId: expect.any(String),
      term: {
        from: '2027-01-01',
        through: '2028-01-01',
        premium: '365.00',
        annualPremium: '365.00',
        paymentFrequency: 'annual',
        risk: { driver_age: '44' },
        premiumParts: {},
      },
      days: 365,
      autoRenew: false,
      coverageChange: null,
    });
  });

  test('when it is renewed, then the answer is the Renewal response of the specification', async () => {
    const outcome = await harness.run(renewPolicy, renewal({ policy_duration: 30 }));
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
          customer_phone: null,
          customer_address: null,
          policy_status: 'active',
          policy_id: policyId,
          renewable: true,
        },
        renewal_date: '2027-02-01',
      },
    });
    expect(outcome.created).toBe(false);
  });

  test('when it is renewed for some days, then it costs the share of the annual premium, half up', async () => {
    const term = { premium: '30.00', annualPremium: '365.00', through: '2027-01-31' };
    expect(await renewed({ policy_duration: 30 })).toMatchObject({ term, days: 30 });
  });

  test.each([
    [12.5, '377.50'],
    ['12.5', '377.50'],
    ['0', '365.00'],
    [undefined, '365.00'],
  ])('when coverage is added for %p, then the annual premium is %s from now on', async (amount, annualPremium) => {
    const details = { coverage_type: 'glass', covered_items: ['windows'], additional_amount: amount };
    const coverage_details = JSON.parse(JSON.stringify(details)) as object;
    const first = await renewed({ include_additional_coverage: true, coverage_details });
    expect(first).toMatchObject({
      term: { premium: annualPremium, annualPremium },
      coverageChange: { kind: 'additional', details: coverage_details },
    });
    const next = await renewed({ preferred_policy_start_date: '2029-01-01' });
    expect(next).toMatchObject({ term: { premium: annualPremium, annualPremium }, coverageChange: null });
  });

  test('when coverage is added to a short term, then its amount is paid in full', async () => {
    const coverage = { include_additional_coverage: true, coverage_details: { additional_amount: '36.50' } };
    expect(await renewed({ policy_duration: 30, ...coverage })).toMatchObject({
      term: { premium: '66.50', annualPremium: '401.50' },
    });
  });

  test('when coverage is modified, then the change is recorded and the price stays', async () => {
    const coverage_details = { coverage_type: 'glass', additional_amount: 'some' };
    expect(await renewed({ modify_exisitng_coverage: true, coverage_details })).toMatchObject({
      term: { premium: '365.00' },
      coverageChange: { kind: 'modified', details: coverage_details },
    });
  });

  test('when coverage is told of but neither added nor modified, then nothing of it changes', async () => {
    const coverage_details = { additional_amount: '36.50' };
    expect(await renewed({ coverage_details })).toMatchObject({ term: { premium: '365.00' }, coverageChange: null });
  });

  test.each([
    { include_additional_coverage: true },
    { modify_exisitng_coverage: true },
    { include_additional_coverage: true, coverage_details: null },
    { include_additional_coverage: true, coverage_details: 'glass' },
  ])('when %j comes without an object of details, then it is asked for', async (wanted) => {
    expect(fieldsOf(await harness.refusal(renewPolicy, renewal(wanted)))).toEqual(['coverage_details']);
  });

  test('when coverage is added without an amount, then it costs nothing more', async () => {
    const added = { include_additional_coverage: true, coverage_details: { covered_items: ['radio'] } };
    expect(await renewed(added)).toMatchObject({ term: { premium: '365.00' }, coverageChange: { kind: 'additional' } });
  });

  test('when it is to renew by itself, then the event says so', async () => {
    expect(await renewed({ auto_renew: true })).toMatchObject({ autoRenew: true });
  });

  test('when it is named by its number, or by both names, then it is found', async () => {
    await harness.run(renewPolicy, renewal({ policy_id: undefined, policy_number: ' pol-1 ' }));
    await harness.run(renewPolicy, renewal({ policy_number: 'POL-1', preferred_policy_start_date: '2028-06-01' }));
    expect(await harness.events(stream)).toHaveLength(3);
  });

  test('when it is renewed by its merchant, then the key is the actor', async () => {
    const outcome = await harness.run(renewPolicy, renewal(), { actor: MERCHANT });
    expect(outcome.events[0]?.metadata.actor).toEqual(MERCHANT);
  });

  test.each([
    ['2026-12-31', '2027-01-01'],
    ['2026-03-01', '2027-01-01'],
  ])('when the new term is to start on %s, then it is refused and %s named', async (start, earliest) => {
    const refusal = await harness.refusal(renewPolicy, renewal({ preferred_policy_start_date: start }));
    expect(refusal).toMatchObject({ code: 'renewal_overlaps_current_term', members: { earliest_start: earliest } });
    expect(refusal.message).toContain(earliest);
    expect(fieldsOf(refusal)).toEqual(['preferred_policy_start_date']);
  });

  test('when the new term is to start before today, then the field is named', async () => {
    const refusal = await harness.refusal(renewPolicy, renewal({ preferred_policy_start_date: '2026-02-28' }));
    expect(refusal.code).toBe('invalid_request');
    expect(fieldsOf(refusal)).toEqual(['preferred_policy_start_date']);
  });

  test('when it has run out and starts today, then it is renewed, and the gap stays', async () => {
    harness.now = '2027-03-05T23:59:59.999Z';
    expect(await renewed({ preferred_policy_start_date: '2027-03-05' })).toMatchObject({
      term: { from: '2027-03-05' },
    });
  });

  test('when the term would end after the last day that can be written, then it is refused', async () => {
    const refusal = await harness.refusal(renewPolicy, renewal({ preferred_policy_start_date: '9999-06-01' }));
    expect(fieldsOf(refusal)).toEqual(['preferred_policy_start_date']);
  });

  test('when the additional amount makes the premium too long, then the amount is named', async () => {
    const coverage_details = { additional_amount: '99999999.99' };
    const refusal = await harness.refusal(
      renewPolicy,
      renewal({ include_additional_coverage: true, coverage_details }),
    );
    expect(refusal.code).toBe('invalid_request');
    expect(fieldsOf(refusal)).toEqual(['coverage_details.additional_amount']);
  });

  test('when the additional amount makes the premium the largest amount, then it is renewed', async () => {
    const coverage_details = { additional_amount: '99999634.99' };
    expect(await renewed({ include_additional_coverage: true, coverage_details })).toMatchObject({
      term: { annualPremium: '99999999.99' },
    });
  });

  test.each([-1, '-0.01', 1.005, 'much', 1e21, true, {}, ['12.50']])(
    'when the additional amount is %p, then the amount is named',
    async (additional_amount) => {
      const coverage_details = { additional_amount };
      const body = renewal({ include_additional_coverage: true, coverage_details });
      expect(fieldsOf(await harness.refusal(renewPolicy, body))).toEqual(['coverage_details.additional_amount']);
    },
  );

  test('when it is cancelled, then it cannot be renewed', async () => {
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    const refusal = await harness.refusal(renewPolicy, renewal());
    expect(refusal.code).toBe('policy_not_renewable');
    expect(refusal.message).toContain('cancelled');
  });

  test('when another revision is expected, then it is refused before its state is looked at', async () => {
    const past = renewal({ preferred_policy_start_date: '2020-01-01' });
    expect((await harness.refusal(renewPolicy, past, { ifMatch: [7] })).code).toBe('precondition_failed');
    expect((await harness.run(renewPolicy, renewal(), { ifMatch: [7, 0] })).revision).toBe(1);
  });

  test('when the same key comes again, also later and with If-Match, then the first answer comes again', async () => {
    const first = await harness.run(renewPolicy, renewal(), { key: 'k' });
    harness.now = '2030-01-01T00:00:00.000Z';
    const again = await harness.run(renewPolicy, renewal(), { key: 'k', ifMatch: [99] });
    expect(again).toMatchObject({ replayed: true, result: first.result, revision: first.revision });
    expect(await harness.events(stream)).toHaveLength(2);
  });
});

describe('Given a policy that has not begun', () => {
  test('when it is renewed, then the new term follows and the status stays', async () => {
    const later = await importedPolicy(harness, {
      policy_number: 'POL-2',
      term_from: '2026-06-01',
      term_through: '2027-05-31',
    });
    const body = renewal({ policy_id: later.policyId, preferred_policy_start_date: '2027-06-01' });
    const outcome = await harness.run(renewPolicy, body);
    expect(outcome.result).toMatchObject({ data: { policy_metadata: { policy_status: 'accepted' } } });
  });
});

describe('Given a policy without an end', () => {
  test('when it is renewed, then no day is named as the earliest', async () => {
    const { policyId: endless } = await importedPolicy(harness, { policy_number: 'P', term_through: '9999-12-31' });
    const refusal = await harness.refusal(renewPolicy, renewal({ policy_id: endless }));
    expect(refusal.members).toEqual({ earliest_start: null });
  });
});

describe('Given a product that is not renewable', () => {
  test('when its policy is renewed, then it is refused', async () => {
    const first = await harness.events(stream);
    const { product, provider } = first[0]!.data as Record<'product' | 'provider', { id: string }>;
    const ids = { productId: product.id, providerId: provider.id, visibility: 'both' };
    const data = { ...ids, changes: { renewable: false } };
    await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
    const { policyId: rigid } = await importedPolicy(harness, { policy_number: 'RIGID' });
    const refusal = await harness.refusal(renewPolicy, renewal({ policy_id: rigid }));
    expect(refusal).toMatchObject({ code: 'policy_not_renewable' });
    expect(refusal.message).toContain('its product is not renewable');
  });
});

describe('Given a policy that the caller cannot know', () => {
  test.each([
    ['another merchant', { environment: OTHER_MERCHANT }],
    ['the other world', { environment: TEST }],
  ])('when %s names it by id or number, then it is not found', async (_who, sent) => {
    expect((await harness.refusal(renewPolicy, renewal(), sent)).code).toBe('policy_not_found');
    const byNumber = renewal({ policy_id: undefined, policy_number: 'POL-1' });
    expect((await harness.refusal(renewPolicy, byNumber, sent)).code).toBe('policy_not_found');
  });

  test('when a policy is named that never was, then it is not found', async () => {
    const unknown = derivedId('no such policy');
    expect((await harness.refusal(renewPolicy, renewal({ policy_id: unknown }))).code).toBe('policy_not_found');
    const both = renewal({ policy_id: unknown, policy_number: 'NO' });
    expect((await harness.refusal(renewPolicy, both)).code).toBe('policy_not_found');
  });

  test('when id and number name different policies, or one names none, then both are named', async () => {
    await importedPolicy(harness, { policy_number: 'POL-2' });
    for (const names of [{ policy_number: 'POL-2' }, { policy_number: 'NO' }, { policy_id: derivedId('no') }]) {
      const refusal = await harness.refusal(renewPolicy, renewal({ policy_number: 'POL-1', ...names }));
      expect(refusal.code).toBe('invalid_request');
      expect(fieldsOf(refusal)).toEqual(['policy_id', 'policy_number']);
    }
  });
});

describe('Given a body that is wrong in several places', () => {
  test('when it is sent, then every wrong field is named', async () => {
    const body = {
      preferred_policy_start_date: '2027-02-30',
      policy_duration: 366,
      include_additional_coverage: true,
      modify_exisitng_coverage: true,
      auto_renew: 'yes',
      unknown: 1,
    };
    expect(fieldsOf(await harness.refusal(renewPolicy, body)).sort()).toEqual([
      'auto_renew',
      'coverage_details',
      'modify_exisitng_coverage',
      'policy_duration',
      'policy_id',
      'preferred_policy_start_date',
      'unknown',
    ]);
  });

  test('when details nest without end, then they are refused', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as object;
    const refusal = await harness.refusal(renewPolicy, renewal({ coverage_details: deep }));
    expect(fieldsOf(refusal)).toEqual(['coverage_details']);
  });
});
