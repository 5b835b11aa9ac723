import { beforeEach, describe, expect, test } from '@jest/globals';
import { importPolicy, givenMerchants, OTHER_MERCHANT } from '../../test/support/imports.ts';
import { CommandHarness, invalidFields, MERCHANT, TEST } from '../../test/support/command-harness.ts';
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
  ({ policyId, stream } = await importPolicy(harness));
});

const renewal = (changes: object = {}) => ({
  policy_id: policyId,
  preferred_policy_start_date: '2027-01-01',
  policy_duration: 365,
  ...changes,
});

async function renew(changes: object = {}) {
  return (await harness.run(renewPolicy, renewal(changes))).events[0]?.data;
}

/** Returns the coverages of the term of a renewal. */
const coveragesOf = (data: unknown): readonly object[] => (data as { term: { coverages: object[] } }).term.coverages;

describe('A policy that is covered through 2026-12-31', () => {
  test('gets a term of one year at the annual premium', async () => {
    expect(await renew()).toEqual({
      effectiveAt: '2027-01-01',
      policyId,
      merchantId: expect.any(String),
      environmentId: 1,
      testMode: false,
      customerId: expect.any(String),
      term: {
        from: '2027-01-01',
        through: '2027-12-31',
        premium: '365.00',
        ...{ tax: null, surcharge: null, commission: null },
        annual: { premium: '365.00', tax: null, surcharge: null, commission: null },
        paymentFrequency: 'annual',
        risk: { driver_age: '44' },
        premiumParts: {},
        coverages: expect.any(Array),
      },
      days: 365,
      autoRenew: false,
      coverageChange: null,
    });
  });

  test('returns the renewal response', async () => {
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
        renewal_date: '2027-01-31',
      },
    });
    expect(outcome.created).toBe(false);
  });

  test('costs the share of the annual premium for some days, rounded half up', async () => {
    const term = { premium: '30.00', annual: { premium: '365.00' }, through: '2027-01-30' };
    expect(await renew({ policy_duration: 30 })).toMatchObject({ term, days: 30 });
  });

  test.each([
    [12.5, '377.50'],
    ['12.5', '377.50'],
    ['0', '365.00'],
    [undefined, '365.00'],
  ])('with additional coverage for %p has an annual premium of %s', async (amount, premium) => {
    const details = { coverage_type: 'radio', covered_items: ['antenna'], additional_amount: amount };
    const coverage_details = JSON.parse(JSON.stringify(details)) as object;
    const first = await renew({ include_additional_coverage: true, coverage_details });
    expect(first).toMatchObject({
      term: { premium, annual: { premium } },
      coverageChange: { kind: 'additional', details: coverage_details },
    });
    const next = await renew({ preferred_policy_start_date: '2028-01-01' });
    expect(next).toMatchObject({ term: { premium, annual: { premium } }, coverageChange: null });
  });

  test('costs the share of the additional amount for some days', async () => {
    const coverage_details = { coverage_type: 'radio', additional_amount: '36.50' };
    expect(await renew({ policy_duration: 30, include_additional_coverage: true, coverage_details })).toMatchObject({
      term: { premium: '33.00', annual: { premium: '401.50' } },
    });
  });

  test('has one coverage more after additional coverage', async () => {
    const coverage_details = { coverage_type: 'radio', coverage_limit: 1000, covered_items: { brand: 'any' } };
    const before = await renew();
    const added = await renew({
      preferred_policy_start_date: '2028-01-01',
      include_additional_coverage: true,
      coverage_details,
    });
    const radio = { name: 'radio', type: 'radio', limit: '1000.00', coveredItems: { brand: 'any' } };
    expect(coveragesOf(added)).toEqual([...coveragesOf(before), radio]);
  });

  test.each([
    [{ coverage_type: ' FIRE ' }, 'is a coverage of the policy already'],
    [{ coverage_type: 'fire', additional_amount: 1 }, 'is a coverage of the policy already'],
  ])('rejects additional coverage that it has already: %j', async (coverage_details, message) => {
    const refusal = await harness.expectRefusal(
      renewPolicy,
      renewal({ include_additional_coverage: true, coverage_details }),
    );
    expect(invalidFields(refusal)).toEqual(['coverage_details.coverage_type']);
    expect(refusal.message).toContain(message);
  });

  test('changes items and limit of the modified coverage, and adds the amount', async () => {
    const coverage_details = { coverage_type: 'Fire', covered_items: ['garage'], additional_amount: '36.50' };
    const body = { modify_exisitng_coverage: true, coverage_details };
    const modified = await renew(body);
    expect(modified).toMatchObject({
      term: { premium: '401.50' },
      coverageChange: { kind: 'modified', details: coverage_details },
    });
    expect(coveragesOf(modified)).toContainEqual({ name: 'fire', type: null, limit: null, coveredItems: ['garage'] });
    const limited = { ...coverage_details, coverage_limit: '5000' };
    const next = await renew({ ...body, coverage_details: limited, preferred_policy_start_date: '2028-01-01' });
    expect(coveragesOf(next)).toContainEqual({
      name: 'fire',
      type: null,
      limit: '5000.00',
      coveredItems: ['garage'],
    });
  });

  test('rejects the change of a coverage that it does not have', async () => {
    const body = renewal({ modify_exisitng_coverage: true, coverage_details: { coverage_type: 'hail' } });
    expect(invalidFields(await harness.expectRefusal(renewPolicy, body))).toEqual(['coverage_details.coverage_type']);
  });

  test('ignores coverage details without an option', async () => {
    const coverage_details = { additional_amount: '36.50' };
    expect(await renew({ coverage_details })).toMatchObject({ term: { premium: '365.00' }, coverageChange: null });
  });

  test.each([
    { include_additional_coverage: true },
    { modify_exisitng_coverage: true },
    { include_additional_coverage: true, coverage_details: null },
    { include_additional_coverage: true, coverage_details: 'glass' },
  ])('rejects %j without an object of details', async (wanted) => {
    expect(invalidFields(await harness.expectRefusal(renewPolicy, renewal(wanted)))).toEqual(['coverage_details']);
  });

  test('rejects details without a type as missing', async () => {
    const refusal = await harness.expectRefusal(
      renewPolicy,
      renewal({ include_additional_coverage: true, coverage_details: {} }),
    );
    expect(refusal.fields).toEqual([{ field: 'coverage_details.coverage_type', message: 'must be given' }]);
  });

  test.each([
    [{}, ['coverage_details.coverage_type']],
    [{ coverage_type: '' }, ['coverage_details.coverage_type']],
    [{ coverage_type: 'x'.repeat(256) }, ['coverage_details.coverage_type']],
    [{ coverage_type: 'radio', coverage_limit: -1 }, ['coverage_details.coverage_limit']],
    [
      { coverage_type: 7, coverage_limit: 'much' },
      ['coverage_details.coverage_type', 'coverage_details.coverage_limit'],
    ],
  ])('rejects the details %j', async (coverage_details, fields) => {
    for (const option of ['include_additional_coverage', 'modify_exisitng_coverage']) {
      const refusal = await harness.expectRefusal(renewPolicy, renewal({ [option]: true, coverage_details }));
      expect(invalidFields(refusal)).toEqual(fields);
    }
  });

  test('records auto_renew', async () => {
    expect(await renew({ auto_renew: true })).toMatchObject({ autoRenew: true });
  });

  test('is found by its number or by both names', async () => {
    await harness.run(renewPolicy, renewal({ policy_id: undefined, policy_number: ' pol-1 ' }));
    await harness.run(renewPolicy, renewal({ policy_number: 'POL-1', preferred_policy_start_date: '2028-01-01' }));
    expect(await harness.events(stream)).toHaveLength(3);
  });

  test('records the key of the merchant as actor', async () => {
    const outcome = await harness.run(renewPolicy, renewal(), { actor: MERCHANT });
    expect(outcome.events[0]?.metadata.actor).toEqual(MERCHANT);
  });

  test.each([
    ['2026-12-31', '2027-01-01'],
    ['2026-03-01', '2027-01-01'],
  ])('rejects a start on %s, naming %s', async (start, earliest) => {
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ preferred_policy_start_date: start }));
    expect(refusal).toMatchObject({ code: 'renewal_overlaps_current_term', members: { earliest_start: earliest } });
    expect(refusal.message).toContain(earliest);
    expect(invalidFields(refusal)).toEqual(['preferred_policy_start_date']);
  });

  test('rejects a start before today', async () => {
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ preferred_policy_start_date: '2026-02-28' }));
    expect(refusal.code).toBe('invalid_request');
    expect(invalidFields(refusal)).toEqual(['preferred_policy_start_date']);
  });

  test('can be renewed from today after it has expired, with a gap', async () => {
    harness.now = '2027-03-05T23:59:59.999Z';
    expect(await renew({ preferred_policy_start_date: '2027-03-05' })).toMatchObject({
      term: { from: '2027-03-05' },
    });
  });

  test('can begin at most 366 days after the last term, or after today when that is later', async () => {
    const late = await harness.expectRefusal(renewPolicy, renewal({ preferred_policy_start_date: '2028-01-02' }));
    expect(invalidFields(late)).toEqual(['preferred_policy_start_date']);
    expect(late.message).toContain('2028-01-01');
    harness.now = '2027-06-01T00:00:00.000Z';
    const later = await harness.expectRefusal(renewPolicy, renewal({ preferred_policy_start_date: '2028-06-02' }));
    expect(invalidFields(later)).toEqual(['preferred_policy_start_date']);
    await renew({ preferred_policy_start_date: '2028-06-01' });
  });

  test('rejects an amount that makes the premium of the term too long', async () => {
    const coverage_details = { coverage_type: 'radio', additional_amount: '99999999.99' };
    const body = { include_additional_coverage: true, coverage_details };
    const refusal = await harness.expectRefusal(renewPolicy, renewal(body));
    expect(refusal.code).toBe('premium_out_of_range');
    expect(await renew({ ...body, policy_duration: 364 })).toMatchObject({
      term: { annual: { premium: '100000364.99' } },
    });
  });

  test.each([-1, '-0.01', 1.005, 'much', 1e21, true, {}, ['12.50']])(
    'rejects the additional amount %p',
    async (additional_amount) => {
      const coverage_details = { coverage_type: 'radio', additional_amount };
      const body = renewal({ include_additional_coverage: true, coverage_details });
      expect(invalidFields(await harness.expectRefusal(renewPolicy, body))).toEqual([
        'coverage_details.additional_amount',
      ]);
    },
  );

  test('cannot be renewed after its cancellation', async () => {
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    const refusal = await harness.expectRefusal(renewPolicy, renewal());
    expect(refusal.code).toBe('policy_not_renewable');
    expect(refusal.message).toContain('cancelled');
  });

  test('rejects another expected revision before it checks its state', async () => {
    const past = renewal({ preferred_policy_start_date: '2020-01-01' });
    expect((await harness.expectRefusal(renewPolicy, past, { ifMatch: [7] })).code).toBe('precondition_failed');
    expect((await harness.run(renewPolicy, renewal(), { ifMatch: [7, 0] })).revision).toBe(1);
  });

  test('returns the first response to a repeated request, even with If-Match', async () => {
    const first = await harness.run(renewPolicy, renewal(), { key: 'k' });
    harness.now = '2030-01-01T00:00:00.000Z';
    const again = await harness.run(renewPolicy, renewal(), { key: 'k', ifMatch: [99] });
    expect(again).toMatchObject({ replayed: true, result: first.result, revision: first.revision });
    expect(await harness.events(stream)).toHaveLength(2);
  });
});

