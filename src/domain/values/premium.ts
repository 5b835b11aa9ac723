import { divideHalfUp, formatMoney, MAX_MINOR, type MinorUnits, parseMoney } from './money.ts';
import { HUNDRED_PERCENT, parsePercent } from '../product/pricing.ts';
import type { Rating } from './rating.ts';
import { compareDecimals, type Decimal, decimalOf, isSameValue, riskDetail } from './risk-values.ts';

type Loading = NonNullable<Rating['loadings']>[number];

/** Features of the risk in a quote request: `additional_information`. */
export type RiskDetails = Readonly<Record<string, unknown>>;

export interface PremiumParts {
  /** Before loadings and discount. */
  readonly basePrice: string;
  /** Total price, tax included. */
  readonly premium: string;
  readonly amount: string;
  readonly discount: string;
  readonly surcharges: string;
  /** Included in the net price. */
  readonly commission: string;
  readonly tax: string;
}

/**
 * Computes the price of a product or tier for a risk. Each of the four steps is exact and then rounded
 * half-up once, to 2 decimals. Returns undefined when there is no price: the rate's field is absent or not a number, an amount
 * has more than 8 integer digits, or the premium would be negative.
 */
export function premiumOf(basePremium: string, rating: Rating | null, risk: RiskDetails): PremiumParts | undefined {
  const { rate, loadings = [], discount_percent = '0', tax_percent = '0', commission_percent = '0' } = rating ?? {};
  const value = rate === undefined ? ZERO : decimalOf(riskDetail(risk, rate.field));
  if (value === undefined) return undefined;
  const basePrice = basePriceOf(parseMoney(basePremium), value, parsePercent(rate?.percent ?? '0'));
  const loaded = loadedPrice(
    basePrice,
    loadings.filter((loading) => isApplicable(loading, risk)),
  );
  const discounted = roundedShare(loaded, HUNDRED_PERCENT - parsePercent(discount_percent));
  const net = atLeast(discounted, rating?.minimum_premium);
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
  return formatParts(parts);
}

const ZERO: Decimal = { digits: 0n, scale: 0 };

/** base premium + value × percent. */
function basePriceOf(basePremium: MinorUnits, { digits, scale }: Decimal, percent: bigint): MinorUnits {
  const unit = 10n ** BigInt(scale);
  return divideHalfUp(basePremium * unit * HUNDRED_PERCENT + digits * 100n * percent, unit * HUNDRED_PERCENT);
}

/** base price + Σ (base price × percent, or amount). */
function loadedPrice(basePrice: MinorUnits, loadings: readonly Loading[]): MinorUnits {
  const shares = loadings.map(({ percent, amount }) =>
    amount === undefined ? basePrice * parsePercent(percent ?? '0') : parseMoney(amount) * HUNDRED_PERCENT,
  );
  return divideHalfUp(
    shares.reduce((sum, share) => sum + share, basePrice * HUNDRED_PERCENT),
    HUNDRED_PERCENT,
  );
}

function roundedShare(amount: MinorUnits, percent: bigint): MinorUnits {
  return divideHalfUp(amount * percent, HUNDRED_PERCENT);
}

function atLeast(amount: MinorUnits, minimum: string | undefined): MinorUnits {
  const lowest = minimum === undefined ? amount : parseMoney(minimum);
  return lowest > amount ? lowest : amount;
}

/** Returns whether all conditions of a loading hold. None holds when the field is absent. */
function isApplicable({ field, equals, at_least: minimum, below }: Loading, risk: RiskDetails): boolean {
  const value = riskDetail(risk, field);
  if (equals !== undefined && !isSameValue(value, equals)) return false;
  const compareTo = (bound: string) => {
    const [number, limit] = [decimalOf(value), decimalOf(bound)];
    return number === undefined || limit === undefined ? undefined : compareDecimals(number, limit);
  };
  if (minimum !== undefined && !((compareTo(minimum) ?? -1) >= 0)) return false;
  return below === undefined || (compareTo(below) ?? 1) < 0;
}

function formatParts<Name extends string>(parts: Readonly<Record<Name, MinorUnits>>): Record<Name, string> {
  const texts = Object.entries<MinorUnits>(parts).map(([name, part]) => [name, formatMoney(part)]);
  return Object.fromEntries(texts) as Record<Name, string>;
}
