import { type Day, day, type Moment } from '../../event-sourcing/time.ts';

const DAY_MS = 86_400_000;

/** Checks whether the text is a day of the calendar. */
export function isDay(text: string): boolean {
  return day.safeParse(text).success;
}

/** Returns the day `days` later, or earlier when negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of days from `earlier` to `later`. */
export function daysBetween(earlier: Day, later: Day): number {
  return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / DAY_MS;
}

/** Returns the first moment of a day. */
export function startOfDay(day: Day): Moment {
  return `${day}T00:00:00.000Z`;
}

/** Formats a moment as `YYYY-MM-DD HH:MM:SS`, as in the timeline of a claim. */
export function timelineStamp(moment: Moment): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)}`;
}
