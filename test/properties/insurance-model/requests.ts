// How a policy is bought, renewed and imported, as a client asks for it.
import { type Change, refuse } from './changes.ts';
import type { Day } from './days.ts';
import type { Values } from './rating.ts';
import { contains } from './state.ts';
import type { Coverage, ImportedPrice, Term } from './timeline.ts';

export interface Purchase {
  readonly values: Values;
  /** Days of the quote and of the purchase; null: a year, and those of the quote. */
  readonly quoted: number | null;
  readonly duration: number | null;
  /** "A product with tiers gives one quote per tier instead." */
  readonly tier: string | null;
  readonly from: Day;
  readonly autoRenew: boolean;
  readonly born: Day | null;
  /** Whether the quote was asked for with the customer; else the purchase names the customer. */
  readonly isAsked: boolean;
}

export interface Renewal {
  readonly from: Day;
  readonly days: number;
  readonly autoRenew: boolean;
  readonly change: Change | null;
}

export interface ImportedRow extends ImportedPrice, Pick<Term, 'from' | 'through'> {
  readonly coverages: readonly Coverage[];
  readonly autoRenew: boolean;
  readonly cancelledOn: Day | null;
  readonly returnPremium: bigint | null;
}

/** "T below P (or both 0.00) and C at most N, else `invalid_row`." @throws {Refused} */
export function checkRow(row: ImportedRow): void {
  const { premium, tax, commission, cancelledOn, returnPremium } = row;
  if (tax !== null && tax >= premium && tax + premium > 0n) refuse('invalid_row');
  if (commission !== null && commission > premium - (tax ?? 0n)) refuse('invalid_row');
  if (cancelledOn !== null && !contains(row, cancelledOn)) refuse('invalid_row');
  if (returnPremium !== null && (cancelledOn === null || returnPremium > premium)) refuse('invalid_row');
}
