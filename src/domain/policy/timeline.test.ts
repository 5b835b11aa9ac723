import { describe, expect, test } from '@jest/globals';
import { ratedTerm } from '#test/support/policy-events.ts';
import { formatMoney, parseMoney } from '../values/money.ts';
import { fraction, parseFraction, plus } from '../values/fraction.ts';
import { addDays } from '../values/dates.ts';
import { type AgreedTerm, isStorable, newTerm, overlap, type Term, termDays, yearFrom } from './term.ts';
import { type ChangeCover, changedTerm, earnedCommission, earnedNet, importedTerm, moveTerm } from './timeline.ts';

const COVERAGES = [{ name: 'fire', type: null, limit: null, deductible: null }];
/** The rating of the first example in docs/insurance.md#rating-and-price. */
const EXAMPLE = { surcharge: '500.00', tax_percent: '7.5', commission_percent: '10' };
const priced = (from: string, days: number | 'year', annual: string, rating: object = {}): AgreedTerm =>
  ratedTerm(from, days, { annual, rating, coverages: COVERAGES });
const TOO_DEAR = expect.objectContaining({ code: 'premium_out_of_range' });
const asTerm = (term: AgreedTerm): Term => newTerm(term, 'a');
const earned = (term: AgreedTerm, through: string) => formatMoney(earnedNet(term, through));
const days = ({ from, through }: AgreedTerm) => [from, through];

describe('The days of a term', () => {
  test.each([
    ['2026-03-01', '2027-02-28'],
    ['2027-03-01', '2028-02-29'],
    ['2028-02-29', '2029-02-28'],
    ['2028-03-01', '2029-02-28'],
    ['2026-01-01', '2026-12-31'],
    ['0999-06-01', '1000-05-31'],
  ])('of a year from %s are those through %s', (from, through) => {
    expect(yearFrom(from)).toEqual({ from, through });
    expect([365, 366, 800].map((length) => termDays(from, length))).toEqual(
      [365, 366, 800].map(() => ({ from, through })),
    );
    expect(isStorable({ from, through })).toBe(true);
  });

  test('of another duration are as many', () => {
    expect(termDays('2027-03-01', 364)).toEqual({ from: '2027-03-01', through: '2028-02-27' });
  });

  test('of a year that the calendar does not have cannot be stored', () => {
    for (const from of ['9999-01-01', '9999-06-30']) expect(isStorable(yearFrom(from))).toBe(false);
    expect(isStorable(termDays('9999-12-01', 30))).toBe(true);
    for (const length of [31, 60]) expect(isStorable(termDays('9999-12-01', length))).toBe(false);
  });

  test.each([
    ['2026-01-31', '2026-02-28', true],
    ['2026-02-01', '2026-02-28', false],
    ['2025-12-01', '2025-12-31', false],
    ['2025-01-01', '2027-01-01', true],
  ])('from %s through %s share one with January 2026: %p', (from, through, shared) => {
    const january = termDays('2026-01-01', 31);
    expect([overlap(january, { from, through }), overlap({ from, through }, january)]).toEqual([shared, shared]);
  });
});

describe('The price of a term', () => {
  test.each([
    ['a year', '2026-03-01', 'year', { net: '39900.00', tax: '3030.00', commission: '3990.00', premium: '43430.00' }],
    ['a year with 29 February', '2027-03-01', 'year', { net: '39900.00', tax: '3030.00', premium: '43430.00' }],
    ['365 days of a longer year', '2027-03-01', 365, { net: '39900.00', premium: '43430.00' }],
    ['73 days', '2026-03-01', 73, { net: '7980.00', tax: '636.00', commission: '798.00', premium: '9116.00' }],
    ['364 days', '2026-03-01', 364, { net: '39790.68', tax: '3021.80', commission: '3979.07', premium: '43312.48' }],
  ] as const)('of %s has its days, the whole fee, tax and commission', (_of, from, length, price) => {
    expect(priced(from, length, '39900.00', EXAMPLE)).toMatchObject({ fee: '500.00', ...price });
  });

  test.each(['year', 1, 73] as const)('is at least the minimum with the whole fee: %p', (length) => {
    const term = priced('2026-03-01', length, '10.00', {
      minimum_premium: '500.00',
      surcharge: '50.00',
      tax_percent: '20',
    });
    expect(term).toMatchObject({ premium: '660.00', net: '500.00', fee: '50.00', tax: '110.00' });
    expect(term.periods).toEqual([
      { ...termDays(term.from, 1), through: term.through, coverages: COVERAGES, annualNet: '10.00', net: '500.00' },
    ]);
  });

  test('rounds a half away from zero', () => {
    const tenth = { tax_percent: '0.5', commission_percent: '2.5' };
    expect(priced('2026-03-01', 'year', '1.00', tenth)).toMatchObject({ tax: '0.01', commission: '0.03' });
  });

  test('has at most 8 integer digits, while a year may cost more', () => {
    expect(priced('2026-03-01', 1, '36499999996.35')).toMatchObject({ premium: '99999999.99' });
    expect(() => priced('2026-03-01', 1, '36500000000.00')).toThrow(TOO_DEAR);
    expect(() => priced('2026-03-01', 'year', '99999999.99', { surcharge: '0.01' })).toThrow(TOO_DEAR);
  });
});

