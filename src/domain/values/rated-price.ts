import { ofMoney, percent, plus, times, toMoney, ZERO, fraction, type Fraction } from './fraction.ts';
import { formatMoney, type MinorUnits, parseMoney, storedSum } from './money.ts';
import { isPremiumInRange, type KnownRates, netForDays, netOf, priceOf } from './price.ts';
import { type FieldReading, type Rating, readingsOf } from './rating.ts';
import { compareDecimals, decimalOf, isBlank, isSameValue, riskDetail } from './risk-values.ts';

type Loading = NonNullable<Rating['loadings']>[number];

/** Features of the risk in a quote request: `additional_information`. */
export type RiskDetails = Readonly<Record<string, unknown>>;

/** The annual price of a product or tier for a risk (docs/insurance.md#rating). */
export interface RatedPrice {
  /** Before loadings and discount. */
  readonly basePrice: MinorUnits;
  readonly discount: MinorUnits;
  readonly annualNet: MinorUnits;
}

/** A field of the risk that a rating cannot use. */
interface FieldFault {
  readonly code: 'field_missing' | 'field_invalid';
  readonly field: string;
  readonly message: string;
}

const NEEDED: Readonly<Record<FieldReading['needs'], string>> = {
  amount: 'a number or decimal string, not negative',
  number: 'a number or decimal string',
  boolean: 'true or false',
  text: 'a text',
};

/**
 * Returns the faults of the fields that a rating reads, one a field. A price that leaves one out would be too low or
 * too high.
 */
export function ratingFaults(rating: Rating | null, risk: RiskDetails): readonly FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const { field, needs } of readingsOf(rating)) {
    const value = riskDetail(risk, field);
    if (faults.has(field) || isUsable(value, needs)) continue;
    const message = `must be ${NEEDED[needs]}: the price of the product depends on it`;
    const missing = 'must be given: the price of the product depends on it';
    const isMissing = isBlank(value);
    faults.set(field, {
      code: isMissing ? 'field_missing' : 'field_invalid',
      field,
      message: isMissing ? missing : message,
    });
  }
  return [...faults.values()];
}

function isUsable(value: unknown, needs: FieldReading['needs']): boolean {
  if (needs === 'boolean') return [true, false].some((word) => isSameValue(value, word));
  if (needs === 'text') return ['string', 'number', 'boolean'].includes(typeof value) && !isBlank(value);
  const number = decimalOf(value);
  return number !== undefined && (needs === 'number' || number.digits >= 0n);
}

/**
 * Rates a risk. Each step is rounded once. Returns undefined when there is no price: the field of the rate is absent or
 * not a number, or the loaded price is below zero.
 */
export function ratedPrice(basePremium: string, rating: Rating | null, risk: RiskDetails): RatedPrice | undefined {
  const { rate, loadings = [], discount_percent = '0' } = rating ?? {};
  const value = rate === undefined ? ZERO : numberOf(riskDetail(risk, rate.field));
  if (value === undefined) return undefined;
  const basePrice = toMoney(plus(ofMoney(parseMoney(basePremium)), times(value, percent(rate?.percent ?? '0'))));
  const added = loadings
    .filter((loading) => isApplicable(loading, risk))
    .map((loading) =>
      loading.amount === undefined
        ? times(ofMoney(basePrice), percent(loading.percent ?? '0'))
        : ofMoney(parseMoney(loading.amount)),
    );
  const loaded = toMoney(added.reduce(plus, ofMoney(basePrice)));
  if (loaded < 0n) return undefined;
  const discount = toMoney(times(ofMoney(loaded), percent(discount_percent)));
  return { basePrice, discount, annualNet: loaded - discount };
}

/**
 * Prices a term of that many days for a quote, which shows the discount beside the price. Returns undefined when the
 * premium has more than 8 integer digits, or an annual amount more than 18.
 */
export function quotedPrice(
  { basePrice, discount: annualDiscount, annualNet }: RatedPrice,
  rates: KnownRates,
  days: number,
) {
  const annual = ofMoney(annualNet);
  const net = netOf(annual, days, rates);
  const isMinimum = net > toMoney(netForDays(annual, days));
  const discount = isMinimum ? 0n : toMoney(netForDays(ofMoney(annualDiscount), days));
  const { premium, fee: surcharges, tax, commission } = priceOf(net, rates);
  if (!isPremiumInRange(premium) || ![basePrice, annualNet, net + discount].every(isStorable)) return undefined;
  return {
    basePrice: formatMoney(basePrice),
    annualNet: formatMoney(annualNet),
    premium,
    price: { amount: formatMoney(net + discount), discount: formatMoney(discount), surcharges, tax, commission },
  };
}

function isStorable(amount: MinorUnits): boolean {
  return storedSum.safeParse(formatMoney(amount)).success;
}

function numberOf(value: unknown): Fraction | undefined {
  const decimal = decimalOf(value);
  return decimal && fraction(decimal.digits, 10n ** BigInt(decimal.scale));
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
