import { z } from 'zod';
import type { Day } from '../../event-sourcing/time.ts';

/** Ages in whole years, both inclusive, between which a person can be insured; null: no bound. */
export const storedEligibility = z.object({ minAge: z.int().nullable(), maxAge: z.int().nullable() });
export type Eligibility = z.infer<typeof storedEligibility>;

/** No bound of age. */
export const ANY_AGE: Eligibility = { minAge: null, maxAge: null };

/** Returns the age in whole years on a day. Who was born on 29 February is a year older from 1 March, where there is no such day. */
export function ageOn(birth: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Returns whether a person of this date of birth can be insured on a day; undefined where that depends on an unknown date of birth. */
export function isEligible({ minAge, maxAge }: Eligibility, birth: Day | null, day: Day): boolean | undefined {
  if (minAge === null && maxAge === null) return true;
  if (birth === null) return undefined;
  const age = ageOn(birth, day);
  return (minAge === null || age >= minAge) && (maxAge === null || age <= maxAge);
}
