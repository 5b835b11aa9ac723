/** Formats a day, `2026-03-10`, as `10 Mar 2026`; a dash without one. */
export function formatDay(iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === '') return '–';
  return DAY.format(new Date(`${iso.slice(0, 10)}T00:00:00Z`));
}

/** Formats a day as `10 Mar`, with the year where it is not the current one; a dash without a day. */
export function formatDayOfYear(iso: string | null | undefined): string {
  return withoutYear(formatDay(iso));
}

/** Days are formatted with their year at the end, instants before the time of day. */
function withoutYear(text: string): string {
  return text.replace(` ${new Date().getFullYear()}`, '');
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const ZONES = new Map<string, ReturnType<typeof newFormats>>();

/** A format is costly to create, and a long history uses it twice per entry. */
function formatsOf(timeZone: string) {
  const formats = ZONES.get(timeZone) ?? newFormats(timeZone);
  ZONES.set(timeZone, formats);
  return formats;
}

function newFormats(timeZone: string) {
  return {
    instant: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }),
    minute: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    // Swedish days are those of ISO 8601.
    day: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }),
  };
}

/** Formats a day in words: `Friday 27 November`. */
export function formatLongDay(iso: string): string {
  return LONG_DAY.format(new Date(`${iso}T00:00:00Z`)).replace(',', '');
}

const LONG_DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** Formats an instant in a time zone, with UTC beside it: `10 Mar 2026, 13:00:05 (2026-03-10 12:00:05 UTC)`. */
export function formatInstantWithUtc(iso: string, timeZone: string): string {
  const utc = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  return timeZone === 'UTC' ? utc : `${formatsOf(timeZone).instant.format(new Date(iso))} (${utc})`;
}

/** Formats an instant in a time zone, to the minute, with the year where it is not the current one: `10 Mar, 13:00`. */
export function formatMinute(iso: string, timeZone: string): string {
  return withoutYear(formatsOf(timeZone).minute.format(new Date(iso)));
}

/** Returns the day of an instant in a time zone, as `2026-03-10`. */
export function dayOf(instant: Date, timeZone: string): string {
  return formatsOf(timeZone).day.format(instant);
}

/** Formats a decimal string with separators, `-1234.50` as `−1,234.50`; a dash without one. */
export function formatMoney(amount: string | null | undefined, currency = ''): string {
  if (amount === null || amount === undefined) return '–';
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${currency === '' ? '' : `${currency} `}${sign === '' ? '' : '−'}${grouped}${rest}`;
}

/** Returns the minor units of a decimal string with at most two decimal digits. */
export function toMinorUnits(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0').slice(0, 2));
  return amount.startsWith('-') ? -value : value;
}

/** Returns the decimal string of minor units. */
export function fromMinorUnits(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Makes a label of a name of the API: `offer_sent` is `Offer sent`, `PolicyPurchased.v1` is `Policy purchased`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/\.v\d+$/, '')
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the name of a member; items of lists are counted from 1. */
export function memberLabel(name: string): string {
  return /^\d+$/.test(name) ? String(Number(name) + 1) : name;
}

const DAY_MS = 86_400_000;

/** Returns the number of a day, in days since 1970-01-01. */
export function dayNumber(iso: string): number {
  return Math.round(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

/** Returns the day of a number of days since 1970-01-01. */
export function isoDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the last of some days; undefined of none. */
export function lastDay(days: readonly string[]): string | undefined {
  return days.toSorted().at(-1);
}
