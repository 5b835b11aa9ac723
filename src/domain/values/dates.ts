import type { Day, Moment } from '../../event-sourcing/time.ts';

const DAY_MS = 86_400_000;
const DAY_SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!DAY_SHAPE.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
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
