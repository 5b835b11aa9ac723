import { z } from 'zod';
import { moneyInput, moneyNotNegativeInput } from '#domain/values/money.ts';
import { compareDecimals, type Decimal, decimalOf } from '#domain/values/risk-values.ts';

function percentBetween(least: number, most: number) {
  const [lower, upper] = [wholeNumber(least), wholeNumber(most)];
  const isBetween = (text: string): boolean => {
    const value = decimalOf(text);
    return value !== undefined && compareDecimals(value, lower) >= 0 && compareDecimals(value, upper) <= 0;
  };
  return z
    .string()
    .regex(/^-?\d{1,6}(\.\d{1,6})?$/, {
      error: 'must be a decimal string with at most 6 integer and 6 decimal digits',
      abort: true,
    })
    .refine(isBetween, `must be ${least} to ${most}`)
    .meta({ description: `Decimal string, ${least} to ${most}, with at most 6 decimal digits`, examples: ['7.5'] });
}

const wholeNumber = (digits: number): Decimal => ({ digits: BigInt(digits), scale: 0 });

const percent = percentBetween(0, 100);

const loading = z
  .strictObject({
    /** A member of `additional_information`. */
    field: z.string().min(1),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    at_least: moneyInput.optional(),
    below: moneyInput.optional(),
    percent: percentBetween(-100, 1000).optional(),
    amount: moneyInput.optional(),
    label: z.string().min(1),
  })
  .refine(({ equals, at_least, below }) => equals !== undefined || at_least !== undefined || below !== undefined, {
    message: 'needs equals, at_least or below',
  })
  .refine((l) => (l.percent === undefined) !== (l.amount === undefined), { message: 'needs either percent or amount' });

/** How a price follows from the risk. Percents and amounts are decimal strings. */
export const ratingInput = z.strictObject({
  rate: z.strictObject({ field: z.string().min(1), percent }).optional(),
  loadings: z.array(loading).max(100).optional(),
  discount_percent: percent.optional(),
  minimum_premium: moneyNotNegativeInput.optional(),
  surcharge: moneyNotNegativeInput.optional(),
  tax_percent: percent.optional(),
  commission_percent: percent.optional(),
});
