import { beforeEach, describe, expect, test } from '@jest/globals';
import { productStream } from '#domain/product/product.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { givenMerchants, importRow, policyRow } from '#test/support/imports.ts';
import { importPolicyTerm } from './import-policy-term.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

const invalidFieldsOf = async (row: object) => invalidFields(await harness.expectRefusal(importPolicyTerm, row));

describe('A row that names its coverages', () => {
  const coverages = ['Fire', 'Third party'].map((name) => ({ name, type: null, limit: null, deductible: null }));

  test('gives them to its term alone, whatever its premiums and its product say', async () => {
    const { events } = await importRow(harness, { coverages: ' Fire;Third party ' });
    expect(events[0]?.data).toMatchObject({ term: { periods: [{ coverages }] } });
    const { product, provider } = events[0]!.data as {
      readonly product: { id: string };
      readonly provider: { id: string };
    };
    const changes = {
      coverages: [{ name: 'Glass', coverageId: 'c', description: null, type: null, limit: null, deductible: null }],
    };
    const data = { productId: product.id, providerId: provider.id, visibility: 'both', changes };
    await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
    const named = { term_from: '2027-01-01', term_through: '2027-12-31', coverages: 'Fire;Third party' };
    expect((await importRow(harness, named)).events[0]?.data).toMatchObject({ term: { periods: [{ coverages }] } });
    const unnamed = { term_from: '2028-01-01', term_through: '2028-12-31', coverages: '' };
    const { events: later } = await importRow(harness, unnamed);
    expect(later[0]?.data).toMatchObject({ term: { periods: [{ coverages: [{ name: 'Glass' }] }] } });
  });

  test.each([
    ['Fire;;Theft', 'a name must not be blank'],
    ['Fire;', 'a name must not be blank'],
    ['Fire; FIRE', 'has a name twice'],
    ['a'.repeat(256), 'a name must have at most 255 characters'],
    ['a\nb', 'a name must not contain control characters'],
    [Array.from({ length: 101 }, (_, index) => `c${index}`).join(';'), 'must have at most 100 names'],
    [
      Array.from({ length: 80 }, (_, index) => `${index + 10}${'a'.repeat(249)}`).join(';'),
      'must have names of at most 20000 characters in all',
    ],
  ])('is refused with %j', async (cell, message) => {
    const { fields } = await harness.expectRefusal(importPolicyTerm, policyRow({ coverages: cell }));
    expect(fields).toEqual([{ field: 'coverages', message }]);
  });
});

describe('A row with additional columns', () => {
  /** Columns besides the four of every row. */
  const additional = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`risk_${index}`, '1']));

  test('is accepted with up to 200 of them', async () => {
    await importRow(harness, additional(196));
    const row = policyRow({ policy_number: 'POL-2', ...additional(197) });
    const refusal = await harness.expectRefusal(importPolicyTerm, row);
    expect(refusal.code).toBe('invalid_request');
  });

  test('ignores empty cells', async () => {
    const { events } = await importRow(harness, { risk_driver_age: '', premium_theft: '' });
    expect(events[0]?.data).toMatchObject({ risk: {}, premiumParts: { fire: '15.00', third_party: '350.00' } });
    expect(events[0]?.data).not.toMatchObject({ premiumParts: { theft: expect.anything() } });
  });
});

describe('A row', () => {
  test('takes amounts as numbers and texts, and empty cells as none', async () => {
    const row = { ...policyRow(), premium: 120, tax: 20.5, commission: '', auto_renew: '', cancelled_on: ' ' };
    const { events } = await harness.run(importPolicyTerm, row);
    expect(events).toMatchObject([
      { data: { autoRenew: false, term: { premium: '120.00', tax: '20.50', net: '99.50', commission: null } } },
    ]);
  });
});

describe('An invalid row', () => {
  test('names every invalid field', async () => {
    const { product_name: _, ...row } = policyRow({
      customer_email: 'nobody',
      customer_date_of_birth: '1980-02-30',
      premium: '-1.00',
      premium_theft: 'x',
      premium_: '1.00',
      product_type: 'Car',
      currency: 'eur',
      tax: '-1',
      auto_renew: 'yes',
      term_from: '2026-13-01',
      colour: 'red',
    });
    expect((await invalidFieldsOf(row)).sort()).toEqual([
      'auto_renew',
      'colour',
      'currency',
      'customer_date_of_birth',
      'customer_email',
      'premium',
      'premium_',
      'premium_theft',
      'product_name',
      'product_type',
      'tax',
      'term_from',
    ]);
  });
});

describe('A number that differs from a known one by case alone', () => {
  const PERSON = { customer_reference: 'C-2', customer_name: 'Bola Ade', customer_email: 'bola@customers.example' };
  const LATER = { term_from: '2027-01-01', term_through: '2027-12-31' };

  test.each(['pol-1', 'Pol-1', 'POL-\u200b1'])(
    'is refused, because it may be that of another person: %j',
    async (policy_number) => {
      await importRow(harness);
      const before = await harness.log();
      const refusal = await harness.expectRefusal(importPolicyTerm, policyRow({ ...PERSON, ...LATER, policy_number }));
      expect(refusal).toMatchObject({
        code: 'number_differs_by_case',
        fields: [{ field: 'policy_number', message: 'differs from the known POL-1 by case alone' }],
      });
      expect(await harness.log()).toEqual(before);
    },
  );

  test('is refused when it is imported at the same time', async () => {
    let concurrent: Promise<unknown> | undefined;
    harness.eventStore.beforeAppend = async (stream) => {
      if (concurrent !== undefined || !stream.startsWith('policyNumber-')) return;
      concurrent = Promise.resolve();
      concurrent = importRow(harness);
      await concurrent;
    };
    const row = policyRow({ ...PERSON, ...LATER, policy_number: 'pol-1' });
    expect((await harness.expectRefusal(importPolicyTerm, row)).code).toBe('number_differs_by_case');
    const policies = (await harness.log()).filter(({ stream }) => stream.startsWith('policy-'));
    expect(policies.map(({ type }) => type)).toEqual(['PolicyImported']);
  });
});

describe('A term of more than 3,660 days', () => {
  test.each([
    ['2026-01-01', '9999-12-31', false],
    ['2026-01-01', '2036-01-09', false],
    ['2026-01-01', '2036-01-08', true],
  ])('is refused: from %s through %s is taken: %p', async (term_from, term_through, isTaken) => {
    const row = { term_from, term_through };
    if (isTaken) expect((await importRow(harness, row)).events).toHaveLength(1);
    else {
      const { fields } = await harness.expectRefusal(importPolicyTerm, policyRow(row));
      expect(fields).toEqual([{ field: 'term_through', message: 'must not be after the day 3660 of the term' }]);
    }
  });
});
