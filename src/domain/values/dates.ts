import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Day, day, type Instant } from '#event-sourcing/time.ts';

const DAY_MS = 86_400_000;

export function isDay(text: string): boolean {
  return day.safeParse(text).success;
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(earlier: Day, later: Day): number {
  return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / DAY_MS;
}

/** The last day that can be stored. */
export const LAST_DAY: Day = '9999-12-31';

/** Returns the next day; null after 9999-12-31, which imported books use for "no end". */
export function dayAfter(day: Day): Day | null {
  if (day >= LAST_DAY) return null;
  const date = Number(day.slice(8));
  // The view of a policy asks for the day after each of its terms. By text it takes a fifth of the time.
  return date < 28 ? `${day.slice(0, 8)}${String(date + 1).padStart(2, '0')}` : addDays(day, 1);
}

/** An IANA time zone, such as `Africa/Lagos`. Days of a policy are calendar days in its time zone. */
export type TimeZone = string;

/** The time zone of the platform, and of environments created without one. */
export const UTC: TimeZone = 'UTC';

const LOCAL_TIME = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;
const formatters = new Map<TimeZone, Intl.DateTimeFormat>();

/** Creating a formatter takes a thousand times as long as using it. */
function formatterOf(zone: TimeZone): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  // The Swedish format is `YYYY-MM-DD HH:MM:SS`.
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hourCycle: 'h23', ...LOCAL_TIME });
  formatters.set(zone, formatter);
  return formatter;
}

/**
 * A name of the IANA time zone database. Offsets such as `+01:00` are refused, because they know no daylight-saving
 * time.
 */
export const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be the name of an IANA time zone, such as "Africa/Lagos"')
  .meta({ description: 'IANA time zone', examples: ['Africa/Lagos'] });

function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Formats an instant as local time `YYYY-MM-DD HH:MM:SS`, as in the timeline of a claim. */
export function localTime(instant: Instant, zone: TimeZone): string {
  if (zone === UTC) return `${instant.slice(0, 10)} ${instant.slice(11, 19)}`;
  return formatterOf(zone).format(Date.parse(instant));
}

export function dayIn(zone: TimeZone, instant: Instant): Day {
  return localTime(instant, zone).slice(0, 10);
}

/** Local time is at most 15 hours from UTC. */
const MAX_OFFSET_MS = 15 * 3_600_000;

/**
 * Returns the first instant of a day in a time zone, to the second. Where the clock skips midnight, the day begins
 * later than 00:00.
 */
export function startOfDay(day: Day, zone: TimeZone): Instant {
  if (zone === UTC) return `${day}T00:00:00.000Z`;
  const name = `${day} ${zone}`;
  const known = starts.get(name);
  if (known !== undefined) return known;
  const start = findStart(day, zone);
  starts.set(name, start);
  return start;
}

/** Every fold asks for some days several times, and to find one takes about 17 local times. */
const starts = new LRUCache<string, Instant>({ max: 10_000 });

function findStart(day: Day, zone: TimeZone): Instant {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = midnight - MAX_OFFSET_MS;
  let start = midnight + MAX_OFFSET_MS;
  while (start - before > 1000) {
    const middle = before + Math.floor((start - before) / 2000) * 1000;
    if (isEarlier(dayIn(zone, new Date(middle).toISOString()), day)) before = middle;
    else start = middle;
  }
  return new Date(start).toISOString();
}

/** Returns the last second of a day in a time zone. */
export function endOfDay(day: Day, zone: TimeZone): Instant {
  const next = dayAfter(day);
  if (next === null) return `${day}T23:59:59.000Z`;
  return new Date(Date.parse(startOfDay(next, zone)) - 1000).toISOString();
}

/** The day after 9999-12-31 has one digit more. */
function isEarlier(a: Day, b: Day): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}
