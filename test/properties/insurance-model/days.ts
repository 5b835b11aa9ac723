// Days of the model. Nothing here uses the code that the model checks.

export type Day = string;

const DAY_MS = 86_400_000;
/** Every offset of a time zone is a multiple of a quarter of an hour. */
const QUARTER_MS = 900_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the calendar day of an instant in a time zone. */
export function localDay(instant: string | number, zone: string): Day {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(zone, format);
  }
  return format.format(new Date(instant));
}

/** Returns the first instant of a day in a time zone. */
export function firstInstant(day: Day, zone: string): string {
  let instant = Date.parse(day) - DAY_MS;
  while (localDay(instant, zone) < day) instant += QUARTER_MS;
  return new Date(instant).toISOString();
}

/** Returns the day that many days later. */
export function plus(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the number of days from the first day through the last, both counted; 0 when the last is before the first.
 */
export function countDays(first: Day, last: Day): number {
  return Math.max(0, (Date.parse(last) - Date.parse(first)) / DAY_MS + 1);
}

/** Returns the later of two days. */
export function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

/**
 * Returns the last day of a year: the day before the same date of the next year, and 28 February of a year from 29
 * February.
 */
export function endOfYear(first: Day): Day {
  const next = Number(first.slice(0, 4)) + 1;
  const date = first.slice(5);
  return date === '02-29' ? `${next}-02-28` : plus(`${next}-${date}`, -1);
}

/** "A duration of 365 days is a year, everywhere." Returns the last day of a term of that duration. */
export function endOfDuration(first: Day, days: number): Day {
  return days >= 365 ? endOfYear(first) : plus(first, days - 1);
}

/** Returns 23:59:59 of a day in a time zone. */
export function lastSecond(day: Day, zone: string): string {
  return new Date(Date.parse(firstInstant(plus(day, 1), zone)) - 1_000).toISOString();
}
