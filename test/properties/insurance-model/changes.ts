// Changes of coverage, at a renewal and in the middle of a term (docs/insurance.md, Changes of coverage).
import { parseMoney } from '#domain/values/money.ts';
import { type Day, countDays, plus } from './days.ts';
import { add, type Fraction, inverse, largest, ONE, round, times, ZERO } from './fractions.ts';
import {
  annualShares,
  type Cover,
  type Coverage,
  charges,
  earnedNet,
  format,
  lastPeriod,
  LARGEST,
  minus,
  type Period,
  premiumOf,
  priceOf,
  priceTerm,
  type Term,
  totalOf,
} from './timeline.ts';

/** A command that the rules refuse with a code. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function refuse(code: string): never {
  throw new Refused(code);
}

/** A change as requests spell it. */
export interface Change {
  readonly action: 'add' | 'modify' | 'remove';
  readonly coverage_name?: string;
  readonly coverage_type?: string;
  readonly coverage_limit?: string | null;
  readonly deductible?: string | null;
  readonly covered_items?: unknown;
  readonly additional_amount?: string;
}

/** Returns what is agreed after the changes of a request. @param tax the rate of the term that is priced */
export function changeCover(cover: Cover, changes: readonly Change[], tax: Fraction | null): Cover {
  const after = changes.reduce<Cover>(({ coverages, annualNet }, change) => {
    // "Tax included, of either sign: A grows by round(additional_amount ÷ (1 + tax_percent))", each rounded by itself.
    const additional = times(parseMoney(change.additional_amount ?? '0.00'), inverse(add(ONE, tax ?? ZERO)));
    return { coverages: changeCoverages(coverages, change), annualNet: add(annualNet, round(additional)) };
  }, cover);
  if (after.annualNet.top < 0n || after.coverages.length === 0) refuse('invalid_request');
  return after;
}

function changeCoverages(coverages: readonly Coverage[], change: Change): readonly Coverage[] {
  const { action, coverage_name: name, coverage_type: type } = change;
  if (action === 'add') {
    // "`add` needs a new name, its type stands for a missing one."
    const newName = name ?? type ?? refuse('invalid_request');
    if (coverages.some((each) => isSame(each.coverage_name, newName))) refuse('invalid_request');
    const added = { coverage_name: newName, coverage_type: type ?? null, coverage_limit: null, deductible: null };
    return [...coverages, replaceMembers(added, change)];
  }
  const found = findCoverage(coverages, name, type);
  if (action === 'remove') return coverages.filter((each) => each !== found);
  return coverages.map((each) => (each === found ? replaceMembers(each, change) : each));
}

/**
 * "`coverage_name`, where given, finds a coverage without case, and nothing else does; without it the type is looked
 * for among the names, then among the types; none or several: 400."
 */
function findCoverage(coverages: readonly Coverage[], name: string | undefined, type: string | undefined): Coverage {
  const named = coverages.filter((each) => isSame(each.coverage_name, name ?? type));
  const ofType = coverages.filter((each) => isSame(each.coverage_type, type));
  const found = name === undefined && named.length === 0 ? ofType : named;
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? refuse('invalid_request') : only;
}

function isSame(a: string | null, b: string | undefined): boolean {
  return a !== null && b !== undefined && a.toLowerCase() === b.toLowerCase();
}

/** "Given members replace, null clears, absent ones stay." */
function replaceMembers(coverage: Coverage, change: Change): Coverage {
  const { covered_items: before, ...others } = coverage;
  const { coverage_limit = coverage.coverage_limit, deductible = coverage.deductible, covered_items = before } = change;
  // Items that were cleared are not shown.
  const items = covered_items === undefined || covered_items === null ? {} : { covered_items };
  return { ...others, coverage_limit, deductible, ...items };
}

/**
 * Changes the term of today: "it cuts the period of that day: the days before keep what they have earned; the rest of
 * the term, a new period, gets N′ − E". A second change on a day replaces the period that begins there.
 * @param retained "the smaller of `minimum_retained` and the net with which the term began", or N where a cancellation
 * would return nothing
 */
export function changeTermInForce(term: Term, changes: readonly Change[], today: Day, retained: bigint): Term {
  const before = plus(today, -1);
  const cover = changeCover(lastPeriod(term), changes, term.rates.tax);
  const earlier = term.periods.filter(({ from }) => from < today).map((period) => cutPeriod(period, before));
  const rest = { from: today, through: term.through, ...cover };
  const earned = earnedNet(term, before);
  const n = countDays(term.from, term.through);
  const annual = round(annualShares([...earlier, { ...rest, net: 0n }], n));
  const net = largest(annual, term.rates.minimum, earned, retained);
  const periods = [...earlier, { ...rest, net: net - earned }];
  return requirePrice({ ...term, periods, ...charges(net, term.rates) });
}

function cutPeriod(period: Period, through: Day): Period {
  if (period.through <= through) return period;
  return { ...period, through, net: earnedNet({ periods: [period] }, through) };
}

/**
 * Changes a term that has not begun: "the same changes are made to the coverages and to the A of its periods, and it is
 * priced again".
 */
export function changeLaterTerm(term: Term, changes: readonly Change[]): Term {
  const cover = changeCover(lastPeriod(term), changes, term.rates.tax);
  return requirePrice(priceTerm(term.number, [term.from, term.through], cover, term.rates));
}

/** "A term whose P would have more [than 8 integer digits] is refused (400 `premium_out_of_range`)." */
export function requirePrice(term: Term): Term {
  return premiumOf(priceOf(term)) > LARGEST ? refuse('premium_out_of_range') : term;
}

/** Returns what terms cost more than before. */
export function answerOfChange(before: readonly Term[], after: readonly Term[]) {
  const prices = after.map((term, index) => ({ term, price: priceOf(term), old: priceOf(before[index] ?? term) }));
  const { premium, tax } = totalOf(prices.map(({ price, old }) => minus(price, old)));
  const terms = prices.map(({ term: { from, through }, price, old }) => {
    return { from, through, premium_before: format(premiumOf(old)), premium: format(premiumOf(price)) };
  });
  return { premium_difference: premium, tax_difference: tax, terms };
}