describe('A policy that has not started', () => {
  test('can be renewed and keeps its status', async () => {
    const later = await importPolicy(harness, {
      policy_number: 'POL-2',
      term_from: '2026-06-01',
      term_through: '2027-05-31',
    });
    const body = renewal({ policy_id: later.policyId, preferred_policy_start_date: '2027-06-01' });
    const outcome = await harness.run(renewPolicy, body);
    expect(outcome.result).toMatchObject({ data: { policy_metadata: { policy_status: 'accepted' } } });
  });
});

describe('A policy without an end', () => {
  test('is not renewed, with null as earliest start', async () => {
    const { policyId: endless } = await importPolicy(harness, { policy_number: 'P', term_through: '9999-12-31' });
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ policy_id: endless }));
    expect(refusal.members).toEqual({ earliest_start: null });
  });
});

describe('A product that is not renewable', () => {
  test('has policies that cannot be renewed', async () => {
    const first = await harness.events(stream);
    const { product, provider } = first[0]!.data as Record<'product' | 'provider', { id: string }>;
    const ids = { productId: product.id, providerId: provider.id, visibility: 'both' };
    const data = { ...ids, changes: { renewable: false } };
    await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
    const { policyId: rigid } = await importPolicy(harness, { policy_number: 'RIGID' });
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ policy_id: rigid }));
    expect(refusal).toMatchObject({ code: 'policy_not_renewable' });
    expect(refusal.message).toContain('its product is not renewable');
  });
});

