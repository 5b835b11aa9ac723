import type { z } from 'zod';
import { canonicalMoney, type MinorUnits, parseMoney } from '../../src/domain/values/money.ts';
import type { Coverage } from '../../src/domain/policy/term.ts';
import { wrongField } from '../../src/domain/refusals.ts';
import { normalise } from '../../src/event-sourcing/identifiers.ts';
import { type AddIssue, isShallow } from '../shared/checks.ts';

type Json = z.core.util.JSONType;
type Details = Readonly<Record<string, Json>>;

/** How a renewal changes the coverages. */
export interface CoverageChange {
  readonly kind: 'additional' | 'modified';
  /** `coverage_details` as the merchant sent them. */
  readonly details: Details;
  /** Name or type of the coverage. */
  readonly coverageType: string;
  /** Added to the annual premium. */
  readonly additionalAmount: MinorUnits;
}

const MAX_TYPE_LENGTH = 255;
const NOT_NEGATIVE = 'must be an amount that is not negative, with at most 8 integer and 2 decimal digits';

/** The fields of a renewal that change the coverages. */
interface ChangeRequest {
  readonly include_additional_coverage?: unknown;
  readonly modify_exisitng_coverage?: unknown;
  readonly coverage_details?: unknown;
}

/** Cross-field check: additional and modified coverage exclude each other, and both need `coverage_details`. */
export function checkCoverageDetails(values: ChangeRequest, addIssue: AddIssue): void {
  const { include_additional_coverage: additional, modify_exisitng_coverage: modified } = values;
  const details = values.coverage_details as Details | null | undefined;
  const changes = additional === true || modified === true;
  if (additional === true && modified === true)
    addIssue(['modify_exisitng_coverage'], 'excludes include_additional_coverage');
  if (changes && details === undefined) addIssue(['coverage_details'], 'is needed when coverage is added or modified');
  if (typeof details !== 'object' || details === null) return;
  if (!isShallow(details)) addIssue(['coverage_details'], 'is nested too deeply');
  if (changes) checkDetails(details, addIssue);
}

function checkDetails(details: Details, addIssue: AddIssue): void {
  const { coverage_type: type, additional_amount: amount = '0', coverage_limit: limit = null } = details;
  if (type === undefined) addIssue(['coverage_details', 'coverage_type'], 'must be given');
  else if (typeof type !== 'string' || type.trim() === '' || type.length > MAX_TYPE_LENGTH)
    addIssue(['coverage_details', 'coverage_type'], `must be a text of 1 to ${MAX_TYPE_LENGTH} characters`);
  if (amountOf(amount) === undefined) addIssue(['coverage_details', 'additional_amount'], NOT_NEGATIVE);
  if (limit !== null && amountOf(limit) === undefined) addIssue(['coverage_details', 'coverage_limit'], NOT_NEGATIVE);
}

/** Returns the text of a value that `checkCoverageDetails` has accepted. */
function textOf(value: Json | undefined): string {
  return typeof value === 'number' ? String(value) : (value as string);
}

/** Returns undefined for anything but an amount that is not negative, as text or number. */
function amountOf(value: Json): MinorUnits | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  try {
    const minor = parseMoney(String(value));
    return minor < 0n ? undefined : minor;
  } catch {
    return undefined;
  }
}

/** Returns the change that a renewal asks for, after `checkCoverageDetails`; null unless one of its flags asks for one, even with details. */
export function coverageChangeOf(request: ChangeRequest): CoverageChange | null {
  const details = request.coverage_details as Details | undefined;
  const isAdditional = request.include_additional_coverage === true;
  if (details === undefined || !(isAdditional || request.modify_exisitng_coverage === true)) return null;
  return {
    kind: isAdditional ? 'additional' : 'modified',
    details,
    coverageType: textOf(details.coverage_type).trim(),
    additionalAmount: amountOf(details.additional_amount ?? '0') ?? 0n,
  };
}

/**
 * Returns the coverages after the change. An additional coverage is new; a modified one is found by its name, else by its type.
 * @throws {Refusal} `invalid_request` when the additional coverage is there already, the modified one is not, or its type fits several
 */
export function changedCoverages(coverages: readonly Coverage[], change: CoverageChange): readonly Coverage[] {
  const { covered_items: coveredItems, coverage_limit: limitSent } = change.details;
  const limit = limitSent === undefined || limitSent === null ? null : canonicalMoney(textOf(limitSent));
  const items = coveredItems === undefined ? {} : { coveredItems };
  const wanted = normalise(change.coverageType);
  const byName = coverages.filter(({ name }) => normalise(name) === wanted);
  const byType = coverages.filter(({ type }) => type !== null && normalise(type) === wanted);
  if (change.kind === 'additional') {
    if (byName.length + byType.length > 0)
      throw wrongField(TYPE_FIELD, 'is a coverage of the policy already; modify it instead');
    return [...coverages, { name: change.coverageType, type: change.coverageType, limit, ...items }];
  }
  const [found, ...others] = byName.length > 0 ? byName.slice(0, 1) : byType;
  if (found === undefined || others.length > 0)
    throw wrongField(TYPE_FIELD, 'must be the name of a coverage of the policy, or the type of exactly one');
  const modified = { ...found, ...items, limit: limit ?? found.limit };
  return coverages.map((coverage) => (coverage === found ? modified : coverage));
}

const TYPE_FIELD = 'coverage_details.coverage_type';
