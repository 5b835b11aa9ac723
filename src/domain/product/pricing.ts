import { divideHalfUp, formatMoney, parseMoney } from '../values/money.ts';
import type { Rating } from '../values/rating.ts';

interface Pricing {
  readonly amount: string;
  readonly tax: string;
  readonly surcharges: string;
  readonly total_price: string;
}

const PERCENT_DECIMALS = 6;
const ONE_PERCENT = 10n ** BigInt(PERCENT_DECIMALS);
/** Denominator of a parsed percentage: `amount * parsePercent(text) / HUNDRED_PERCENT`. */
export const HUNDRED_PERCENT = 100n * ONE_PERCENT;

/** Parses a percentage of a rating: `7.5` → 7500000n. */
export function parsePercent(text: string): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const parsed = BigInt(whole + fraction.padEnd(PERCENT_DECIMALS, '0'));
  return negative ? -parsed : parsed;
}

export function pricingOf(basePremium: string, rating: Rating | null): Pricing {
  const amount = parseMoney(basePremium);
  const surcharges = parseMoney(rating?.surcharge ?? '0.00');
  const tax = divideHalfUp((amount + surcharges) * parsePercent(rating?.tax_percent ?? '0'), HUNDRED_PERCENT);
  return {
    amount: formatMoney(amount),
    tax: formatMoney(tax),
    surcharges: formatMoney(surcharges),
    total_price: formatMoney(amount + surcharges + tax),
  };
}
