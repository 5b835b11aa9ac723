import { compareTexts } from '#event-sourcing/identifiers.ts';
import { formatMoney } from '#domain/values/money.ts';
import type { Figures } from '#domain/policy/figures.ts';
import type { ClaimFigures } from './book.ts';
import type { PortfolioRow } from './portfolio.ts';

/** Counts, and amounts in minor units, in the order of the members of a row. */
const ZEROS = {
  policies_in_force: 0,
  premium_in_force: 0n,
  premium_written: 0n,
  premium_earned: 0n,
  premium_unearned: 0n,
  premium_returned: 0n,
  tax: 0n,
  commission: 0n,
  commission_unearned: 0n,
  customers: 0,
  claims_filed: 0,
  claims_paid: 0,
  amount_paid: 0n,
  claims_outstanding: 0n,
};

interface Sums {
  readonly group: string;
  readonly currency: string;
  readonly sums: typeof ZEROS;
  lastCustomer: string | undefined;
}

export class Rows {
  readonly #rows = new Map<string, Sums>();

  /**
   * Adds a policy. The policies of a customer must be added one after the other, so that the customer counts once in a
   * row.
   */
  addPolicy(group: string, currency: string, customerId: string, figures: Figures): void {
    const row = this.#rowOf(group, currency);
    const { sums } = row;
    sums.premium_written += figures.written;
    sums.premium_earned += figures.earned;
    sums.premium_unearned += figures.unearned;
    sums.premium_returned += figures.returned;
    sums.tax += figures.tax;
    sums.commission += figures.commission;
    sums.commission_unearned += figures.commissionUnearned;
    if (!figures.isInForce) return;
    sums.policies_in_force += 1;
    sums.premium_in_force += figures.inForce;
    if (row.lastCustomer !== customerId) sums.customers += 1;
    row.lastCustomer = customerId;
  }

  addClaim(group: string, currency: string, { isPaid, amountPaid, outstanding }: ClaimFigures): void {
    const { sums } = this.#rowOf(group, currency);
    sums.claims_filed += 1;
    if (isPaid) sums.claims_paid += 1;
    sums.amount_paid += amountPaid;
    sums.claims_outstanding += outstanding;
  }

  /** Returns the rows that are not all zeros, by group, then currency. */
  toRows(): readonly PortfolioRow[] {
    const rows = [...this.#rows.values()].filter(({ sums }) => !isZero(sums));
    rows.sort((a, b) => compareTexts(a.group, b.group) || compareTexts(a.currency, b.currency));
    return rows.map(({ group, currency, sums }) => {
      const values = Object.entries(sums).map(([name, sum]) => [
        name,
        typeof sum === 'bigint' ? formatMoney(sum) : sum,
      ]);
      return { group, currency, ...Object.fromEntries(values) } as PortfolioRow;
    });
  }

  #rowOf(group: string, currency: string): Sums {
    const key = JSON.stringify([group, currency]);
    const row = this.#rows.get(key) ?? { group, currency, sums: { ...ZEROS }, lastCustomer: undefined };
    this.#rows.set(key, row);
    return row;
  }
}

/** Figures of policies in force and of payments are part of premiums and claims, except that a premium may be 0.00. */
function isZero({ policies_in_force, premium_written, claims_filed }: typeof ZEROS): boolean {
  return policies_in_force === 0 && premium_written === 0n && claims_filed === 0;
}
