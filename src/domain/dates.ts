import { z } from 'zod';

/** A UTC day, `YYYY-MM-DD`. Days compare as text. */
export type Day = string;
/** A moment, ISO 8601 in UTC with `Z`, milliseconds always present when Surety makes it. Moments compare as text. */
export type Moment = string;

const DAY_MS = 86_400_000;
const DAY_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!DAY_SHAPE.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** The UTC day of a moment. */
export function dayOf(moment: Moment): Day {
  return moment.slice(0, 10);
}

/** The day `days` later (earlier, when negative). */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days `later` is after `earlier`; negative when it is before. */
export function daysBetween(earlier: Day, later: Day): number {
  return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / DAY_MS;
}

/** The first moment of a day. */
export function startOfDay(day: Day): Moment {
  return `${day}T00:00:00.000Z`;
}

/** `YYYY-MM-DD HH:MM:SS`, the form of a claim's timeline (specification, Claim). */
export function timelineStamp(moment: Moment): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`;
}

/** The moment `milliseconds` later. */
export function momentAfter(moment: Moment, milliseconds: number): Moment {
  return new Date(Date.parse(moment) + milliseconds).toISOString();
}

/** The later of two moments. */
export function laterOf(a: Moment, b: Moment): Moment {
  return a > b ? a : b;
}

/** A day of the calendar, `YYYY-MM-DD`. */
export const day = z.iso.date('must be a day of the calendar, YYYY-MM-DD');
/** A UTC moment as Surety writes it, with milliseconds: of any other precision, moments would not compare as text. */
export const moment = z.iso.datetime({ precision: 3 });
