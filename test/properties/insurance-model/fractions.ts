/** An exact number: an amount in minor units, or a rate. The bottom is above zero. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const ZERO: Fraction = { top: 0n, bottom: 1n };
export const ONE: Fraction = { top: 1n, bottom: 1n };

/** Returns top ÷ bottom, which are not negative; "a quotient by 0.00 is 0.00". */
export function quotient(top: bigint | number, bottom: bigint | number): Fraction {
  return BigInt(bottom) === 0n ? ZERO : { top: BigInt(top), bottom: BigInt(bottom) };
}

/** Parses an exact decimal of any sign, such as `7.5`. */
export function decimal(text: string | number): Fraction {
  const [whole = '', digits = ''] = String(text).split('.');
  return { top: BigInt(whole + digits), bottom: 10n ** BigInt(digits.length) };
}

/** Parses a percentage: `7.5` is 0.075. */
export function percent(text: string | number): Fraction {
  return times(decimal(text), quotient(1, 100));
}

export function times(a: Fraction | bigint, b: Fraction): Fraction {
  const { top, bottom } = typeof a === 'bigint' ? { top: a, bottom: 1n } : a;
  return { top: top * b.top, bottom: bottom * b.bottom };
}

export function add(a: Fraction, b: Fraction | bigint): Fraction {
  const { top, bottom } = typeof b === 'bigint' ? { top: b, bottom: 1n } : b;
  return { top: a.top * bottom + top * a.bottom, bottom: a.bottom * bottom };
}

/** Returns 1 ÷ a number above zero. */
export function inverse({ top, bottom }: Fraction): Fraction {
  return { top: bottom, bottom: top };
}

/** "Round means to 2 places, half away from zero, once, of the exact value": here to whole minor units. */
export function round({ top, bottom }: Fraction): bigint {
  const [sign, size] = top < 0n ? [-1n, -top] : [1n, top];
  const whole = size / bottom;
  return sign * (2n * (size % bottom) >= bottom ? whole + 1n : whole);
}

export function largest(...amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => (a > b ? a : b));
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
