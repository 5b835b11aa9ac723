import { normalise } from '#event-sourcing/identifiers.ts';
import { type Fraction, fraction, ofMoney, plus, toMoney } from '../values/fraction.ts';
import type { MinorUnits } from '../values/money.ts';
import { wrongField } from '../refusals.ts';
import { type Coverage, newCoverage } from './term.ts';
import type { ChangeCover, CoverAndPrice } from './timeline.ts';

/** One change of the coverages of a policy. What is undefined stays as it is, and null clears it. */
export interface CoverageChange {
  readonly action: 'add' | 'modify' | 'remove';
  /** Path of the change in the body, such as `changes.0`. */
  readonly field: string;
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly limit?: string | null | undefined;
  readonly deductible?: string | null | undefined;
  /** JSON text. */
  readonly coveredItems?: string | null | undefined;
  /** For a year, with tax. */
  readonly additionalAmount: MinorUnits;
}

/** As many as a product can have. */
const MAX_COVERAGES = 100;
/** Names, types and covered items of all coverages together: each period of a policy holds them all. */
export const MAX_COVERAGE_CHARACTERS = 20_000;

/** Returns how many characters coverages count for. */
export function charactersOf(coverages: readonly Pick<Coverage, 'name' | 'type' | 'coveredItems'>[]): number {
  const texts = coverages.flatMap(({ name, type, coveredItems }) => [name, type ?? '', coveredItems ?? '']);
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Returns a function that applies these changes in turn to a period of a term (docs/insurance.md#changes-of-coverage).
 * @throws {Refusal} `invalid_request`, naming a change that does not fit
 */
export function changesOf(changes: readonly CoverageChange[]): ChangeCover {
  const isSame = nameComparison();
  return (before, taxRate) => {
    const after = changes.reduce((cover, change) => changeOnce(cover, change, taxRate, isSame), before);
    const last = changes.at(-1)?.field ?? 'changes';
    if (after.annualNet.numerator < 0n)
      throw wrongField(`${last}.additional_amount`, 'would make the annual price negative');
    if (after.coverages.length === 0) throw wrongField(last, 'would leave the policy without a coverage');
    if (after.coverages.length > MAX_COVERAGES)
      throw wrongField(last, `would give the policy more than ${MAX_COVERAGES} coverages`);
    if (charactersOf(after.coverages) > MAX_COVERAGE_CHARACTERS)
      throw wrongField(
        last,
        `would give the policy names, types and covered_items of coverages of more than ${MAX_COVERAGE_CHARACTERS} characters in all`,
      );
    return after;
  };
}

type IsSame = (name: string, other: string) => boolean;

/** Makes a comparison of names that normalises each once, because every term and change compares the same ones. */
function nameComparison(): IsSame {
  const normalised = new Map<string, string>();
  const normaliseOnce = (name: string): string => {
    const known = normalised.get(name) ?? normalise(name);
    normalised.set(name, known);
    return known;
  };
  return (name, other) => normaliseOnce(name) === normaliseOnce(other);
}

function changeOnce(
  { coverages, annualNet }: CoverAndPrice,
  change: CoverageChange,
  taxRate: Fraction,
  isSame: IsSame,
): CoverAndPrice {
  const added = netOfGross(change.additionalAmount, taxRate);
  return { coverages: changeCoverages(coverages, change, isSame), annualNet: plus(annualNet, ofMoney(added)) };
}

/** Returns the net part of an amount that contains tax. */
function netOfGross(amount: MinorUnits, taxRate: Fraction): MinorUnits {
  const { numerator, denominator } = plus(fraction(1n, 1n), taxRate);
  return toMoney(fraction(amount * denominator, 100n * numerator));
}

function changeCoverages(coverages: readonly Coverage[], change: CoverageChange, isSame: IsSame): readonly Coverage[] {
  if (change.action === 'add') return [...coverages, coverageToAdd(coverages, change, isSame)];
  const found = findCoverage(coverages, change, isSame);
  if (change.action === 'remove') return coverages.filter((coverage) => coverage !== found);
  return coverages.map((coverage) => (coverage === found ? modifyCoverage(coverage, change) : coverage));
}

function coverageToAdd(coverages: readonly Coverage[], change: CoverageChange, isSame: IsSame): Coverage {
  const name = change.name ?? change.type ?? '';
  if (coverages.some((coverage) => isSame(coverage.name, name)))
    throw wrongField(finderField(change), 'is the name of a coverage of the policy already; modify it instead');
  return modifyCoverage(newCoverage(name, change.type), change);
}

function modifyCoverage(coverage: Coverage, { limit, deductible, coveredItems }: CoverageChange): Coverage {
  const { coveredItems: before, ...rest } = coverage;
  const items = coveredItems === undefined ? before : (coveredItems ?? undefined);
  return {
    ...rest,
    limit: limit === undefined ? coverage.limit : limit,
    deductible: deductible === undefined ? coverage.deductible : deductible,
    ...(items === undefined ? {} : { coveredItems: items }),
  };
}

/** A name finds by name alone; a type is looked for among the names, then among the types. */
function findCoverage(coverages: readonly Coverage[], change: CoverageChange, isSame: IsSame): Coverage {
  const wanted = change.name ?? change.type ?? '';
  const byName = coverages.filter(({ name }) => isSame(name, wanted));
  const byType = coverages.filter(({ type }) => type !== null && isSame(type, wanted));
  const [found, ...others] = byName.length > 0 || change.name !== undefined ? byName : byType;
  if (found !== undefined && others.length === 0) return found;
  const what = change.name === undefined ? 'the name or the type of exactly one coverage' : 'the name of a coverage';
  throw wrongField(finderField(change), `must be ${what} of the policy`);
}

function finderField({ field, name }: CoverageChange): string {
  return `${field}.${name === undefined ? 'coverage_type' : 'coverage_name'}`;
}
