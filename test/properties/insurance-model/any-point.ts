import * as fc from 'fast-check';
import type { Book } from './book.ts';
import { localDay, plus } from './days.ts';
import type { PointInTime } from './point-in-time.ts';

/** A day beside one that matters, or none; and an instant of a step, or the millisecond before it. */
export interface AnyPoint {
  readonly day: { readonly which: number; readonly offset: number } | null;
  readonly instant: { readonly which: number; readonly isBefore: boolean };
}

export const anyPoint: fc.Arbitrary<AnyPoint> = fc.record({
  day: fc.option(fc.record({ which: fc.nat(40), offset: fc.integer({ min: -1, max: 1 }) }), { freq: 5 }),
  instant: fc.record({
    which: fc.oneof(fc.constant(0), fc.nat(30)),
    isBefore: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }),
});

/** Returns days on which something of the book changes. */
function daysOf({ policies, claims, harness }: Book): readonly string[] {
  const ofPolicies = policies.flatMap(({ model }) => [
    ...model.terms.flatMap((term) => [term.recorded.day, term.from, plus(term.through, 1)]),
    ...[model.end?.day ?? [], model.activated?.day ?? []].flat(),
    localDay(harness.now, model.zone),
  ]);
  const ofClaims = claims.flatMap(({ model }) => {
    const past = model.at({ asOf: null, knownAt: harness.now });
    return typeof past === 'string' ? [] : past.timeline.map(([, day]) => day);
  });
  return [...new Set([...ofPolicies, ...ofClaims])].toSorted();
}

/** Returns the day and instant that were selected of a book. */
export function pointOf(book: Book, { day, instant }: AnyPoint): PointInTime {
  const days = daysOf(book);
  // Counted from the last one, which knows everything.
  const at = book.instants.at(-1 - (instant.which % book.instants.length)) ?? book.harness.now;
  return {
    asOf: day === null ? null : plus(days[day.which % days.length] ?? '2026-03-01', day.offset),
    knownAt: instant.isBefore ? new Date(Date.parse(at) - 1).toISOString() : at,
  };
}
