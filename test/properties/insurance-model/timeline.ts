// A policy is a timeline of terms, which have prices (docs/insurance.md, Policy, term, period, and Price of a term).
import { isDeepStrictEqual } from 'node:util';
import { formatMoney } from '#domain/values/money.ts';
import { countDays, type Day, endOfDuration } from './days.ts';
import { add, type Fraction, largest, quotient, round, times, ZERO } from './fractions.ts';

/** A coverage as requests and answers spell it. */
export interface Coverage {
  readonly coverage_name: string;
  readonly coverage_type: string | null;
  readonly coverage_limit: string | null;
  readonly deductible: string | null;
  readonly covered_items?: unknown;
}

/** What is agreed for a year: the coverages and their annual net price A. */
export interface Cover {
  readonly coverages: readonly Coverage[];
  readonly annualNet: Fraction;
}

/** "Periods follow one another without a gap and fill the term." */
export interface Period extends Cover {
  readonly from: Day;
  readonly through: Day;
  readonly net: bigint;
}

/** Fee F, minimum M and the percentages of a term; null: unknown. */
export interface Rates {
  readonly fee: bigint;
  readonly minimum: bigint;
  readonly tax: Fraction | null;
  readonly commission: Fraction | null;
}

/** "Unknown counts as 0 and stays null in answers." The commission is a part of the net. */
export interface Amounts {
  readonly net: bigint;
  readonly fee: bigint;
  readonly tax: bigint | null;
  readonly commission: bigint | null;
}

/** "A term has from, through (both days whole), fee, tax, commission and periods." */
export interface Term {
  /** Terms are numbered in the order in which they were agreed. */
  readonly number: number;
  readonly from: Day;
  readonly through: Day;
  readonly rates: Rates;
  readonly tax: bigint | null;
  readonly commission: bigint | null;
  readonly periods: readonly Period[];
  /** "The net with which the term began." */
  readonly firstNet: bigint;
  readonly isWithdrawn: boolean;
  /** What the end of the policy returned of it. */
  readonly returned: Amounts | null;
}

/** The largest amount with 8 integer digits. */
export const LARGEST = 9_999_999_999n;
export const NOTHING: Amounts = { net: 0n, fee: 0n, tax: 0n, commission: 0n };

// ---- Price of a term

/** "Year: D = n where n is 365 or 366, else 365." Returns A × days ÷ D. */
export function shareOfYear(annual: Fraction, days: number, n: number): Fraction {
  return times(annual, quotient(days, n === 366 ? 366 : 365));
}

/** "Tax T = round((N + F) × tax_percent). Commission C = round(N × commission_percent)." */
export function charges(net: bigint, { fee, tax, commission }: Rates): Pick<Term, 'tax' | 'commission'> {
  return { tax: tax && round(times(net + fee, tax)), commission: commission && round(times(net, commission)) };
}

/** Prices a term: "Net N = the larger of round(A × n ÷ D) and M". */
export function priceTerm(number: number, [from, through]: readonly [Day, Day], cover: Cover, rates: Rates): Term {
  const n = countDays(from, through);
  const net = largest(round(shareOfYear(cover.annualNet, n, n)), rates.minimum);
  const periods = [{ from, through, ...cover, net }];
  const term = { number, from, through, rates, periods, firstNet: net, isWithdrawn: false, returned: null };
  return { ...term, ...charges(net, rates) };
}

/** What a row of an import says of a term, in minor units. */
export interface ImportedPrice {
  readonly premium: bigint;
  readonly tax: bigint | null;
  readonly commission: bigint | null;
}

/**
 * "An imported term has F = 0, M = 0, P as given, T and C as given or unknown, N = P − T; its annual net is N × D ÷ n
 * exactly."
 */
export function importTerm(
  number: number,
  [from, through]: readonly [Day, Day],
  { premium, tax, commission }: ImportedPrice,
  coverages: readonly Coverage[],
): Term {
  const n = countDays(from, through);
  const net = premium - (tax ?? 0n);
  const annualNet = times(net, quotient(n === 366 ? 366 : 365, n));
  const rateOf = (amount: bigint | null) => (amount === null ? null : quotient(amount, net));
  const rates = { fee: 0n, minimum: 0n, tax: rateOf(tax), commission: rateOf(commission) };
  const periods = [{ from, through, coverages, annualNet, net }];
  const isNew = { firstNet: net, isWithdrawn: false, returned: null };
  return { number, from, through, rates, tax, commission, periods, ...isNew };
}

