import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addDays } from '../values/dates.ts';
import {
  activeRuns,
  type Cover,
  coveredRuns,
  coverOn,
  hasBegun,
  isEndShown,
  countsAsActive,
  isCovered,
  isInForce,
  lastViewChange,
  nextViewChange,
  shownTerm,
  statusOn,
  termState,
} from './cover.ts';
import type { End } from './policy.ts';
import { contains, type DayRange, daysOf, periodOn, type Term, yearFrom } from './term.ts';

const withdrawn = (days: DayRange) => ({ ...days, isWithdrawn: true });
const year = (of: number) => yearFrom(`${of}-01-01`);
/** Two periods; a term of one day has one. */
const halvesOf = ({ from, through }: DayRange): readonly DayRange[] => {
  const second = addDays(from, Math.ceil(daysOf({ from, through }) / 2));
  const first = { from, through: addDays(second, -1) };
  return second > through ? [first] : [first, { from: second, through }];
};
/** A policy with what the rules of cover read. */
const coverOf = (terms: readonly (DayRange & { isWithdrawn?: boolean })[], changes: Partial<Cover> = {}): Cover => ({
  terms: terms.map((term) => ({ isWithdrawn: false, periods: halvesOf(term), ...term }) as Term),
  status: 'active',
  waits: false,
  end: null,
  ...changes,
});
const endOn = (day: string, decidedOn = day, changes: Partial<End> = {}): { readonly end: End } => ({
  end: { kind: 'cancelled', day, decidedOn, refundRule: 'pro_rata', ...changes } as End,
});
const statesOn = (cover: Cover, day: string) => cover.terms.map((term) => termState(cover, term, day));

const TERMS = [year(2024), year(2026), year(2027)];
const gap = coverOf(TERMS);
const ended = coverOf(TERMS, endOn('2026-05-05'));
const waiting = coverOf([year(2026)], { status: 'accepted', waits: true });
const declined = coverOf([year(2026)], {
  status: 'accepted',
  ...endOn('2025-12-01', '2025-12-01', { kind: 'declined' }),
});

describe('A policy is in force', () => {
  test.each([
    ['2023-12-31', false],
    ['2024-01-01', true],
    ['2024-12-31', true],
    ['2025-06-01', false],
    ['2027-12-31', true],
    ['2028-01-01', false],
  ])('on the days of its terms: %s %p', (day, inForce) => {
    expect(isInForce(gap, day)).toBe(inForce);
  });

  test.each([
    ['2024-05-06', true],
    ['2026-05-05', true],
    ['2026-05-06', false],
    ['2027-05-06', false],
  ])('through the day of its end: %s %p', (day, inForce) => {
    expect(isInForce(ended, day)).toBe(inForce);
    expect(isInForce(coverOf(TERMS, endOn('2026-05-05', '2026-01-01')), day)).toBe(inForce);
  });

  test('never while it waits, after a decline, in a withdrawn term, and in one before whose first day it ended', () => {
    for (const cover of [
      waiting,
      declined,
      coverOf([withdrawn(year(2026)), year(2027)]),
      coverOf([year(2026)], endOn('2025-12-31', '2026-06-01')),
    ])
      expect([isInForce(cover, '2026-01-01'), isInForce(cover, '2026-06-01')]).toEqual([false, false]);
  });

  test('without covering an incident of a first term that was taken back in the cooling-off time', () => {
    const cooling = coverOf([year(2026)], endOn('2026-01-10', '2026-01-10', { refundRule: 'cooling_off' }));
    expect([isInForce(cooling, '2026-01-05'), isCovered(cooling, '2026-01-05')]).toEqual([true, false]);
    expect([isCovered(ended, '2026-05-05'), isCovered(ended, '2026-05-06')]).toEqual([true, false]);
  });
});

