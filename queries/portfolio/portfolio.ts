import { z } from 'zod';
import type { Day, Instant } from '../../src/event-sourcing/time.ts';
import { sum } from '../../projections/schema.ts';

export const GROUPS = ['product_type', 'provider', 'merchant'] as const;

export interface PortfolioRequest {
  readonly asOf: Day;
  /** Undefined: everything that is recorded. */
  readonly knownAt: Instant | undefined;
  /** Undefined: one row for each currency. */
  readonly groupBy: (typeof GROUPS)[number] | undefined;
  readonly testMode: boolean;
}

const count = z.int().min(0);

export const portfolioRowSchema = z
  .strictObject({
    group: z.string().meta({ description: 'Product type, provider_id or short_code; `all` without `group_by`' }),
    currency: z.string(),
    policies_in_force: count.meta({ description: 'Policies in force on the day' }),
    premium_in_force: sum.meta({ description: 'Net price and fee of their terms that contain the day' }),
    premium_written: sum.meta({
      description: 'Net price and fee of the terms that have begun by the day, with the changes made by then',
    }),
    premium_earned: sum.meta({
      description: 'Net price for the days of cover through the day, and the fee; after an end what it did not return',
    }),
    premium_unearned: sum.meta({ description: 'Net price for the days after it: written less earned less returned' }),
    premium_returned: sum.meta({ description: 'Net price and fee that ends by the day returned of these terms' }),
    tax: sum.meta({ description: 'Tax on these terms, less the tax that was returned; unknown counts as 0' }),
    commission: sum.meta({ description: 'Commission on these terms, less what was returned; unknown counts as 0' }),
    commission_unearned: sum.meta({ description: 'Commission on the unearned net price' }),
    customers: count.meta({ description: 'Holders of the policies in force' }),
    claims_filed: count.meta({ description: 'Claims filed by the day' }),
    claims_paid: count.meta({ description: 'Claims paid by the day' }),
    amount_paid: sum.meta({ description: 'Payments made by the day and not reversed by then' }),
    claims_outstanding: sum.meta({
      description:
        'What open claims may still cost: of each the accepted offer, else the approved, else the claimed amount, less what it paid',
    }),
  })
  .meta({ id: 'PortfolioRow' });

export type PortfolioRow = Readonly<z.output<typeof portfolioRowSchema>>;

export interface Portfolio {
  /** Position of the last event that was read; 0 on an empty log. */
  readonly position: bigint;
  /** By group, then currency. */
  readonly rows: readonly PortfolioRow[];
}

/**
 * Computes portfolios, one at a time.
 * @throws {Refusal} `portfolio_running`; `document_parked` when an event of a policy or claim cannot be folded @throws {StoreUnavailable}
 */
export type RunPortfolio = (request: PortfolioRequest, signal: AbortSignal) => Promise<Portfolio>;