describe('A policy that is invisible to the caller', () => {
  test.each([
    ['another merchant', { environment: OTHER_MERCHANT }],
    ['the other world', { environment: TEST }],
  ])('is not found by %s', async (_who, sent) => {
    expect((await harness.expectRefusal(renewPolicy, renewal(), sent)).code).toBe('policy_not_found');
    const byNumber = renewal({ policy_id: undefined, policy_number: 'POL-1' });
    expect((await harness.expectRefusal(renewPolicy, byNumber, sent)).code).toBe('policy_not_found');
  });

  test('is not found when it does not exist', async () => {
    const unknown = derivedId('no such policy');
    expect((await harness.expectRefusal(renewPolicy, renewal({ policy_id: unknown }))).code).toBe('policy_not_found');
    const both = renewal({ policy_id: unknown, policy_number: 'NO' });
    expect((await harness.expectRefusal(renewPolicy, both)).code).toBe('policy_not_found');
  });

  test('rejects id and number of different policies, naming both fields', async () => {
    await importPolicy(harness, { policy_number: 'POL-2' });
    for (const names of [{ policy_number: 'POL-2' }, { policy_number: 'NO' }, { policy_id: derivedId('no') }]) {
      const refusal = await harness.expectRefusal(renewPolicy, renewal({ policy_number: 'POL-1', ...names }));
      expect(refusal.code).toBe('invalid_request');
      expect(invalidFields(refusal)).toEqual(['policy_id', 'policy_number']);
    }
  });
});

describe('An invalid body', () => {
  test('names every invalid field', async () => {
    const body = {
      preferred_policy_start_date: '2027-02-30',
      policy_duration: 366,
      include_additional_coverage: true,
      modify_exisitng_coverage: true,
      auto_renew: 'yes',
      unknown: 1,
    };
    expect(invalidFields(await harness.expectRefusal(renewPolicy, body)).sort()).toEqual([
      'auto_renew',
      'coverage_details',
      'modify_exisitng_coverage',
      'policy_duration',
      'policy_id',
      'preferred_policy_start_date',
      'unknown',
    ]);
  });

  test('rejects details that nest too deeply', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as object;
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ coverage_details: deep }));
    expect(invalidFields(refusal)).toEqual(['coverage_details']);
  });
});
