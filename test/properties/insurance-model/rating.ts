// Rating of a product or a tier, and who is eligible (docs/insurance.md, Rating).
import { parseMoney } from '#domain/values/money.ts';
import { type Day, plus } from './days.ts';
import { add, decimal, type Fraction, ONE, percent, quotient, round, times, ZERO } from './fractions.ts';
import {
  type Coverage,
  format,
  LARGEST,
  netOf,
  premiumOf,
  priceOf,
  priceTerm,
  type Rates,
  shareOfYear,
} from './timeline.ts';

export interface Loading {
  readonly field: string;
  readonly equals?: string | number;
  readonly at_least?: string | number;
  readonly below?: string | number;
  readonly percent?: string;
  readonly amount?: string;
  readonly label: string;
}

export interface Rating {
  readonly rate?: { readonly field: string; readonly percent: string };
  readonly loadings?: readonly Loading[];
  readonly discount_percent?: string;
  readonly minimum_premium?: string;
  readonly surcharge?: string;
  readonly tax_percent?: string;
  readonly commission_percent?: string;
}

interface Priced {
  readonly base_premium: string;
  readonly rating?: Rating;
  readonly coverages?: readonly Coverage[];
}

/** A product as AddProduct takes it. */
export interface Product extends Priced {
  readonly tiers?: readonly (Priced & { readonly tier_name: string })[];
  readonly cancellation?: {
    readonly cooling_off_days?: number;
    readonly refund_after_claim?: boolean;
    readonly minimum_retained?: string;
  };
  readonly additional_information?: { readonly min_age?: number; readonly max_age?: number };
  readonly renewable?: boolean;
  readonly inspection_required?: boolean;
}

/** Values of a quote request by field. */
export type Values = Readonly<Record<string, string | number>>;

/** "A tier without rating (without coverages) has the product's"; a tier that is gone, too. */
export function tierOf({ tiers = [], ...product }: Product, tier: string | null): Priced {
  return { ...product, ...tiers.find(({ tier_name }) => tier_name === tier) };
}

/** Returns fee, minimum and percentages of a product or tier; undefined without a rating. */
export function ratesOf({ rating }: Priced): Rates | undefined {
  return (
    rating && {
      fee: parseMoney(rating.surcharge ?? '0.00'),
      minimum: parseMoney(rating.minimum_premium ?? '0.00'),
      tax: percent(rating.tax_percent ?? '0'),
      commission: percent(rating.commission_percent ?? '0'),
    }
  );
}

export interface Rated {
  readonly basePrice: bigint;
  readonly discount: bigint;
  /** A: the annual net price. */
  readonly annualNet: bigint;
}

/**
 * Steps 1 to 3, each rounded once, of the exact value; undefined: no quote. "A field that the tariff reads and that has
 * no answer: no offer."
 */
export function rate({ base_premium, rating = {} }: Priced, values: Values): Rated | undefined {
  const base = parseMoney(base_premium);
  const rated = rating.rate && values[rating.rate.field];
  const read = [...(rating.rate ? [rating.rate] : []), ...(rating.loadings ?? [])];
  if (read.some(({ field }) => values[field] === undefined)) return undefined;
  // A value is in whole units, an amount in hundredths.
  const part = rating.rate ? times(times(decimal(rated ?? 0), percent(rating.rate.percent)), quotient(100, 1)) : ZERO;
  const basePrice = base + round(part);
  const loadings = (rating.loadings ?? []).filter((loading) => applies(loading, values));
  const loaded = round(
    loadings.reduce((sum, loading) => add(sum, loadingOf(loading, basePrice)), times(basePrice, ONE)),
  );
  if (loaded < 0n) return undefined;
  const discount = round(times(loaded, percent(rating.discount_percent ?? '0')));
  return { basePrice, discount, annualNet: loaded - discount };
}

function loadingOf(loading: Loading, basePrice: bigint): Fraction {
  if (loading.percent !== undefined) return times(basePrice, percent(loading.percent));
  return times(decimal(loading.amount ?? '0'), quotient(100, 1));
}

function applies({ field, equals, at_least, below }: Loading, values: Values): boolean {
  const value = values[field];
  if (value === undefined) throw new Error(`${field} is given`);
  if (equals !== undefined && String(equals) !== String(value)) return false;
  if (at_least !== undefined && isBelow(value, at_least)) return false;
  return below === undefined || isBelow(value, below);
}

function isBelow(a: string | number, b: string | number): boolean {
  return add(decimal(a), times(-1n, decimal(b))).top < 0n;
}

/**
 * Step 4, as the `price` of a quote for a number of days (null: a year); undefined: no quote, "nor does a price over 8
 * digits" give one.
 */
export function quote(priced: Priced, values: Values, duration: number | null) {
  const rated = rate(priced, values);
  if (rated === undefined) return undefined;
  const rates = ratesOf(priced) ?? { fee: 0n, minimum: 0n, tax: ZERO, commission: ZERO };
  const annualNet = quotient(rated.annualNet, 1);
  const n = duration ?? 365;
  // Which days they are does not matter to the price.
  const term = priceTerm(
    0,
    ['2001-01-01', plus('2001-01-01', n - 1)],
    { coverages: priced.coverages ?? [], annualNet },
    rates,
  );
  if (premiumOf(priceOf(term)) > LARGEST) return undefined;
  const isMinimum = rates.minimum > round(shareOfYear(annualNet, n, n));
  const discount = isMinimum ? 0n : round(shareOfYear(quotient(rated.discount, 1), n, n));
  const price = {
    base_price: format(rated.basePrice),
    total_price: format(premiumOf(priceOf(term))),
    amount: format(netOf(term) + discount),
    discount_amount: format(discount),
    surcharges: format(rates.fee),
    tax: format(term.tax),
    commission: format(term.commission),
  };
  return { annualNet, rates, price };
}

/**
 * "`pricing` of a product: amount = N of a year without rate, loadings and discount; total_price = amount + surcharges
 * + tax."
 */
function pricingOf({ rating, ...product }: Product) {
  const { rate: _rate, loadings: _loadings, discount_percent: _discount, ...rest } = rating ?? {};
  return quote({ ...product, rating: rest }, {}, null)?.price;
}

/** Whether the price of every tier has at most 8 integer digits, without which a product is refused. */
export function isPriced({ tiers = [], ...product }: Product): boolean {
  return [product, ...tiers.map((tier) => ({ ...product, ...tier }))].every((each) => pricingOf(each) !== undefined);
}

/** Age "in whole years (born on 29 February: from 1 March)". */
function ageOn(born: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4));
  return day.slice(5) < born.slice(5) ? years - 1 : years;
}

/** "Both inclusive"; unknown: not eligible for a purchase of a product with a limit. */
export function isEligible({ additional_information: limits = {} }: Product, born: Day | null, day: Day): boolean {
  const { min_age, max_age } = limits;
  if (min_age === undefined && max_age === undefined) return true;
  if (born === null) return false;
  const age = ageOn(born, day);
  return age >= (min_age ?? 0) && age <= (max_age ?? age);
}
