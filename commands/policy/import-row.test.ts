import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Term } from '../../src/domain/policy/term.ts';
import { productStream } from '../../src/domain/product/product.ts';
import { CommandHarness, invalidFields } from '../../test/support/command-harness.ts';
import { givenMerchants, importRow, policyRow } from '../../test/support/imports.ts';
import { importPolicyTerm } from './import-policy-term.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

const invalidFieldsOf = async (row: object) => invalidFields(await harness.expectRefusal(importPolicyTerm, row));

describe('A row that names its coverages', () => {
  const coverages = ['Fire', 'Third party'].map((name) => ({ name, type: null, limit: null }));

  test('gives them to its term alone, whatever its premiums and its product say', async () => {
    const { events } = await importRow(harness, { coverages: ' Fire;Third party ' });
    expect(events[0]?.data).toMatchObject({ term: { coverages } });
    const { product, provider } = events[0]!.data as {
      readonly product: { id: string };
      readonly provider: { id: string };
    };
    const changes = { coverages: [{ name: 'Glass', coverageId: 'c', description: null, type: null, limit: null }] };
    const data = { productId: product.id, providerId: provider.id, visibility: 'both', changes };
    await harness.given(productStream(product.id), { type: 'ProductUpdated', data });
    const named = { term_from: '2027-01-01', term_through: '2027-12-31', coverages: 'Fire;Third party' };
    expect((await importRow(harness, named)).events[0]?.data).toMatchObject({ term: { coverages } });
    const unnamed = { term_from: '2028-01-01', term_through: '2028-12-31', coverages: '' };
    const { events: later } = await importRow(harness, unnamed);
    expect(later[0]?.data).toMatchObject({ term: { coverages: [{ name: 'Glass' }] } });
  });

  test.each([
    ['Fire;;Theft', 'a name must not be blank'],
    ['Fire;', 'a name must not be blank'],
    ['Fire; FIRE', 'has a name twice'],
    ['a'.repeat(256), 'a name must have at most 255 characters'],
    ['a\nb', 'a name must not contain control characters'],
    [Array.from({ length: 101 }, (_, index) => `c${index}`).join(';'), 'must have at most 100 names'],
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
    const { term } = events[0]!.data as { term: Term };
    expect(term.risk).toEqual({});
    expect(term.premiumParts).toEqual({ fire: '15.00', third_party: '350.00' });
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
      term_from: '2026-13-01',
      colour: 'red',
    });
    expect((await invalidFieldsOf(row)).sort()).toEqual([
      'colour',
      'currency',
      'customer_date_of_birth',
      'customer_email',
      'premium',
      'premium_',
      'premium_theft',
      'product_name',
      'product_type',
      'term_from',
    ]);
  });

  test('names the end of a term that ends before it starts', async () => {
    const row = policyRow({ term_from: '2026-02-02', term_through: '2026-02-01' });
    expect(await invalidFieldsOf(row)).toEqual(['term_through']);
  });

  test('names cells with unpaired surrogates or control characters', async () => {
    const row = policyRow({ customer_name: 'A\u0000', risk_area: '\ud800' });
    expect((await invalidFieldsOf(row)).sort()).toEqual(['customer_name', 'risk_area']);
  });
});