describe('The earned net price', () => {
  test('grows by the day, from nothing to the whole', () => {
    const term = priced('2027-03-01', 'year', '39900.00', EXAMPLE);
    expect(earned(term, '2027-02-28')).toBe('0.00');
    expect(earned(term, addDays('2027-03-01', 72))).toBe('7958.20');
    expect([earned(term, term.through), earned(term, '2030-01-01')]).toEqual(['39900.00', '39900.00']);
    expect(formatMoney(earnedCommission(term, parseMoney('7958.20')))).toBe('795.82');
  });

  test('of nothing is nothing, and so is its commission', () => {
    const term = priced('2026-03-01', 'year', '0.00', EXAMPLE);
    expect([earned(term, '2026-06-01'), earnedCommission(term, 0n)]).toEqual(['0.00', 0n]);
  });
});

describe('An imported term', () => {
  const imported = (premium: string, tax: string | null, commission: string | null, length = 73) =>
    importedTerm(termDays('2026-01-01', length), { premium, tax, commission }, COVERAGES);

  test('has the rates and the annual net price that its amounts have, exactly', () => {
    expect(imported('120.00', '20.00', '12.50')).toMatchObject({
      premium: '120.00',
      net: '100.00',
      fee: '0.00',
      tax: '20.00',
      commission: '12.50',
      minimum: '0.00',
      taxRate: '0.20',
      commissionRate: '1/8',
      periods: [{ annualNet: '500.00', net: '100.00' }],
    });
    expect(imported('100.00', null, null, 30)).toMatchObject({
      net: '100.00',
      tax: null,
      commission: null,
      taxRate: null,
      commissionRate: null,
      periods: [{ annualNet: '3650/3', net: '100.00' }],
    });
    expect(imported('0.00', '0.00', '0.00')).toMatchObject({ taxRate: '0', commissionRate: '0', net: '0.00' });
  });

  test('keeps its rates when it is changed', () => {
    const change: ChangeCover = ({ coverages, annualNet }) => ({ coverages, annualNet: plus(annualNet, TEN) });
    const changed = (term: AgreedTerm) =>
      changedTerm(asTerm(term), change, '2026-01-01', { minimumRetained: '0.00', isKept: false });
    expect(changed(imported('120.00', '20.00', '12.50'))).toMatchObject({
      net: '102.00',
      tax: '20.40',
      commission: '12.75',
      premium: '122.40',
    });
    expect(changed(imported('100.00', null, null))).toMatchObject({ premium: '102.00', tax: null, commission: null });
  });
});
const TEN = fraction(10n, 1n);

test('a moved term keeps its amounts', () => {
  const term = asTerm(priced('2026-03-05', 30, '365.00'));
  expect(moveTerm(term, termDays('2026-04-20', 30))).toEqual({
    ...term,
    from: '2026-04-20',
    through: '2026-05-19',
    periods: [{ ...term.periods[0], from: '2026-04-20', through: '2026-05-19' }],
  });
});

