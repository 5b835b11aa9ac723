import { describe, expect, test } from '@jest/globals';
import { dueChangeOf } from './due.ts';
import type { End } from './policy.ts';
import { type DayRange, type Term, termDays, yearFrom } from './term.ts';

/** Returns what is due on an active policy with these days as its last term that renews automatically. */
const due = (last: DayRange, changes: object = {}) =>
  dueChangeOf({
    terms: [last, { ...yearFrom('2030-01-01'), isWithdrawn: true }].map(
      (term) => ({ isWithdrawn: false, ...term }) as Term,
    ),
    status: 'active',
    waits: false,
    end: null,
    contract: { renewable: true },
    autoRenew: true,
    ...changes,
  });
const renewed = (last: DayRange) => {
  const change = due(last);
  return change?.kind === 'renewal' ? change.term : undefined;
};

describe('An accepted policy', () => {
  test('is activated on its first day, and waits for a person where that is needed', () => {
    const accepted = { status: 'accepted' };
    expect(due(yearFrom('2026-01-01'), accepted)).toEqual({ kind: 'activation', day: '2026-01-01' });
    expect(due(yearFrom('2026-01-01'), { ...accepted, waits: true })).toBeUndefined();
    expect(due(yearFrom('2026-01-01'), { ...accepted, end: {} as End })).toBeUndefined();
  });
});

describe('A policy that renews automatically', () => {
  test.each([
    ['2026-03-01', '2027-02-28', '2027-03-01', '2028-02-29'],
    ['2027-03-01', '2028-02-29', '2028-03-01', '2029-02-28'],
    ['2028-02-29', '2029-02-28', '2029-03-01', '2030-02-28'],
    ['2027-07-01', '2028-06-29', '2028-06-30', '2029-06-29'],
    ['2026-03-01', '2027-03-02', '2027-03-03', '2028-03-02'],
    ['2026-03-01', '2028-11-24', '2028-11-25', '2029-11-24'],
  ])('after the year from %s through %s keeps the date: from %s through %s', (from, through, next, end) => {
    expect(due({ from, through })).toEqual({ kind: 'renewal', day: next, term: { from: next, through: end } });
  });

  test.each([
    [1, 1],
    [30, 30],
    [364, 364],
  ])('after %i days gets %i', (days, next) => {
    const last = termDays('2026-03-01', days);
    expect(renewed(last)).toEqual(termDays(termDays('2026-03-01', days + 1).through, next));
  });

  test.each([
    [termDays('9999-12-27', 2), termDays('9999-12-29', 2)],
    [termDays('9999-12-28', 2), undefined],
    [termDays('9999-12-30', 2), undefined],
    [yearFrom('9997-12-31'), yearFrom('9998-12-31')],
    [yearFrom('9998-06-30'), undefined],
    [yearFrom('9998-01-01'), undefined],
  ])('after %j renews only within the calendar', (last, next) => {
    expect(renewed(last)).toEqual(next);
  });

  test('does not where it is switched off, not renewable, or has ended', () => {
    for (const changes of [
      { autoRenew: false },
      { contract: { renewable: false } },
      { end: {} as End },
      { waits: true },
    ])
      expect(due(yearFrom('2026-01-01'), changes)).toBeUndefined();
  });
});
