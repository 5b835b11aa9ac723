import { divideHalfUp, formatMoney, parseMoney } from '../values/money.ts';
import type { Rating } from '../values/rating.ts';

/** The limited price view of a product (specification, Product detail). */
export interface Pricing {
  readonly amount: string;
  readonly tax: string;
  readonly surcharges: string;
  readonly total_price: string;
}

const PERCENT_DECIMALS = 6;
const ONE_PERCENT = 10n ** BigInt(PERCENT_DECIMALS);
/** What a parsed percentage is a share of: `amount * parsePercent(text) / HUNDRED_PERCENT`. */
export const HUNDRED_PERCENT = 100n * ONE_PERCENT;

/** `7.5` → 7500000n. The shape is that of `rating`. */
export function parsePercent(text: string): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const parsed = BigInt(whole + fraction.padEnd(PERCENT_DECIMALS, '0'));
  return negative ? -parsed : parsed;
}

/** amount = base premium, tax = (amount + surcharges) × tax %, half-up (`decisions`: Rating). */
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
