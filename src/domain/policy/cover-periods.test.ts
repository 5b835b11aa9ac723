import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addDays } from '../values/dates.ts';
import { type Cover, coverPeriods, isInForce, lastCalendarChange, termState } from './cover.ts';

const DAYS = 60;
const day = (offset: number): string => addDays('2026-01-01', offset);
const dayOffset = fc.nat(DAYS - 1);
const anyTerm = fc.record({ from: dayOffset, length: fc.nat(15), isWithdrawn: fc.boolean() });

const anyCover: fc.Arbitrary<Cover> = fc
  .record({
    terms: fc.array(anyTerm, { minLength: 1, maxLength: 6 }),
    coverFrom: fc.option(dayOffset),
    end: fc.option(fc.record({ kind: fc.constantFrom('cancelled' as const, 'declined' as const), day: dayOffset })),
  })
  .map(({ terms, coverFrom, end }) => ({
    terms: terms
      .toSorted((a, b) => a.from - b.from)
      .map(({ from, length, isWithdrawn }) => ({ from: day(from), through: day(from + length), isWithdrawn })),
    coverFrom: coverFrom === null ? null : day(coverFrom),
    end: end && { kind: end.kind, day: day(end.day) },
  }));

test('the periods of cover contain exactly the days on which a policy is in force, with a gap between them', () => {
  fc.assert(
    fc.property(anyCover, (cover) => {
      const periods = coverPeriods(cover);
      for (let offset = -1; offset < DAYS + 20; offset++) {
        const today = day(offset);
        const isCovered = periods.some(({ from, through }) => from <= today && today <= through);
        expect([today, isCovered]).toEqual([today, isInForce(cover, today)]);
      }
      for (const [index, { from }] of periods.entries()) {
        const before = periods[index - 1];
        if (before !== undefined) expect(from > addDays(before.through, 1)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('between two days on which the calendar changes a term, all terms keep their states', () => {
  fc.assert(
    fc.property(anyCover, (cover) => {
      const statesOn = (today: string) => cover.terms.map((term) => termState(cover, term, today)).join();
      const days = Array.from({ length: DAYS + 20 }, (_, offset) => day(offset - 1));
      const wrong = days.filter((today) => {
        const changedOn = lastCalendarChange(cover, today) ?? days[0] ?? '';
        return changedOn > today || statesOn(changedOn) !== statesOn(today);
      });
      expect(wrong).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a term without an end is one period', () => {
  const terms = [
    { from: '2026-01-01', through: '9999-12-31', isWithdrawn: false },
    { from: '2027-01-01', through: '2027-12-31', isWithdrawn: false },
  ];
  expect(coverPeriods({ terms, coverFrom: '2026-01-01', end: null })).toEqual([
    { from: '2026-01-01', through: '9999-12-31' },
  ]);
});