describe('A change of a term', () => {
  /** Changes the annual net price of a term on days, one after another. */
  const changeTo = (
    term: AgreedTerm,
    changes: readonly (readonly [string, string])[],
    minimumRetained = '0.00',
    isKept = false,
  ) =>
    changes.reduce<Term>((before, [day, annual]) => {
      const to: ChangeCover = ({ coverages }) => ({ coverages, annualNet: parseFraction(annual) });
      const after = changedTerm(before, to, day, { minimumRetained, isKept });
      const changed = { ...before, ...after };
      return day < before.from ? changed : { ...changed, netAtStart: before.netAtStart ?? before.net };
    }, asTerm(term));
  const periods = (term: AgreedTerm) => term.periods.map(({ from, annualNet, net }) => [from, annualNet, net]);
  const YEAR = priced('2026-01-01', 'year', '365.00', EXAMPLE);

  test('does not lower a price that an end would not return', () => {
    expect(changeTo(YEAR, [['2026-07-01', '36.50']], '0.00', true)).toMatchObject({ net: '365.00' });
    expect(changeTo(YEAR, [['2026-07-01', '401.50']], '0.00', true)).toMatchObject({ net: '383.40' });
    expect(changeTo(YEAR, [['2025-12-31', '36.50']], '0.00', true)).toMatchObject({ net: '36.50' });
  });

  test('in its middle keeps what the days before have earned, and prices the rest by its days', () => {
    const after = changeTo(YEAR, [['2026-07-01', '401.50']]);
    expect(after).toMatchObject({ net: '383.40', fee: '500.00', tax: '66.26', commission: '38.34', premium: '949.66' });
    expect(periods(after)).toEqual([
      ['2026-01-01', '365.00', '181.00'],
      ['2026-07-01', '401.50', '202.40'],
    ]);
    expect(after.periods[0]?.through).toBe('2026-06-30');
    expect([earned(after, '2026-06-30'), earned(after, '2026-07-10')]).toEqual(['181.00', '192.00']);
    expect(days(after)).toEqual(days(YEAR));
  });

  test('counts the days of a year with 29 February', () => {
    const leap = priced('2027-03-01', 'year', '366.00');
    expect(changeTo(leap, [['2027-08-31', '732.00']])).toMatchObject({ net: '549.00' });
  });

  test('replaces the period that an earlier change of the day began', () => {
    const twice = changeTo(YEAR, [
      ['2026-07-01', '1000.00'],
      ['2026-07-01', '401.50'],
    ]);
    expect(twice).toEqual(changeTo(YEAR, [['2026-07-01', '401.50']]));
  });

  test('cuts the period of the day, and leaves those before', () => {
    const after = changeTo(YEAR, [
      ['2026-07-01', '401.50'],
      ['2026-12-22', '0.00'],
    ]);
    expect(periods(after)).toEqual([
      ['2026-01-01', '365.00', '181.00'],
      ['2026-07-01', '401.50', '191.40'],
      ['2026-12-22', '0.00', '0.00'],
    ]);
  });

  test('before its first day and on it prices the whole term', () => {
    for (const day of ['2025-06-01', '2026-01-01']) {
      const after = changeTo(YEAR, [[day, '730.00']]);
      expect(after).toMatchObject({ net: '730.00', tax: '92.25' });
      expect(periods(after)).toEqual([['2026-01-01', '730.00', '730.00']]);
    }
  });

  test('never goes below the minimum of the product', () => {
    const term = priced('2026-01-01', 'year', '730.00', { minimum_premium: '600.00' });
    for (const day of ['2025-06-01', '2026-01-01', '2026-07-01'])
      expect(changeTo(term, [[day, '0.00']])).toMatchObject({ net: '600.00' });
    expect(periods(changeTo(term, [['2026-07-01', '0.00']])).at(-1)).toEqual(['2026-07-01', '0.00', '238.00']);
  });

  test.each([
    ['300.00', '300.00'],
    ['1000.00', '365.00'],
    ['0.00', '181.00'],
  ])('with %s retained never goes below it, or what it began with: %s', (retained, net) => {
    expect(changeTo(YEAR, [['2026-07-01', '0.00']], retained)).toMatchObject({ net });
  });

  test('is bound by what the term began with, after a change before its first day', () => {
    const changes = [
      ['2025-06-01', '200.00'],
      ['2026-01-02', '0.00'],
    ] as const;
    expect(changeTo(YEAR, changes, '1000.00')).toMatchObject({ net: '200.00' });
    expect(changeTo(YEAR, changes)).toMatchObject({ net: '0.55' });
  });

  test('never goes below what is earned, to the cent', () => {
    const changes = [
      ['2026-01-02', '1.84'],
      ['2026-01-03', '0.00'],
    ] as const;
    const after = changeTo(priced('2026-01-01', 'year', '1.83'), changes);
    expect(after.net).toBe('0.02');
    expect(periods(after).map(([, , net]) => net)).toEqual(['0.01', '0.01', '0.00']);
  });

  test('is refused when the term becomes too dear', () => {
    expect(() => changeTo(YEAR, [['2026-07-01', '99999999999.00']])).toThrow(TOO_DEAR);
  });
});
