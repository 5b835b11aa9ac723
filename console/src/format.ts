/** Formats a day, `2026-03-10`, as `10 Mar 2026`. */
export function day(iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === '') return '–';
  return DAY.format(new Date(`${iso.slice(0, 10)}T00:00:00Z`));
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats an instant in a time zone. */
export function instant(iso: string | null | undefined, timeZone: string): string {
  if (iso === null || iso === undefined) return '–';
  return formatsOf(timeZone).instant.format(new Date(iso));
}

interface ZoneFormats {
  readonly instant: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
}

const ZONES = new Map<string, ZoneFormats>();

/** A format is costly to create, and a long history uses it twice per entry. */
function formatsOf(timeZone: string): ZoneFormats {
  const known = ZONES.get(timeZone);
  if (known !== undefined) return known;
  const formats = {
    instant: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }),
    day: new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  };
  ZONES.set(timeZone, formats);
  return formats;
}

/** Formats an instant in UTC, to the second. */
export function utc(iso: string | null | undefined): string {
  return iso === null || iso === undefined ? '–' : `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns the day of an instant in a time zone, as `2026-03-10`. */
export function dayOf(time: Date, timeZone: string): string {
  return formatsOf(timeZone).day.format(time);
}

/** Formats a decimal string with separators: `-1234.50` is `−1,234.50`. */
export function money(amount: string | null | undefined, currency = ''): string {
  if (amount === null || amount === undefined) return '–';
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign === '' ? '' : '−'}${grouped}${rest}${currency === '' ? '' : ` ${currency}`}`;
}

/** Returns the hundredths of a decimal string with at most two decimal digits. */
export function hundredths(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0').slice(0, 2));
  return amount.startsWith('-') ? -value : value;
}

/** Returns the decimal string of hundredths. */
export function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `claim_offer_sent` is `Claim offer sent`. */
export function words(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const DAY_MS = 86_400_000;

export function dayNumber(iso: string): number {
  return Math.round(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

export function isoDay(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
