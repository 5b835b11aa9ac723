import { z } from 'zod';
import { storedPercent } from './fraction.ts';
import { canonicalMoney } from './money.ts';
import type { KnownRates } from './price.ts';

const percent = z.string().regex(/^-?\d+(\.\d{1,6})?$/);
const amount = z.string().regex(/^-?\d+(\.\d{1,2})?$/);

/** A rating as events store it. The API restricts new ratings further (`commands/product/rating-input.ts`). */
export const storedRating = z.object({
  rate: z.object({ field: z.string(), percent }).optional(),
  loadings: z
    .array(
      z.object({
        field: z.string().describe('A member of `additional_information`.'),
        equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
        at_least: amount.optional(),
        below: amount.optional(),
        percent: percent.optional(),
        amount: amount.optional(),
        label: z.string(),
      }),
    )
    .optional(),
  discount_percent: percent.optional(),
  minimum_premium: amount.optional(),
  surcharge: amount.optional(),
  tax_percent: percent.optional(),
  commission_percent: percent.optional(),
});
export type Rating = z.infer<typeof storedRating>;

/** Returns the rates of a rating, the same for every term. What it leaves out is 0. */
export function ratesOf(rating: Rating | null): KnownRates {
  const { surcharge = '0', minimum_premium = '0', tax_percent = '0', commission_percent = '0' } = rating ?? {};
  return {
    fee: canonicalMoney(surcharge),
    minimum: canonicalMoney(minimum_premium),
    taxRate: storedPercent(tax_percent),
    commissionRate: storedPercent(commission_percent),
  };
}

/** Where a rating reads a field of the risk, and what it needs there: `amount` is a number that is not negative. */
export interface FieldReading {
  /** Path of the field's name within the rating. */
  readonly path: string;
  readonly field: string;
  readonly needs: 'amount' | 'number' | 'boolean' | 'text';
}

/** Lists what a rating reads of the risk, in its order. */
export function readingsOf(rating: Rating | null): readonly FieldReading[] {
  const { rate, loadings = [] } = rating ?? {};
  const ofLoadings = loadings.map((loading, index) => {
    return { path: `loadings.${index}.field`, field: loading.field, needs: needsOf(loading) };
  });
  return rate === undefined ? ofLoadings : [{ path: 'rate.field', field: rate.field, needs: 'amount' }, ...ofLoadings];
}

function needsOf(loading: NonNullable<Rating['loadings']>[number]): FieldReading['needs'] {
  if (loading.at_least !== undefined || loading.below !== undefined || typeof loading.equals === 'number')
    return 'number';
  return typeof loading.equals === 'boolean' ? 'boolean' : 'text';
}
