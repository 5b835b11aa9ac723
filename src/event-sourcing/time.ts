import { z } from 'zod';

/** A UTC day, `YYYY-MM-DD`. Days compare as text. */
export type Day = string;
/** A moment, ISO 8601 in UTC with `Z`, milliseconds always included when Surety creates it. Moments compare as text. */
export type Moment = string;

/** Returns the UTC day of a moment. */
export function dayOf(moment: Moment): Day {
  return moment.slice(0, 10);
}

/** Returns the moment `milliseconds` later. */
export function momentAfter(moment: Moment, milliseconds: number): Moment {
  return new Date(Date.parse(moment) + milliseconds).toISOString();
}

/** Returns the later of two moments. */
export function laterOf(a: Moment, b: Moment): Moment {
  return a > b ? a : b;
}

/** What is wrong with a text that is not a `day`. */
export const NOT_A_DAY = 'must be a day of the calendar, YYYY-MM-DD';
/** A day of the calendar, `YYYY-MM-DD`. */
export const day = z.iso.date(NOT_A_DAY);
/** A UTC moment as Surety writes it, with milliseconds: of any other precision, moments would not compare as text. */
export const moment = z.iso.datetime({ precision: 3 });
