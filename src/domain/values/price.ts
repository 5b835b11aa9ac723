import { z } from 'zod';
import { type Fraction, fraction, ofMoney, parseFraction, storedFraction, times, toMoney } from './fraction.ts';
import { formatMoney, type MinorUnits, parseSum, storedMoney, storedSum } from './money.ts';
import { refusalsOf } from '../refusals.ts';

/**
 * What the price of a term depends on besides its days and its annual net price. It is the same for every length of a
 * term.
 */
export const storedRates = z.object({
  fee: storedSum,
  minimum: storedSum.describe('The least net price of a term.'),
  taxRate: storedFraction.nullable().describe('Tax on net price and fee; null where it is not known, as in imports.'),
  commissionRate: storedFraction.nullable().describe('Commission on the net price, which contains it; null: unknown.'),
});
export type Rates = z.infer<typeof storedRates>;

/** Rates of a rating, in which tax and commission are known. */
export interface KnownRates extends Rates {
  readonly taxRate: string;
  readonly commissionRate: string;
}

/** The price of a term (docs/insurance.md#price-of-a-term). */
export const storedPrice = z.object({
  premium: storedSum.describe('What the customer pays: net price, fee and tax.'),
  net: storedSum.describe('Net price; it contains the commission.'),
  fee: storedSum.describe('Fee.'),
  tax: storedSum.describe('Tax on net price and fee. Null where it is not known.').nullable(),
  commission: storedSum.describe('Commission on the net price. Null where it is not known.').nullable(),
});
export type Price = z.infer<typeof storedPrice>;

/** Picks the amounts of a price from what has them beside other members. */
export function pickPrice({ premium, net, fee, tax, commission }: Price): Price {
  return { premium, net, fee, tax, commission };
}

/** A price by the rates of a rating. */
interface KnownPrice extends Price {
  readonly tax: string;
  readonly commission: string;
}

/** The days of a year without 29 February. */
export const YEAR_DAYS = 365;

/** Returns whether a term of that many days is a year. */
function isYear(days: number): boolean {
  return days === YEAR_DAYS || days === YEAR_DAYS + 1;
}

/**
 * Returns the number of days that an annual price covers in a term of that many days: a year costs the annual price,
 * with or without 29 February.
 */
export function daysOfYear(days: number): bigint {
  return BigInt(isYear(days) ? days : YEAR_DAYS);
}

/** Returns what an annual net price is for so many days of a term, exactly. */
export function netForDays(annualNet: Fraction, days: number, daysOfTerm = days): Fraction {
  return times(annualNet, fraction(BigInt(days), daysOfYear(daysOfTerm)));
}

/** Returns the net price of a whole term: that of its days, at least the minimum. */
export function netOf(annualNet: Fraction, days: number, rates: Pick<Rates, 'minimum'>): MinorUnits {
  return larger(toMoney(netForDays(annualNet, days)), parseSum(rates.minimum));
}

/** Returns the price of a term with this net price. */
export function priceOf(net: MinorUnits, rates: Omit<KnownRates, 'minimum'>): KnownPrice;
export function priceOf(net: MinorUnits, rates: Omit<Rates, 'minimum'>): Price;
export function priceOf(net: MinorUnits, { fee, taxRate, commissionRate }: Omit<Rates, 'minimum'>): Price {
  const share = (rate: string | null, of: MinorUnits) =>
    rate === null ? null : toMoney(times(ofMoney(of), parseFraction(rate)));
  const tax = share(taxRate, net + parseSum(fee));
  return formatPrice({ net, fee: parseSum(fee), tax, commission: share(commissionRate, net) });
}

/** Formats a price; its premium is the sum of net price, fee and tax. */
export function formatPrice({ net, fee, tax, commission }: Amounts): Price {
  return {
    premium: formatMoney(net + fee + (tax ?? 0n)),
    net: formatMoney(net),
    fee: formatMoney(fee),
    tax: tax === null ? null : formatMoney(tax),
    commission: commission === null ? null : formatMoney(commission),
  };
}

/** The parts of a price; tax and commission are null where they are not known. */
export interface Amounts {
  readonly net: MinorUnits;
  readonly fee: MinorUnits;
  readonly tax: MinorUnits | null;
  readonly commission: MinorUnits | null;
}

export function amountsOf({ net, fee, tax, commission }: Omit<Price, 'premium'>): Amounts {
  const known = (amount: string | null) => (amount === null ? null : parseSum(amount));
  return { net: parseSum(net), fee: parseSum(fee), tax: known(tax), commission: known(commission) };
}

/** Returns what a price is more than another. A part that is not known of both is null. */
export function priceDifference(before: Price, after: Price): Price {
  const [one, other] = [amountsOf(before), amountsOf(after)];
  const less = (a: MinorUnits | null, b: MinorUnits | null) => (a === null || b === null ? null : a - b);
  return formatPrice({
    net: other.net - one.net,
    fee: other.fee - one.fee,
    tax: less(other.tax, one.tax),
    commission: less(other.commission, one.commission),
  });
}

/** Returns the premium before a change that made this difference. */
export function premiumBefore({ premium }: Pick<Price, 'premium'>, difference: Pick<Price, 'premium'>): string {
  return formatMoney(parseSum(premium) - parseSum(difference.premium));
}

export function larger(a: MinorUnits, b: MinorUnits): MinorUnits {
  return a > b ? a : b;
}

export function smaller(a: MinorUnits, b: MinorUnits): MinorUnits {
  return a < b ? a : b;
}

/** Returns whether a premium has at most 8 integer digits. */
export function isPremiumInRange(premium: string): boolean {
  return storedMoney.safeParse(premium).success;
}

const refuse = refusalsOf('premium_out_of_range');
/** Codes of everything that prices a term. */
export const premiumErrors = refuse.codes;

/** Checks that a premium has at most 8 integer digits. @throws {Refusal} */
export function checkPremium({ premium }: Pick<Price, 'premium'>): void {
  if (!isPremiumInRange(premium))
    throw refuse('premium_out_of_range', 'The premium of the term would have more than 8 integer digits');
}
