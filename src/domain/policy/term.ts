import { z } from 'zod';
import { day } from '../../event-sourcing/time.ts';
import { personal } from '../values/personal.ts';
import { storedMoney, storedSum } from '../values/money.ts';

const coverage = z.object({
  name: z.string(),
  type: z.string().nullable(),
  limit: storedMoney.nullable(),
  /** As the merchant sent them with a renewal. */
  coveredItems: personal(z.json(), 'customer').optional(),
});
export type Coverage = z.infer<typeof coverage>;

/** The parts of a premium. They are null where they are not known: in imported terms. */
const parts = { tax: storedSum.nullable(), surcharge: storedSum.nullable(), commission: storedSum.nullable() };

/** What 365 days cost. */
const annual = z.object({ premium: storedSum, ...parts });
export type AnnualPremium = z.infer<typeof annual>;

/** One period of cover with its price. It includes the days `from` and `through`. */
export const term = z.object({
  from: day,
  through: day,
  /** Gross price of this term: net premium, surcharge and tax. */
  premium: storedMoney,
  ...parts,
  /** Null for imported terms: a renewal computes it from premium and days. */
  annual: annual.nullable(),
  paymentFrequency: z.string().nullable(),
  /** The risk as it was sent (`additional_information`), or the columns `risk_*` of an import. */
  risk: personal(z.record(z.string(), z.json()), 'customer'),
  /** Premium of each guarantee (columns `premium_*` of an import). */
  premiumParts: z.record(z.string(), storedMoney),
  coverages: z.array(coverage),
});
export type Term = z.infer<typeof term>;

/** What is returned of one term. */
export const returned = z.object({
  from: day,
  through: day,
  premium: storedSum,
  tax: storedSum.nullable(),
  commission: storedSum.nullable(),
});
export type ReturnPremium = z.infer<typeof returned>;
