import { normalised } from '../../event-sourcing/identifiers.ts';

/** A decimal number without a float: `digits` × 10^-`scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** Not negative. */
  readonly scale: number;
}

const PLAIN = /^(-?\d{1,40})(?:\.(\d{1,40}))?$/;
/** As numbers are written that are very large or very small. */
const WITH_EXPONENT = /^(-?\d)(?:\.(\d+))?e([+-]\d{1,3})$/;

/** A number as it was told, JSON number or decimal string; undefined when it is none. */
export function decimalOf(told: unknown): Decimal | undefined {
  if (typeof told !== 'number' && typeof told !== 'string') return undefined;
  const text = String(told);
  const plain = PLAIN.exec(text);
  if (plain !== null) return scaled(plain[1] ?? '', plain[2] ?? '', 0);
  const [, whole, fraction = '', exponent] = (typeof told === 'number' && WITH_EXPONENT.exec(text)) || [];
  return whole === undefined ? undefined : scaled(whole, fraction, Number(exponent));
}

function scaled(whole: string, fraction: string, exponent: number): Decimal {
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const difference = a.digits * 10n ** BigInt(b.scale) - b.digits * 10n ** BigInt(a.scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/**
 * Whether two values that were told say the same: numbers by their value, however they are written, yes and no also as the
 * words `true` and `false` (a form has no others), and texts without regard to case and white space, so that neither loading
 * nor refusal hangs on how a word is typed.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one !== undefined && other !== undefined) return compareDecimals(one, other) === 0;
  const [word, otherWord] = [wordOf(a), wordOf(b)];
  return word !== undefined && word === otherWord;
}

function wordOf(told: unknown): string | undefined {
  return typeof told === 'string' || typeof told === 'boolean' ? normalised(String(told)) : undefined;
}

/** A member of what was told; undefined when it is absent, and null is absent. */
export function riskDetail(told: Readonly<Record<string, unknown>>, field: string): unknown {
  return Object.hasOwn(told, field) ? (told[field] ?? undefined) : undefined;
}
