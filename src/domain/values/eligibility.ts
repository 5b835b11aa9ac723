import { z } from 'zod';
import type { Day } from '#event-sourcing/time.ts';

/** Ages in whole years, both inclusive, between which a person can be insured; null: no bound. */
export const storedEligibility = z.object({ minAge: z.int().nullable(), maxAge: z.int().nullable() });
export type Eligibility = z.infer<typeof storedEligibility>;

/** No bound of age. */
export const ANY_AGE: Eligibility = { minAge: null, maxAge: null };

/**
 * Returns the age in whole years on a day. In a year without 29 February, a person who was born on that day is a year
 * older from 1 March.
 */
export function ageOn(birth: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/**
 * Returns the ages that can be insured as a text, such as `18 to 70`, `from 18` or `to 70`; undefined without a bound.
 */
export function ageRange({ minAge, maxAge }: Eligibility): string | undefined {
  if (minAge === null) return maxAge === null ? undefined : `to ${maxAge}`;
  return maxAge === null ? `from ${minAge}` : `${minAge} to ${maxAge}`;
}

/**
 * Returns whether a person of this date of birth can be insured on a day; undefined where that depends on an unknown
 * date of birth.
 */
export function isEligible({ minAge, maxAge }: Eligibility, birth: Day | null, day: Day): boolean | undefined {
  if (minAge === null && maxAge === null) return true;
  if (birth === null) return undefined;
  const age = ageOn(birth, day);
  return (minAge === null || age >= minAge) && (maxAge === null || age <= maxAge);
}
