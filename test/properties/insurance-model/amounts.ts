import { formatMoney } from '../../../src/domain/values/money.ts';

/** A gross premium and its parts, in minor units; null where a part is not known. */
export interface Amounts {
  readonly premium: bigint;
  readonly tax: bigint | null;
  readonly surcharge: bigint | null;
  readonly commission: bigint | null;
}

/** The largest amount with 8 integer digits. */
export const LARGEST = 9_999_999_999n;
const YEAR = 365n;

/** Divides and rounds half away from zero. The divisor is above zero. */
export function halfUp(numerator: bigint, divisor: bigint): bigint {
  const [sign, size] = numerator < 0n ? [-1n, -numerator] : [1n, numerator];
  const whole = size / divisor;
  return sign * (2n * (size % divisor) >= divisor ? whole + 1n : whole);
}

/** Returns amount × part ÷ whole. */
export function share(amount: bigint, part: number, whole: number): bigint {
  return halfUp(amount * BigInt(part), BigInt(whole));
}

/** "A term of d days costs annual premium × d / 365", each amount rounded on its own. */
export function forDays(annual: Amounts, days: number): Amounts {
  return mapAmounts(annual, (amount) => halfUp(amount * BigInt(days), YEAR));
}

/** "The annual premium of an imported term is its premium × 365 / its days." Its parts are not known. */
export function annualOfImport(premium: bigint, days: number): Amounts {
  return { premium: halfUp(premium * YEAR, BigInt(days)), tax: null, surcharge: null, commission: null };
}

/** Adds a gross amount: "annual tax and commission grow in the same proportion as the gross premium; the surcharge stays". */
export function add(annual: Amounts, additional: bigint): Amounts {
  const premium = annual.premium + additional;
  const grow = (amount: bigint): bigint => (annual.premium === 0n ? amount : halfUp(amount * premium, annual.premium));
  return { ...mapAmounts(annual, grow), premium, surcharge: annual.surcharge };
}

/** Changes every amount that is known. */
export function mapAmounts(amounts: Amounts, change: (amount: bigint) => bigint): Amounts {
  const known = (amount: bigint | null): bigint | null => (amount === null ? null : change(amount));
  const { premium, tax, surcharge, commission } = amounts;
  return { premium: change(premium), tax: known(tax), surcharge: known(surcharge), commission: known(commission) };
}

/** Formats an amount that may not be known. */
export function format(amount: bigint | null): string | null {
  return amount === null ? null : formatMoney(amount);
}
