import { divideHalfUp, formatMoney, MAX_MINOR, type Minor, parseMoney } from './money.ts';
import { HUNDRED_PERCENT, parsePercent } from '../product/pricing.ts';
import type { Rating } from './rating.ts';
import { compareDecimals, type Decimal, decimalOf, isSameValue, riskDetail } from './risk-values.ts';

type Loading = NonNullable<Rating['loadings']>[number];

/** Answers to the questions of a quote request: `additional_information`. */
export type RiskDetails = Readonly<Record<string, unknown>>;

/** What 365 days of cover cost and how that came about; every amount is stored money. */
export interface PremiumParts {
  /** Before loadings and discount. */
  readonly basePrice: string;
  /** What is to be paid, tax included. */
  readonly premium: string;
  /** Net price and discount together. */
  readonly amount: string;
  /** What the discount took off. */
  readonly discount: string;
  readonly surcharges: string;
  /** Part of the net price, not added to it. */
  readonly commission: string;
  readonly tax: string;
}

/**
 * The price of a product or tier for a risk (`decisions`: Rating). Each of the four steps is exact and then rounded half-up
 * to 2 places once. Undefined when there is no price: the rate's field is absent or no number, an amount has more than 8
 * integer digits, or the premium would be negative.
 */
export function premiumOf(basePremium: string, rating: Rating | null, told: RiskDetails): PremiumParts | undefined {
  const { rate, loadings = [], discount_percent = '0', tax_percent = '0', commission_percent = '0' } = rating ?? {};
  const value = rate === undefined ? NOTHING : decimalOf(riskDetail(told, rate.field));
  if (value === undefined) return undefined;
  const basePrice = basePriceOf(parseMoney(basePremium), value, parsePercent(rate?.percent ?? '0'));
  const loaded = loadedPrice(
    basePrice,
    loadings.filter((loading) => applies(loading, told)),
  );
  const discounted = roundedShare(loaded, HUNDRED_PERCENT - parsePercent(discount_percent));
  const net = larger(discounted, rating?.minimum_premium);
  const discount = loaded - discounted;
  const surcharges = parseMoney(rating?.surcharge ?? '0');
  const premium = roundedShare(net + surcharges, HUNDRED_PERCENT + parsePercent(tax_percent));
  const parts = {
    basePrice,
    premium,
    amount: net + discount,
    discount,
    surcharges,
    commission: roundedShare(net, parsePercent(commission_percent)),
    tax: premium - net - surcharges,
  };
  if (premium < 0n || Object.values(parts).some((part) => part > MAX_MINOR || part < -MAX_MINOR)) return undefined;
  return formatted(parts);
}

const NOTHING: Decimal = { digits: 0n, scale: 0 };

/** base premium + value × percent. */
function basePriceOf(basePremium: Minor, { digits, scale }: Decimal, percent: bigint): Minor {
  const unit = 10n ** BigInt(scale);
  return divideHalfUp(basePremium * unit * HUNDRED_PERCENT + digits * 100n * percent, unit * HUNDRED_PERCENT);
}

/** base price + Σ (base price × percent, or amount). */
function loadedPrice(basePrice: Minor, loadings: readonly Loading[]): Minor {
  const shares = loadings.map(({ percent, amount }) =>
    amount === undefined ? basePrice * parsePercent(percent ?? '0') : parseMoney(amount) * HUNDRED_PERCENT,
  );
  return divideHalfUp(
    shares.reduce((sum, share) => sum + share, basePrice * HUNDRED_PERCENT),
    HUNDRED_PERCENT,
  );
}

function roundedShare(amount: Minor, percent: bigint): Minor {
  return divideHalfUp(amount * percent, HUNDRED_PERCENT);
}

function larger(amount: Minor, minimum: string | undefined): Minor {
  const least = minimum === undefined ? amount : parseMoney(minimum);
  return least > amount ? least : amount;
}

/** Whether all conditions of a loading hold; where its field is absent, none does. */
function applies({ field, equals, at_least: atLeast, below }: Loading, told: RiskDetails): boolean {
  const value = riskDetail(told, field);
  if (equals !== undefined && !isSameValue(value, equals)) return false;
  const compared = (bound: string) => {
    const [number, limit] = [decimalOf(value), decimalOf(bound)];
    return number === undefined || limit === undefined ? undefined : compareDecimals(number, limit);
  };
  if (atLeast !== undefined && !((compared(atLeast) ?? -1) >= 0)) return false;
  return below === undefined || (compared(below) ?? 1) < 0;
}

function formatted<Name extends string>(parts: Readonly<Record<Name, Minor>>): Record<Name, string> {
  const texts = Object.entries<Minor>(parts).map(([name, part]) => [name, formatMoney(part)]);
  return Object.fromEntries(texts) as Record<Name, string>;
}