export function netOf({ periods }: Pick<Term, 'periods'>): bigint {
  return periods.reduce((sum, { net }) => sum + net, 0n);
}

export function priceOf(term: Term): Amounts {
  return { net: netOf(term), fee: term.rates.fee, tax: term.tax, commission: term.commission };
}

/** "Premium P = N + F + T: what the customer pays." */
export function premiumOf({ net, fee, tax }: Amounts): bigint {
  return net + fee + (tax ?? 0n);
}

export function lastPeriod({ periods }: Pick<Term, 'periods'>): Period {
  const last = periods.at(-1);
  if (last === undefined) throw new Error('a term has a period');
  return last;
}

/** Returns a term that begins on another day and "keeps its duration and amounts". */
export function moveTerm(term: Term, from: Day): Term {
  const through = endOfDuration(from, countDays(term.from, term.through));
  return { ...term, from, through, periods: term.periods.map((period) => ({ ...period, from, through })) };
}

/**
 * E(k) through a day: "the nets of the periods over by then + round(net × days through k ÷ days) of the one under way".
 */
export function earnedNet({ periods }: Pick<Term, 'periods'>, day: Day): bigint {
  return periods.reduce((sum, { from, through, net }) => {
    const end = day < through ? day : through;
    return sum + round(times(net, quotient(countDays(from, end), countDays(from, through))));
  }, 0n);
}

/** "Commission earned = round(C × E(k) ÷ N)." */
export function earnedCommission(term: Term, day: Day): bigint {
  return round(times(term.commission ?? 0n, quotient(earnedNet(term, day), netOf(term))));
}

// ---- What is owed is the difference of two timelines, term by term

/** Returns what is owed for a term, after what was returned of it. */
function owedOf(term: Term | undefined): Amounts {
  if (term === undefined || term.isWithdrawn) return NOTHING;
  return term.returned === null ? priceOf(term) : minus(priceOf(term), term.returned);
}

/** Returns a − b; what is unknown in either is unknown in the difference. */
export function minus(a: Amounts, b: Amounts): Amounts {
  const known = (x: bigint | null, y: bigint | null): bigint | null => (x === null || y === null ? null : x - y);
  const [tax, commission] = [known(a.tax, b.tax), known(a.commission, b.commission)];
  return { net: a.net - b.net, fee: a.fee - b.fee, tax, commission };
}

/** Returns what the second timeline owes more than the first one, for every term with a difference. */
export function differences(before: readonly Term[], after: readonly Term[]) {
  return after.flatMap((term) => {
    const earlier = before.find(({ number }) => number === term.number);
    const amounts = minus(owedOf(term), owedOf(earlier));
    return premiumOf(amounts) === 0n ? [] : [{ ...amounts, term }];
  });
}

/** Returns the sum of premiums, and of taxes: null where every tax is unknown. */
export function totalOf(all: readonly Amounts[]) {
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  const tax = all.every((amounts) => amounts.tax === null) ? null : sum(all.map((amounts) => amounts.tax ?? 0n));
  return { premium: format(sum(all.map(premiumOf))), tax: format(tax) };
}

/** Formats an amount that may not be known. */
export function format(amount: bigint | null): string | null {
  return amount === null ? null : formatMoney(amount);
}

/** Returns Σ A × days ÷ D over all periods of a term. */
export function annualShares(periods: readonly Period[], n: number): Fraction {
  const shares = periods.map(({ from, through, annualNet }) => shareOfYear(annualNet, countDays(from, through), n));
  return shares.reduce((sum, share) => add(sum, share), ZERO);
}

/** Whether two terms end with the same coverages at the same annual net price. */
export function isSameCover(a: Term, b: Term): boolean {
  const [one, other] = [lastPeriod(a), lastPeriod(b)];
  const isSamePrice = one.annualNet.top * other.annualNet.bottom === other.annualNet.top * one.annualNet.bottom;
  return isSamePrice && isDeepStrictEqual(one.coverages, other.coverages);
}
