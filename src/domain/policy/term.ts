import { z } from 'zod';
import { namedId } from '#event-sourcing/identifiers.ts';
import { type Day, day } from '#event-sourcing/time.ts';
import { addDays, dayAfter, daysBetween, LAST_DAY } from '../values/dates.ts';
import { storedFraction } from '../values/fraction.ts';
import { storedMoney, storedSum } from '../values/money.ts';
import { personal } from '../values/fields.ts';
import { storedPrice, storedRates, YEAR_DAYS } from '../values/price.ts';

/** Days that follow one another. Both are included. */
export interface DayRange {
  readonly from: Day;
  readonly through: Day;
}

const coverage = z.object({
  name: z.string(),
  type: z.string().nullable(),
  limit: storedMoney.nullable(),
  deductible: storedMoney.nullable().describe('Kept by the claimant, per claim.'),
  // Text, so that readers of documents need not look into it.
  coveredItems: personal(z.string(), 'customer').optional().describe('JSON text, as the merchant sent them.'),
});
export type Coverage = z.infer<typeof coverage>;

/** Returns a coverage without limit and deductible. */
export function newCoverage(name: string, type: string | null = null): Coverage {
  return { name, type, limit: null, deductible: null };
}

/** Copies from a coverage of the catalogue what a policy records of it. */
export function copiedCoverage({ name, type, limit, deductible }: Coverage): Coverage {
  return { name, type, limit, deductible };
}

/** Days of a term with the same coverages and the same annual net price. */
export const period = z.object({
  from: day,
  through: day,
  coverages: z.array(coverage),
  annualNet: storedFraction.describe('Net price of a year, exactly.'),
  net: storedSum.describe('Part of the net price of the term that is for this period.'),
});
export type Period = z.infer<typeof period>;

/** A term as it is agreed. Its periods follow one another without a gap and fill it. */
export const agreedTerm = z.object({
  from: day,
  through: day,
  ...storedPrice.shape,
  ...storedRates.shape,
  periods: z.array(period),
});
export type AgreedTerm = z.infer<typeof agreedTerm>;

/** A term of a policy. */
export interface Term extends AgreedTerm {
  /** As `termIdOf` returns it. */
  readonly termId: string;
  /** Net price with which it began, if a change in its course has made it another one. */
  readonly netAtStart?: string;
  readonly isWithdrawn?: true;
}

/** Returns the id of a term: the UUID of version 5 of the policy and the event that agreed it. */
export function termIdOf(policyId: string, eventId: string): string {
  return namedId(policyId, eventId);
}

/** Returns a term as it is agreed, before anything changes it. */
export function newTerm(term: AgreedTerm, termId: string): Term {
  return { ...term, termId };
}

/** Returns the number of days. */
export function daysOf({ from, through }: DayRange): number {
  return daysBetween(from, through) + 1;
}

/** Returns the days of a term with that duration. A duration of 365 days or more is a year, so that its date stays. */
export function termDays(from: Day, days: number): DayRange {
  return days < YEAR_DAYS ? { from, through: addDays(from, days - 1) } : yearFrom(from);
}

/**
 * Returns a year from a day: through the day before the same date of the next year, from 29 February through 28
 * February; in the last year of the calendar through its last day, so that it cannot be stored.
 */
export function yearFrom(from: Day): DayRange {
  const next = Number(from.slice(0, 4)) + 1;
  if (next > 9999) return { from, through: LAST_DAY };
  const year = String(next).padStart(4, '0');
  const isLeapDay = from.slice(5) === '02-29';
  return { from, through: isLeapDay ? `${year}-02-28` : addDays(`${year}${from.slice(4)}`, -1) };
}

/** Returns whether a term ends before 9999-12-31, so that the day after it can be stored too. */
export function isStorable({ from, through }: DayRange): boolean {
  return through >= from && dayAfter(through) !== null;
}

/** Returns whether the days include one. */
export function contains({ from, through }: DayRange, one: Day): boolean {
  return from <= one && one <= through;
}

/** Returns whether two terms share a day. */
export function overlap(a: DayRange, b: DayRange): boolean {
  return a.from <= b.through && b.from <= a.through;
}

/** Returns the last period. */
export function lastPeriod({ periods }: Pick<AgreedTerm, 'periods'>): Period {
  const last = periods.at(-1);
  if (last === undefined) throw new Error('a term always has a period');
  return last;
}

/** Returns the period of a day in the term; before the term the first, after it the last. */
export function periodOn(term: Pick<AgreedTerm, 'periods'>, one: Day): Period {
  return term.periods.find(({ through }) => one <= through) ?? lastPeriod(term);
}
