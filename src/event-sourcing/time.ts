import { z } from 'zod';

/** A UTC day, `YYYY-MM-DD`. Days compare as text. */
export type Day = string;
/**
 * An instant, ISO 8601 in UTC with `Z`, milliseconds always included when Surety creates it. Instants compare as text.
 */
export type Instant = string;

export function dayOf(instant: Instant): Day {
  return instant.slice(0, 10);
}

export function instantAfter(instant: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(instant) + milliseconds).toISOString();
}

export function laterOf(a: Instant, b: Instant): Instant {
  return a > b ? a : b;
}

export const NOT_A_DAY = 'must be a day of the calendar, YYYY-MM-DD, in the years 1000 to 9999';
/**
 * The pattern of `z.iso.date`, without the years 0000 to 0999: no contract has them, and local times of them have fewer
 * digits, so they would not compare as text.
 */
const DAY =
  /^(?:(?:[1-9]\d[2468][048]|[1-9]\d[13579][26]|[1-9]\d0[48]|[2468][048]00|[13579][26]00)-02-29|[1-9]\d{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))$/;
export const day = z.stringFormat('date', DAY, NOT_A_DAY);
/** A UTC instant as Surety writes it, with milliseconds: of any other precision, instants would not compare as text. */
export const instant = z.iso.datetime({ precision: 3 });
