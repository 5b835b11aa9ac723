import { compareTexts } from '../../src/event-sourcing/identifiers.ts';
import { formatMoney, type MinorUnits } from '../../src/domain/values/money.ts';
import type { PolicyFigures } from './book-policy.ts';
import type { PortfolioRow } from './portfolio.ts';

interface Sums {
  readonly group: string;
  readonly currency: string;
  policiesInForce: number;
  premiumInForce: MinorUnits;
  written: MinorUnits;
  earned: MinorUnits;
  returned: MinorUnits;
  customers: number;
  lastCustomer: string | undefined;
  claimsFiled: number;
  claimsPaid: number;
  amountPaid: MinorUnits;
}

export class Rows {
  readonly #rows = new Map<string, Sums>();

  /** Adds a policy. The policies of a customer must be added one after the other, so that the customer counts once in a row. */
  addPolicy(group: string, currency: string, customerId: string, figures: PolicyFigures): void {
    const row = this.#rowOf(group, currency);
    row.written += figures.written;
    row.earned += figures.earned;
    row.returned += figures.returned;
    if (!figures.isInForce) return;
    row.policiesInForce += 1;
    row.premiumInForce += figures.premiumInForce;
    if (row.lastCustomer !== customerId) row.customers += 1;
    row.lastCustomer = customerId;
  }

  addClaim(group: string, currency: string, { isPaid, amountPaid }: { isPaid: boolean; amountPaid: MinorUnits }): void {
    const row = this.#rowOf(group, currency);
    row.claimsFiled += 1;
    if (isPaid) row.claimsPaid += 1;
    row.amountPaid += amountPaid;
  }

  /** Returns the rows that are not all zeros, by group, then currency. */
  toRows(): readonly PortfolioRow[] {
    const rows = [...this.#rows.values()].filter((row) => !isZero(row));
    rows.sort((a, b) => compareTexts(a.group, b.group) || compareTexts(a.currency, b.currency));
    return rows.map(toRow);
  }

  #rowOf(group: string, currency: string): Sums {
    const key = JSON.stringify([group, currency]);
    const found = this.#rows.get(key);
    if (found !== undefined) return found;
    const amounts = { premiumInForce: 0n, written: 0n, earned: 0n, returned: 0n, amountPaid: 0n };
    const counts = { policiesInForce: 0, customers: 0, claimsFiled: 0, claimsPaid: 0 };
    const row: Sums = { group, currency, ...amounts, ...counts, lastCustomer: undefined };
    this.#rows.set(key, row);
    return row;
  }
}

/** Figures of policies in force and of payments are part of premiums and claims, except that a premium may be 0.00. */
function isZero({ policiesInForce, written, claimsFiled }: Sums): boolean {
  return policiesInForce === 0 && written === 0n && claimsFiled === 0;
}

function toRow(sums: Sums): PortfolioRow {
  const { written, earned, returned } = sums;
  return {
    group: sums.group,
    currency: sums.currency,
    policies_in_force: sums.policiesInForce,
    premium_in_force: formatMoney(sums.premiumInForce),
    premium_written: formatMoney(written),
    premium_earned: formatMoney(earned),
    premium_unearned: formatMoney(written - earned - returned),
    premium_returned: formatMoney(returned),
    customers: sums.customers,
    claims_filed: sums.claimsFiled,
    claims_paid: sums.claimsPaid,
    amount_paid: formatMoney(sums.amountPaid),
  };
}