describe('The cover of a policy', () => {
  test.each([
    ['2023-12-31', 'not_begun'],
    ['2024-06-01', 'in_force'],
    ['2025-01-01', 'gap'],
    ['2026-01-01', 'in_force'],
    ['2027-12-31', 'in_force'],
    ['2028-01-01', 'expired'],
  ])('follows its terms: %s %p', (day, state) => {
    expect(coverOn(gap, day)).toBe(state);
  });

  test('is in force through the last day of an end, then cancelled', () => {
    const days = ['2026-05-05', '2026-05-06', '2029-01-01'];
    expect(days.map((day) => coverOn(ended, day))).toEqual(['in_force', 'cancelled', 'cancelled']);
    expect(coverOn(declined, '2025-12-01')).toBe('cancelled');
  });

  test('waits for an activation, also after the first day, until the policy ends', () => {
    const states = ['2025-06-01', '2027-06-01'].map((day) => coverOn(waiting, day));
    expect(states).toEqual(['waiting', 'waiting']);
    expect(coverOn({ ...waiting, ...endOn('2026-06-01') }, '2026-06-01')).toBe('cancelled');
  });

  test('is over where the next term was withdrawn, or does not begin before the end', () => {
    expect(coverOn(coverOf([year(2024), withdrawn(year(2026))]), '2025-06-01')).toBe('expired');
    const early = coverOf([year(2024), year(2026)], endOn('2025-12-01', '2024-02-01'));
    expect(['2025-06-01', '2025-12-02'].map((day) => coverOn(early, day))).toEqual(['expired', 'cancelled']);
  });
});

describe('The states of terms', () => {
  test.each([
    ['2023-06-01', ['upcoming', 'upcoming', 'upcoming']],
    ['2024-06-01', ['in_force', 'upcoming', 'upcoming']],
    ['2025-06-01', ['past', 'upcoming', 'upcoming']],
    ['2027-01-01', ['past', 'past', 'in_force']],
    ['2028-01-01', ['past', 'past', 'past']],
  ])('follow the day: %s', (day, states) => {
    expect(statesOn(gap, day)).toEqual(states);
  });

  test('follow the end of the policy', () => {
    const early = coverOf(TERMS, endOn('2026-05-05', '2026-02-01'));
    for (const cover of [ended, early]) {
      expect(statesOn(cover, '2026-05-05')).toEqual(['past', 'in_force', 'cancelled']);
      expect(statesOn(cover, '2026-05-06')).toEqual(['past', 'past', 'cancelled']);
    }
    expect(statesOn(coverOf(TERMS, endOn('2025-12-31', '2026-05-05')), '2026-05-06')).toEqual([
      'past',
      'cancelled',
      'cancelled',
    ]);
  });

  test('are upcoming while the policy waits, cancelled when it then ends, and withdrawn', () => {
    expect(statesOn(waiting, '2027-06-01')).toEqual(['upcoming']);
    expect(statesOn({ ...waiting, ...endOn('2026-06-01') }, '2026-06-01')).toEqual(['cancelled']);
    expect(statesOn(declined, '2025-12-01')).toEqual(['cancelled']);
    const again = coverOf([year(2026), withdrawn(year(2027)), year(2027)]);
    expect(statesOn(again, '2027-06-01')).toEqual(['past', 'withdrawn', 'in_force']);
    expect(again.terms.map((term) => hasBegun(again, term, '2027-06-01'))).toEqual([true, false, true]);
  });
});

describe('The shown term', () => {
  const shownOn = (cover: Cover, day: string) => shownTerm(cover, day).from.slice(0, 4);

  test.each([
    ['2023-06-01', '2024'],
    ['2024-06-01', '2024'],
    ['2025-06-01', '2024'],
    ['2026-01-01', '2026'],
    ['2030-01-01', '2027'],
  ])('on %s is the one of the day, else the last that has begun, else the first: %s', (day, of) => {
    expect(shownOn(gap, day)).toBe(of);
  });

  test('is the last that has begun after the end, and the first that was not withdrawn where none has', () => {
    expect([shownOn(ended, '2026-06-01'), shownOn(ended, '2028-01-01')]).toEqual(['2026', '2026']);
    expect(shownOn(coverOf([withdrawn(year(2025)), ...waiting.terms], { waits: true }), '2027-06-01')).toBe('2026');
    expect(shownOn(coverOf(TERMS.slice(1), endOn('2025-12-31', '2026-05-05')), '2027-06-01')).toBe('2026');
  });
});

