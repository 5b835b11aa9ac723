import { z } from 'zod';
import type { Day, Instant } from '#event-sourcing/time.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { sum } from '#domain/values/money.ts';

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
    group: z.string().meta({
      description: 'The product type, `provider_id` or `short_code` that `group_by` asks for; `all` without it',
    }),
    currency: z.string(),
    policies_in_force: count.meta({ description: 'Policies in force on the day, which the last day of cover is too' }),
    premium_in_force: sum.meta({ description: 'Net price and fee, without tax, of their terms that contain the day' }),
    premium_written: sum.meta({
      description: 'Net price and fee, without tax, of the terms that have begun, with the changes made up to the day',
    }),
    premium_earned: sum.meta({
      description:
        'Net price for the days of cover through the day, and the fee; from the last day of cover of a cancelled policy, all that was not returned',
    }),
    premium_unearned: sum.meta({
      description:
        'Net price for the days after it: written less earned less returned; 0.00 from the last day of cover of a cancelled policy',
    }),
    premium_returned: sum.meta({
      description: 'Net price and fee that cancellations up to the day return of these terms',
    }),
    tax: sum.meta({ description: 'Tax on these terms, less the tax that was returned; unknown counts as 0' }),
    commission: sum.meta({ description: 'Commission on these terms, less what was returned; unknown counts as 0' }),
    commission_unearned: sum.meta({ description: 'Commission on `premium_unearned`' }),
    customers: count.meta({ description: 'Holders of the policies in force' }),
    claims_filed: count.meta({ description: 'Claims filed up to the day' }),
    claims_paid: count.meta({ description: 'Claims paid up to the day' }),
    amount_paid: sum.meta({ description: 'Payments made up to the day and not reversed by then' }),
    claims_outstanding: sum.meta({
      description:
        'What open claims may still cost, less what they paid: of each the accepted offer, else the approved amount, else the claimed amount less the deductible, at most what is left of the limit; 0.00 where the day of the incident is not covered',
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

export const refusePortfolio = refusalsOf('portfolio_running', 'document_parked');

/**
 * Computes portfolios, one at a time.
 * @throws {Refusal} of `refusePortfolio`; `document_parked` when an event of a policy or claim cannot be folded
 * @throws {StoreUnavailable}
 */
export type RunPortfolio = (request: PortfolioRequest, signal: AbortSignal) => Promise<Portfolio>;
