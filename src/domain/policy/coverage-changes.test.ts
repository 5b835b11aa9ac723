import { describe, expect, jest, test } from '@jest/globals';
import { formatExact, fraction, parseFraction, ZERO } from '../values/fraction.ts';
import { parseMoney } from '../values/money.ts';
import { type CoverageChange, changesOf } from './coverage-changes.ts';
import { type Coverage, newCoverage } from './term.ts';

const GLASS = {
  ...newCoverage('Glass', 'comprehensive'),
  limit: '1000.00',
  deductible: '50.00',
  coveredItems: '["roof"]',
};
const FIRE = newCoverage('Fire', 'peril');
const HAIL = newCoverage('Hail', 'Peril');
const TEN_PERCENT = fraction(1n, 10n);

type Asked = Partial<Omit<CoverageChange, 'additionalAmount'>> & { readonly amount?: string };
/** Makes changes of an annual net price of 100.00. */
function change(asked: readonly Asked[], taxRate = ZERO, coverages: readonly Coverage[] = [GLASS, FIRE, HAIL]) {
  const changes = asked.map(({ amount = '0', ...each }, index) => ({
    action: 'modify' as const,
    field: `changes.${index}`,
    name: undefined,
    type: undefined,
    ...each,
    additionalAmount: parseMoney(amount),
  }));
  return changesOf(changes)({ coverages, annualNet: parseFraction('100.00') }, taxRate);
}
const namesAfter = (...asked: readonly Asked[]) => change(asked).coverages.map(({ name }) => name);
const wrong = (field: string, message: string) =>
  expect.objectContaining({ code: 'invalid_request', fields: [{ field, message }] });

describe('A coverage is found', () => {
  test.each([
    ['by its name without case', { name: ' gLASS ' }, 'Glass'],
    ['by its name, whatever the type is', { name: 'Fire', type: 'comprehensive' }, 'Fire'],
    ['by its name, given as type', { type: 'FIRE' }, 'Fire'],
    ['by a type that one coverage has', { type: 'Comprehensive' }, 'Glass'],
  ])('%s', (_how, asked, name) => {
    expect(namesAfter({ action: 'remove', ...asked })).not.toContain(name);
    expect(namesAfter({ action: 'remove', ...asked })).toHaveLength(2);
  });

  test('among the names before the types', () => {
    const coverages = [newCoverage('Glass', 'fire'), newCoverage('Fire', 'peril')];
    expect(change([{ action: 'remove', type: 'fire' }], ZERO, coverages).coverages).toEqual([coverages[0]]);
  });

  test.each([
    ['a name that is a type', { name: 'comprehensive' }, 'coverage_name', 'must be the name of a coverage'],
    [
      'an unknown name, whatever the type is',
      { name: 'x', type: 'Fire' },
      'coverage_name',
      'must be the name of a coverage',
    ],
    ['an unknown type', { type: 'x' }, 'coverage_type', 'must be the name or the type of exactly one coverage'],
    ['a type of several', { type: 'peril' }, 'coverage_type', 'must be the name or the type of exactly one coverage'],
  ])('never by %s', (_how, asked, field, message) => {
    for (const action of ['modify', 'remove'] as const)
      expect(() => change([{ action, ...asked }])).toThrow(wrong(`changes.0.${field}`, `${message} of the policy`));
  });
});

describe('An added coverage', () => {
  test('has what is given, and its type as name where none is given', () => {
    const [, , , radio, tyres] = change([
      { action: 'add', type: 'radio', limit: '10.00', deductible: '1.00', coveredItems: '{}' },
      { action: 'add', name: 'tyres' },
    ]).coverages;
    expect(radio).toEqual({ name: 'radio', type: 'radio', limit: '10.00', deductible: '1.00', coveredItems: '{}' });
    expect(tyres).toEqual(newCoverage('tyres'));
    expect(change([{ action: 'add', name: 'Radio', type: 'peril' }]).coverages.at(-1)).toEqual(
      newCoverage('Radio', 'peril'),
    );
  });

  test('needs a new name, and may have a type that another has', () => {
    const message = 'is the name of a coverage of the policy already; modify it instead';
    expect(() => change([{ action: 'add', name: 'FIRE' }])).toThrow(wrong('changes.0.coverage_name', message));
    expect(() => change([{ action: 'add', type: 'fire' }])).toThrow(wrong('changes.0.coverage_type', message));
    const twice = { action: 'add', name: 'radio' } as const;
    expect(() => change([twice, twice])).toThrow(wrong('changes.1.coverage_name', message));
    expect(namesAfter({ action: 'add', type: 'comprehensive' })).toContain('comprehensive');
  });
});

