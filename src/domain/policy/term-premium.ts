import { daysBetween } from '../values/dates.ts';
import { divideHalfUp, formatMoney, MAX_MINOR, type MinorUnits, parseSum, proRata } from '../values/money.ts';
import { Refusal } from '../refusals.ts';
import type { AnnualPremium, ReturnPremium, Term } from './term.ts';

/** All prices are for this many days. */
const YEAR = 365n;

/** Returns the number of days of a term, counted from its dates. */
export function daysOf({ from, through }: Pick<Term, 'from' | 'through'>): number {
  return daysBetween(from, through) + 1;
}

type Part = 'tax' | 'surcharge' | 'commission';

/**
 * Returns what a term of that many days costs: annual amount × days ÷ 365, each half-up.
 * @throws {Refusal} `premium_out_of_range` when an amount has more than 8 integer digits
 */
export function premiumForDays(annual: AnnualPremium, days: number): Pick<Term, 'premium' | Part> {
  const share = (amount: string): string => inRange(proRata(parseSum(amount), days));
  const part = (name: Part): string | null => mapKnown(annual[name], share);
  return {
    premium: share(annual.premium),
    tax: part('tax'),
    surcharge: part('surcharge'),
    commission: part('commission'),
  };
}

function inRange(amount: MinorUnits): string {
  if (amount > MAX_MINOR || amount < -MAX_MINOR)
    throw new Refusal('premium_out_of_range', 'The premium of the term would have more than 8 integer digits');
  return formatMoney(amount);
}

/** Returns the annual premium of a term: that of its event, or of an imported term premium × 365 ÷ days, half-up. */
export function annualPremiumOf(term: Pick<Term, 'from' | 'through' | 'premium' | 'annual'>): AnnualPremium {
  if (term.annual !== null) return term.annual;
  const premium = divideHalfUp(parseSum(term.premium) * YEAR, BigInt(daysOf(term)));
  return { premium: formatMoney(premium), tax: null, surcharge: null, commission: null };
}

/**
 * Adds a gross amount to an annual premium. Tax and commission grow in the proportion of the gross premium, half-up; the
 * surcharge stays. Where the premium was 0.00 there is no proportion, and they stay too.
 */
export function addToAnnual(annual: AnnualPremium, additional: MinorUnits): AnnualPremium {
  const before = parseSum(annual.premium);
  const after = before + additional;
  const grown = (amount: string): string =>
    before === 0n ? amount : formatMoney(divideHalfUp(parseSum(amount) * after, before));
  return {
    premium: formatMoney(after),
    tax: mapKnown(annual.tax, grown),
    surcharge: annual.surcharge,
    commission: mapKnown(annual.commission, grown),
  };
}

type PricedTerm = Pick<Term, 'from' | 'through' | 'premium' | 'tax' | 'commission'>;

/** Returns what a cancellation on `lastDay` returns of a term: amount × days after it ÷ days, half-up; all of it before the term begins. */
export function returnPremiumOf(term: PricedTerm, lastDay: string): ReturnPremium {
  const days = daysOf(term);
  const left = lastDay < term.from ? days : Math.max(0, daysBetween(lastDay, term.through));
  const share = (amount: string): string => formatMoney(divideHalfUp(parseSum(amount) * BigInt(left), BigInt(days)));
  return {
    from: term.from,
    through: term.through,
    premium: share(term.premium),
    tax: mapKnown(term.tax, share),
    commission: mapKnown(term.commission, share),
  };
}

/** Returns the whole premium of a term as its return premium. */
export function fullReturnOf({ from, through, premium, tax, commission }: PricedTerm): ReturnPremium {
  return { from, through, premium, tax, commission };
}

/** Returns whether any amount is returned. */
export function returnsSomething({ premium, tax, commission }: ReturnPremium): boolean {
  return [premium, tax, commission].some((amount) => amount !== null && parseSum(amount) !== 0n);
}

/** Returns the sum of amounts of money, which may have more than 8 integer digits. */
export function sumOf(amounts: readonly string[]): string {
  return formatMoney(amounts.reduce((sum, amount) => sum + parseSum(amount), 0n));
}

function mapKnown(amount: string | null, change: (amount: string) => string): string | null {
  return amount === null ? null : change(amount);
}
