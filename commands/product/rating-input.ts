import { z } from 'zod';

const percent = z
  .string()
  .regex(/^-?\d{1,6}(\.\d{1,6})?$/, 'must be a decimal string with at most 6 integer and 6 decimal digits');
const amount = z.string().regex(/^-?\d{1,8}(\.\d{1,2})?$/);

const loading = z
  .strictObject({
    /** A member of `additional_information`. */
    field: z.string().min(1),
    equals: z.union([z.string(), z.number(), z.boolean()]).optional(),
    at_least: amount.optional(),
    below: amount.optional(),
    percent: percent.optional(),
    amount: amount.optional(),
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
  minimum_premium: amount.optional(),
  surcharge: amount.optional(),
  tax_percent: percent.optional(),
  commission_percent: percent.optional(),
});
