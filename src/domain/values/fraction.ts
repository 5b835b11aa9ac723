import { z } from 'zod';
import { divideHalfUp, formatMoney, type MinorUnits } from './money.ts';

/** An exact quotient. The denominator is above zero. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const DECIMAL = String.raw`\d{1,40}(?:\.\d{1,40})?`;
const PATTERN = new RegExp(`^(-?${DECIMAL})(?:/(${DECIMAL}))?$`);

/**
 * A fraction as events store it: a decimal string such as `39900.00`, or two with `/` between them, such as `7.5/100`.
 */
export const storedFraction = z.string().regex(PATTERN);

/** Parses a stored fraction. @throws {RangeError} when the text is none, or its denominator is 0 */
export function parseFraction(text: string): Fraction {
  const [, above, below = '1'] = PATTERN.exec(text) ?? [];
  if (above === undefined) throw new RangeError(`not a fraction: ${text}`);
  const [one, other] = [digitsOf(above), digitsOf(below)];
  return fraction(one.digits * 10n ** BigInt(other.scale), other.digits * 10n ** BigInt(one.scale));
}

function digitsOf(decimal: string): { readonly digits: bigint; readonly scale: number } {
  const [whole = '', decimals = ''] = decimal.split('.');
  return { digits: BigInt(whole + decimals), scale: decimals.length };
}

/** Returns the quotient in lowest terms. @throws {RangeError} when the denominator is 0 */
export function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (denominator === 0n) throw new RangeError('a denominator is 0');
  const divisor = greatestCommonDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** Returns a percentage of a rating as a fraction of one: `7.5` is 0.075. */
export function percent(text: string): Fraction {
  return parseFraction(storedPercent(text));
}

/** Returns a percentage of a rating as a stored fraction: `7.5` is `7.5/100`. */
export function storedPercent(text: string): string {
  return `${text}/100`;
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n };

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Returns an amount of money as an exact fraction. */
export function ofMoney(amount: MinorUnits): Fraction {
  return fraction(amount, 100n);
}

/** Rounds an exact fraction to an amount of money, half away from zero. */
export function toMoney({ numerator, denominator }: Fraction): MinorUnits {
  return divideHalfUp(numerator * 100n, denominator);
}

/** Returns `amount × of ÷ whole`, rounded; 0.00 where `whole` is 0.00. */
export function proportion(amount: MinorUnits, of: bigint, whole: bigint): MinorUnits {
  return whole === 0n ? 0n : divideHalfUp(amount * of, whole);
}

/** Formats an exact amount for an event: with two decimals where they are enough, else as a quotient. */
export function formatExact(amount: Fraction): string {
  const rounded = toMoney(amount);
  const isExact = rounded * amount.denominator === amount.numerator * 100n;
  return isExact ? formatMoney(rounded) : `${amount.numerator}/${amount.denominator}`;
}