describe('A modified coverage', () => {
  test('keeps what is absent, and is cleared of what is null', () => {
    const modified = (asked: Asked) => change([{ name: 'glass', ...asked }]).coverages[0];
    expect(modified({})).toEqual(GLASS);
    expect(modified({ type: 'other', limit: '5.00' })).toEqual({ ...GLASS, limit: '5.00' });
    expect(modified({ deductible: '5.00', coveredItems: '1' })).toEqual({
      ...GLASS,
      deductible: '5.00',
      coveredItems: '1',
    });
    const { coveredItems: _, ...bare } = { ...GLASS, limit: null, deductible: null };
    expect(modified({ limit: null, deductible: null, coveredItems: null })).toEqual(bare);
  });
});

describe('The annual net price', () => {
  const after = (taxRate: typeof ZERO, ...amounts: readonly string[]) =>
    formatExact(
      change(
        amounts.map((amount) => ({ name: 'fire', amount })),
        taxRate,
      ).annualNet,
    );

  test.each([
    [ZERO, ['36.50'], '136.50'],
    [ZERO, ['-36.50'], '63.50'],
    [TEN_PERCENT, ['11.00'], '110.00'],
    [TEN_PERCENT, ['-11.00'], '90.00'],
    [TEN_PERCENT, ['0.01'], '100.01'],
    [fraction(1n, 1n), ['0.01'], '100.01'],
    [fraction(1n, 1n), ['-0.01'], '99.99'],
    [TEN_PERCENT, ['0.05', '0.05'], '100.10'],
    [ZERO, ['-100.00'], '0.00'],
    [ZERO, ['-150.00', '60.00'], '10.00'],
  ])('at the tax rate %p changes by each amount less its tax, rounded: %p makes %s', (rate, amounts, annual) => {
    expect(after(rate, ...amounts)).toBe(annual);
  });

  test('is not below 0.00 after all changes', () => {
    const message = 'would make the annual price negative';
    expect(() => after(ZERO, '-150.00', '49.99')).toThrow(wrong('changes.1.additional_amount', message));
  });
});

test('changes apply in turn, and leave at least one coverage', () => {
  expect(
    namesAfter(
      { action: 'add', name: 'radio' },
      { action: 'remove', name: 'glass' },
      { action: 'remove', type: 'peril', name: 'fire' },
      { action: 'remove', type: 'peril' },
    ),
  ).toEqual(['radio']);
  const all = ['glass', 'fire', 'hail'].map((name) => ({ action: 'remove', name }) as const);
  expect(() => namesAfter(...all)).toThrow(wrong('changes.2', 'would leave the policy without a coverage'));
  expect(namesAfter(...all, { action: 'add', name: 'radio' })).toEqual(['radio']);
});

test('Changes of many terms normalise each name once', () => {
  const coverages = Array.from({ length: 100 }, (_, index) => newCoverage(`part ${index}`, 'peril'));
  const changes = coverages.slice(0, 20).map(({ name }, index) => ({
    action: 'modify' as const,
    field: `changes.${index}`,
    name,
    type: undefined,
    limit: '1.00',
    additionalAmount: 0n,
  }));
  const normalize = jest.spyOn(String.prototype, 'normalize');
  const changeTerm = changesOf(changes);
  for (let term = 0; term < 10; term += 1) changeTerm({ coverages, annualNet: ZERO }, ZERO);
  const calls = normalize.mock.calls.length;
  normalize.mockRestore();
  expect(calls).toBeLessThanOrEqual(101);
});
