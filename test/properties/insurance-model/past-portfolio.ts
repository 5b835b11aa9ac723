import { formatMoney } from '../../../src/domain/values/money.ts';
import { share } from './amounts.ts';
import type { Book } from './book.ts';
import { countDays } from './days.ts';
import { type PastPolicy, type PastTerm, pastPolicy, type PointInTime } from './point-in-time.ts';

/** What a row is about besides its figures. */
export interface Contract {
  readonly customerId: string;
  readonly group: string;
  readonly currency: string;
}

class Row {
  readonly holders = new Set<string>();
  policies = 0;
  inForce = 0n;
  written = 0n;
  earned = 0n;
  unearned = 0n;
  returned = 0n;
  filed = 0;
  paid = 0;
  amountPaid = 0n;
}

/**
 * Returns the rows of the portfolio of a book at a point in time, by group and currency.
 * @param contractOf returns what the policy of this number is about
 */
export function expectedPortfolio(book: Book, point: PointInTime, contractOf: (number: number) => Contract) {
  const rows = new Map<string, Row>();
  const rowOf = ({ group, currency }: Contract): Row => {
    const key = `${group} ${currency}`;
    const row = rows.get(key) ?? new Row();
    rows.set(key, row);
    return row;
  };
  for (const [number, { real, model }] of book.policies.entries()) {
    const contract = contractOf(number);
    const row = rowOf(contract);
    const past = pastPolicy(model, point);
    if (typeof past !== 'string') addPolicy(row, past, contract.customerId);
    for (const claim of book.claims.filter(({ policyId }) => policyId === real.policyId)) {
      const then = claim.model.at(point);
      if (typeof then === 'string') continue;
      row.filed += 1;
      if (then.claim_status !== 'paid') continue;
      const { paid_amount, offer_amount, approved_amount } = then.settlement;
      row.paid += 1;
      row.amountPaid += inCents(paid_amount ?? offer_amount ?? approved_amount ?? then.claim_amount);
    }
  }
  return [...rows].flatMap(([key, row]) => (isZero(row) ? [] : [{ key, ...asRow(row) }]));
}

function addPolicy(row: Row, past: PastPolicy, holder: string): void {
  const { begun, coverFrom, end, day } = past;
  const isCovered =
    coverFrom !== null && coverFrom <= day && end?.kind !== 'declined' && (end === null || day <= end.day);
  const containing = begun.filter(({ through }) => day <= through);
  if (isCovered && containing.length > 0) {
    row.policies += 1;
    row.holders.add(holder);
    for (const { term } of containing) row.inForce += term.price.premium;
  }
  for (const each of begun) {
    const { premium } = each.term.price;
    const returned = end === null ? 0n : each.term.returned;
    const earned = earnedOf(each, past, returned);
    row.written += premium;
    row.returned += returned;
    row.earned += earned;
    row.unearned += premium - earned - returned;
  }
}

/** "0 while cover has not begun; if the policy was cancelled or declined by the day, premium − returned; else premium × days …" */
function earnedOf({ term, from, through }: PastTerm, { coverFrom, end, day }: PastPolicy, returned: bigint): bigint {
  const { premium } = term.price;
  if (coverFrom === null || coverFrom > day) return 0n;
  if (end !== null) return premium - returned;
  return share(premium, countDays(from, day < through ? day : through), countDays(from, through));
}

function isZero({ policies, written, filed }: Row): boolean {
  return policies === 0 && written === 0n && filed === 0;
}

function asRow(row: Row) {
  return {
    policies_in_force: row.policies,
    premium_in_force: formatMoney(row.inForce),
    premium_written: formatMoney(row.written),
    premium_earned: formatMoney(row.earned),
    premium_unearned: formatMoney(row.unearned),
    premium_returned: formatMoney(row.returned),
    customers: row.holders.size,
    claims_filed: row.filed,
    claims_paid: row.paid,
    amount_paid: formatMoney(row.amountPaid),
  };
}

function inCents(amount: string | null): bigint {
  return amount === null ? 0n : BigInt(amount.replace('.', ''));
}
