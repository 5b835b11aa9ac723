import type { Day } from '#event-sourcing/time.ts';
import { addDays } from '../values/dates.ts';
import {
  type Fraction,
  formatExact,
  fraction,
  parseFraction,
  plus,
  proportion,
  toMoney,
  ZERO,
} from '../values/fraction.ts';
import { divideHalfUp, formatMoney, type MinorUnits, parseSum } from '../values/money.ts';
import {
  checkPremium,
  daysOfYear,
  larger,
  netForDays,
  netOf,
  type Price,
  priceOf,
  type Rates,
  smaller,
} from '../values/price.ts';
import { type AgreedTerm, type Coverage, type DayRange, daysOf, lastPeriod, type Period, type Term } from './term.ts';

/** What a period insures, and for how much a year. */
export interface CoverAndPrice {
  readonly coverages: readonly Coverage[];
  readonly annualNet: Fraction;
}

/**
 * Returns a term with one period, priced by its days (docs/insurance.md#price-of-a-term).
 * @throws {Refusal} when the premium is out of range
 */
export function pricedTerm({ from, through }: DayRange, cover: CoverAndPrice, rates: Rates): AgreedTerm {
  const days = { from, through };
  const net = netOf(cover.annualNet, daysOf(days), rates);
  return withPrice({ ...days, ...rates }, net, [storedPeriod({ ...days, ...cover }, net)]);
}

/** The amounts of a term of another book. Tax and commission are null where they are not known. */
export interface ImportedPrice {
  readonly premium: string;
  readonly tax: string | null;
  readonly commission: string | null;
}

/** Returns an imported term: its annual net price and its rates are those that its amounts have, exactly. */
export function importedTerm(
  days: DayRange,
  { premium, tax, commission }: ImportedPrice,
  coverages: readonly Coverage[],
): AgreedTerm {
  const net = parseSum(premium) - parseSum(tax ?? '0.00');
  const length = daysOf(days);
  const annualNet = fraction(net * daysOfYear(length), 100n * BigInt(length));
  const rate = (amount: string | null) => {
    if (amount === null) return null;
    return net === 0n ? '0' : formatExact(fraction(parseSum(amount), net));
  };
  const period = { ...days, coverages: [...coverages], annualNet: formatExact(annualNet), net: formatMoney(net) };
  return {
    ...days,
    premium,
    net: formatMoney(net),
    fee: '0.00',
    tax,
    commission,
    minimum: '0.00',
    taxRate: rate(tax),
    commissionRate: rate(commission),
    periods: [period],
  };
}

/** Returns a term that was never changed, and so has one period, on other days. It keeps its amounts. */
export function moveTerm(term: Term, { from, through }: DayRange): Term {
  return { ...term, from, through, periods: [{ ...lastPeriod(term), from, through }] };
}

/** Returns the annual net price of a period, rounded: imported terms have an exact quotient. */
export function roundedAnnualNet({ annualNet }: Pick<Period, 'annualNet'>): MinorUnits {
  return toMoney(parseFraction(annualNet));
}

/** Returns the net price that is earned through a day: whole periods that are over, and a part of the one under way. */
export function earnedNet({ periods }: Pick<AgreedTerm, 'periods'>, through: Day): MinorUnits {
  return periods.reduce((sum, period) => sum + earnedOf(period, through), 0n);
}

function earnedOf(period: Period, through: Day): MinorUnits {
  if (through < period.from) return 0n;
  const net = parseSum(period.net);
  if (through >= period.through) return net;
  return divideHalfUp(net * BigInt(daysOf({ from: period.from, through })), BigInt(daysOf(period)));
}

/** Returns the commission that is earned with a part of the net price. */
export function earnedCommission(
  { net, commission }: Pick<Price, 'net' | 'commission'>,
  earned: MinorUnits,
): MinorUnits {
  return proportion(parseSum(commission ?? '0.00'), earned, parseSum(net));
}

/**
 * What a change makes of a period of a term with this rate of tax.
 * @throws {Refusal} `invalid_request` when it does not fit
 */
export type ChangeCover = (cover: CoverAndPrice, taxRate: Fraction) => CoverAndPrice;

/**
 * Returns a term after a change that takes effect on a later day than today. A term that begins on the day or later is
 * priced again as a whole. Otherwise the period of the day is cut: the days before keep what they have earned, and the
 * rest of the term gets the remainder of the new net price.
 * @param day not before the last change of the term
 * @param minimumRetained the part of the net price that the policy never returns
 * @param isKept whether the net price cannot fall, because an end would return nothing
 * @throws {Refusal} when the premium is out of range, or as the change does
 */
export function changedTerm(
  term: Term,
  change: ChangeCover,
  day: Day,
  { minimumRetained, isKept }: { readonly minimumRetained: string; readonly isKept: boolean },
): AgreedTerm {
  const changedPeriod = (period: Period): CoverAndPrice =>
    change(coverOfPeriod(period), parseFraction(term.taxRate ?? '0'));
  if (day <= term.from) return pricedTerm(term, changedPeriod(lastPeriod(term)), term);
  const { past, current, earned } = cutAt(term, day);
  const rest = { from: day, through: term.through, ...changedPeriod(current) };
  const priced = toMoney(annualShare(term, [...past.map((period) => ({ ...period, ...coverOfPeriod(period) })), rest]));
  const retained = smaller(parseSum(minimumRetained), parseSum(term.netAtStart ?? term.net));
  const kept = isKept ? parseSum(term.net) : 0n;
  const net = [parseSum(term.minimum), earned, retained, kept].reduce(larger, priced);
  return withPrice(term, net, [...past, storedPeriod(rest, net - earned)]);
}

/** Returns the periods before the day with what they have earned, the sum of it, and the period of the day. */
function cutAt(term: AgreedTerm, day: Day) {
  const dayBefore = addDays(day, -1);
  const past = term.periods.filter(({ through }) => through < day);
  const current = term.periods[past.length] ?? lastPeriod(term);
  const earned = earnedNet(term, dayBefore);
  if (current.from === day) return { past, current, earned };
  const begun = { ...current, through: dayBefore, net: formatMoney(earnedOf(current, dayBefore)) };
  return { past: [...past, begun], current, earned };
}

type Unpriced = DayRange & CoverAndPrice;

function withPrice({ from, through, ...term }: DayRange & Rates, net: MinorUnits, periods: Period[]): AgreedTerm {
  const { fee, minimum, taxRate, commissionRate } = term;
  const price = priceOf(net, { fee, taxRate, commissionRate });
  checkPremium(price);
  return { from, through, ...price, minimum, taxRate, commissionRate, periods };
}

/** Sum of annual net price × days ÷ days of the year, over all periods of a term. */
function annualShare(term: DayRange, periods: readonly Unpriced[]): Fraction {
  const shares = periods.map((period) => netForDays(period.annualNet, daysOf(period), daysOf(term)));
  return shares.reduce(plus, ZERO);
}

function coverOfPeriod({ coverages, annualNet }: Period): CoverAndPrice {
  return { coverages, annualNet: parseFraction(annualNet) };
}

function storedPeriod({ from, through, coverages, annualNet }: Unpriced, net: MinorUnits): Period {
  return { from, through, coverages: [...coverages], annualNet: formatExact(annualNet), net: formatMoney(net) };
}
