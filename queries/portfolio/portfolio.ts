import type { Day, Moment } from '../../src/event-sourcing/time.ts';

export const GROUPS = ['product_type', 'provider', 'merchant'] as const;

/** What a portfolio is asked about. */
export interface PortfolioRequest {
  readonly asOf: Day;
  /** Undefined: everything that is recorded. */
  readonly knownAt: Moment | undefined;
  /** Undefined: one row for each currency. */
  readonly groupBy: (typeof GROUPS)[number] | undefined;
  readonly testMode: boolean;
}

/** One row, as the API shows it. */
export interface PortfolioRow {
  readonly group: string;
  readonly currency: string;
  readonly policies_in_force: number;
  readonly premium_in_force: string;
  readonly premium_written: string;
  readonly premium_earned: string;
  readonly premium_unearned: string;
  readonly premium_returned: string;
  readonly customers: number;
  readonly claims_filed: number;
  readonly claims_paid: number;
  readonly amount_paid: string;
}

export interface Portfolio {
  /** Position of the last event that was read; 0 on an empty log. */
  readonly position: bigint;
  /** By group, then currency. */
  readonly rows: readonly PortfolioRow[];
}

/**
 * Computes portfolios, one at a time.
 * @throws {Refusal} `portfolio_running`; `document_parked` when an event of a policy or claim cannot be folded
 * @throws {StoreUnavailable}
 */
export type RunPortfolio = (request: PortfolioRequest, signal: AbortSignal) => Promise<Portfolio>;
