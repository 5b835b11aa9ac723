import { normalise } from '#event-sourcing/identifiers.ts';

export interface Decimal {
  readonly digits: bigint;
  /** Not negative. */
  readonly scale: number;
}

const PLAIN = /^(-?\d{1,40})(?:\.(\d{1,40}))?$/;
/** How JavaScript prints very large and very small numbers. */
const WITH_EXPONENT = /^(-?\d)(?:\.(\d+))?e([+-]\d{1,3})$/;

/** Parses a JSON number or decimal string; undefined when it is neither. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  const plain = PLAIN.exec(text);
  if (plain !== null) return scaled(plain[1] ?? '', plain[2] ?? '', 0);
  const [, whole, fraction = '', exponent] = (typeof value === 'number' && WITH_EXPONENT.exec(text)) || [];
  return whole === undefined ? undefined : scaled(whole, fraction, Number(exponent));
}

function scaled(whole: string, fraction: string, exponent: number): Decimal {
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Returns a negative number, 0 or a positive number, as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const difference = a.digits * 10n ** BigInt(b.scale) - b.digits * 10n ** BigInt(a.scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/**
 * Returns whether two values are equal in meaning: numbers by value, booleans also as the words `true` and `false`
 * (forms send only text), and texts regardless of case and white space.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one !== undefined && other !== undefined) return compareDecimals(one, other) === 0;
  const [word, otherWord] = [wordOf(a), wordOf(b)];
  return word !== undefined && word === otherWord;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'boolean' ? normalise(String(value)) : undefined;
}

/** Returns a feature of the risk; undefined when it is absent or null. */
export function riskDetail(risk: Readonly<Record<string, unknown>>, field: string): unknown {
  return Object.hasOwn(risk, field) ? (risk[field] ?? undefined) : undefined;
}

/** Returns whether a feature of the risk says nothing: it is absent, or a text without a visible character. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && normalise(value) === '');
}