describe('An end', () => {
  const shownOn = (day: string, decidedOn: string) =>
    ['2026-05-04', '2026-05-05', '2026-05-06'].map((on) => isEndShown(endOn(day, decidedOn), on));

  test('is shown from the next day, or on its day if it was decided on it or later', () => {
    expect(shownOn('2026-05-05', '2026-05-04')).toEqual([false, false, true]);
    expect(shownOn('2026-05-05', '2026-05-05')).toEqual([false, true, true]);
    expect(shownOn('2026-05-05', '2026-05-06')).toEqual([false, true, true]);
  });

  test('to come leaves the status as it is', () => {
    const early = coverOf(TERMS, endOn('2026-05-05', '2026-02-01'));
    expect([statusOn(early, '2026-05-05'), statusOn(early, '2026-05-06')]).toEqual(['active', 'cancelled']);
    expect([countsAsActive(early, '2026-05-05'), countsAsActive(ended, '2026-05-05')]).toEqual([true, false]);
    expect([statusOn(waiting, '2027-06-01'), statusOn(gap, '2029-01-01')]).toEqual(['accepted', 'active']);
  });
});

const DAYS = 60;
const day = (offset: number): string => addDays('2026-01-01', offset);
const ALL_DAYS = Array.from({ length: DAYS + 40 }, (_, offset) => day(offset - 5));
const offset = fc.nat(DAYS - 1);
/** Terms that do not overlap, as of a policy; between them are gaps or none. */
const anyTerms = fc
  .array(fc.record({ gap: fc.nat(5), length: fc.integer({ min: 1, max: 15 }), isWithdrawn: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((lengths) => {
    let next = 0;
    return lengths.map(({ gap: days, length, isWithdrawn }, index) => {
      const from = next + days;
      next = from + length;
      return { from: day(from), through: day(next - 1), isWithdrawn: isWithdrawn && index > 0 };
    });
  });
const anyEnd = fc
  .record({ kind: fc.constantFrom('cancelled' as const, 'declined' as const), on: offset, decided: offset })
  .map(({ kind, on, decided }) => endOn(day(on), day(kind === 'declined' ? on : decided), { kind }).end);
const anyCover = fc
  .record({ terms: anyTerms, waits: fc.boolean(), end: fc.option(anyEnd) })
  .map(({ terms, ...changes }) => coverOf(terms, changes));

test.each([
  ['active runs', 'counts as active', activeRuns, countsAsActive],
  ['covered runs', 'covers incidents', coveredRuns, isCovered],
] as const)(
  'the %s have exactly the days on which a policy %s, with a gap between them',
  (_runs, _does, runsOf, is) => {
    fc.assert(
      fc.property(anyCover, (cover) => {
        const runs = runsOf(cover);
        expect(ALL_DAYS.filter((on) => runs.some((run) => contains(run, on)))).toEqual(
          ALL_DAYS.filter((on) => is(cover, on)),
        );
        for (const [index, { from }] of runs.entries())
          expect(from > addDays(runs[index - 1]?.through ?? '2000-01-01', 1)).toBe(true);
      }),
      { numRuns: 500 },
    );
  },
);

test('between two days on which the calendar changes the view, shown term, period, status, cover and states of terms stay, and both searches name these days', () => {
  fc.assert(
    fc.property(anyCover, (cover) => {
      const shownOn = (on: string) => {
        const term = shownTerm(cover, on);
        const period = hasBegun(cover, term, on) ? periodOn(term, on).from : '';
        return [term.from, period, isEndShown(cover, on), coverOn(cover, on), statesOn(cover, on)].join();
      };
      const wrong = ALL_DAYS.filter((on) => {
        const last = lastViewChange(cover, on) ?? ALL_DAYS[0] ?? '';
        if (last > on || shownOn(last) !== shownOn(on)) return true;
        return last !== ALL_DAYS[0] && nextViewChange(cover, addDays(last, -1)) !== last;
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a term without an end is one run', () => {
  expect(activeRuns(coverOf([{ from: '2026-01-01', through: '9999-12-31' }]))).toEqual([
    { from: '2026-01-01', through: '9999-12-31' },
  ]);
});
