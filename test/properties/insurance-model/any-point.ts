import * as fc from 'fast-check';
import type { ClaimModel } from '../book-model/claim-model.ts';
import { localDay, plus } from './days.ts';
import type { PolicyModel } from './policy.ts';
import type { PointInTime } from './state.ts';

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

/** Policies with their claims, and when something happened to them. */
export interface Models {
  readonly policies: readonly { readonly model: PolicyModel }[];
  readonly claims: readonly { readonly model: ClaimModel }[];
  readonly instants: readonly string[];
}

/** Returns days on which something of the policies and claims changes. */
function daysOf({ policies, claims, instants }: Models): readonly string[] {
  const now = instants.at(-1) ?? '';
  const ofPolicies = policies.flatMap(({ model }) => [
    ...model.state.terms.flatMap(({ from, through }) => [from, plus(through, 1)]),
    ...model.entries.map(({ day }) => day),
    localDay(now, model.zone),
  ]);
  const ofClaims = claims.flatMap(({ model }) => {
    const past = model.at({ asOf: null, knownAt: now });
    return typeof past === 'string' ? [] : past.view.claim_status_timeline.map(([, day]) => day);
  });
  return [...new Set([...ofPolicies, ...ofClaims])].toSorted();
}

/** Returns the day and instant that were selected. */
export function pointOf(models: Models, { day, instant }: AnyPoint): PointInTime {
  const [days, { instants }] = [daysOf(models), models];
  // Counted from the last one, which knows everything.
  const at = instants.at(-1 - (instant.which % instants.length)) ?? '';
  return {
    asOf: day === null ? null : plus(days[day.which % days.length] ?? '2027-03-01', day.offset),
    knownAt: instant.isBefore ? new Date(Date.parse(at) - 1).toISOString() : at,
  };
}
