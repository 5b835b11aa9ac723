import { z } from 'zod';
import { moneyInput, moneyNotNegativeInput } from '../../src/domain/values/money.ts';
import { compareDecimals, decimalOf } from '../../src/domain/values/risk-values.ts';

function percentBetween(least: number, most: number) {
  return z
    .string()
    .regex(/^-?\d{1,6}(\.\d{1,6})?$/, 'must be a decimal string with at most 6 integer and 6 decimal digits')
    .refine((text) => isBetween(text, least, most), `must be ${least} to ${most}`)
    .meta({ description: `Decimal string, ${least} to ${most}, with at most 6 decimal digits`, examples: ['7.5'] });
}

function isBetween(text: string, least: number, most: number): boolean {
  const [value, ...bounds] = [text, least, most].map(decimalOf);
  const [lower, upper] = bounds;
  // A text that is no number has an error of its own.
  if (value === undefined || lower === undefined || upper === undefined) return true;
  return compareDecimals(value, lower) >= 0 && compareDecimals(value, upper) <= 0;
}

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
