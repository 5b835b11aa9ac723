import { z } from 'zod';
import type { CoverageChange } from '#domain/policy/coverage-changes.ts';
import { canonicalMoney, moneyInput, moneyNotNegativeInput, parseMoney } from '#domain/values/money.ts';
import { checkInput } from '#event-sourcing/executor/parse-input.ts';
import { type AddIssue, hasPlainTexts, isShallow, withCrossFieldCheck } from '../shared/checks.ts';
import { line } from '../shared/fields.ts';

const MAX_ITEMS_CHARACTERS = 10_000;

function isShort(items: unknown): boolean {
  return items === undefined || JSON.stringify(items).length <= MAX_ITEMS_CHARACTERS;
}

/** The members of a change that are about a coverage. */
const changedCoverage = {
  coverage_name: line(255).optional(),
  coverage_type: line(255).optional(),
  coverage_limit: moneyNotNegativeInput.nullable().optional(),
  deductible: moneyNotNegativeInput.nullable().optional(),
  covered_items: z
    .unknown()
    .refine(isShallow, 'is nested too deeply')
    .refine((items) => !isShallow(items) || hasPlainTexts(items), 'must not contain control characters')
    .refine(isShort, `must have at most ${MAX_ITEMS_CHARACTERS} characters as JSON`)
    .optional()
    .meta({ description: 'Any JSON' }),
  additional_amount: moneyInput
    .optional()
    .meta({ description: 'What a year costs more, tax included; negative: less' }),
};

type ChangedCoverage = z.output<z.ZodObject<typeof changedCoverage>>;

/** A change in the middle of a term. */
export const coverageChangeInput = withCrossFieldCheck(
  z.strictObject({
    action: z.enum(['add', 'modify', 'remove'], 'must be one of add, modify, remove'),
    ...changedCoverage,
  }),
  (change, addIssue) => {
    if (change.coverage_name === undefined && change.coverage_type === undefined)
      addIssue(['coverage_name'], 'must be given, or coverage_type instead');
    if (change.action !== 'remove') return;
    for (const member of ['coverage_limit', 'deductible', 'covered_items'])
      if (change[member] !== undefined) addIssue([member], 'must be left out when a coverage is removed');
  },
);

/** Returns a change as the rules of insurance take it. @param field its path in the body */
export function coverageChangeOf(
  action: CoverageChange['action'],
  field: string,
  input: ChangedCoverage,
): CoverageChange {
  const amount = (value: string | null | undefined) =>
    value === undefined || value === null ? value : canonicalMoney(value);
  return {
    action,
    field,
    name: input.coverage_name,
    type: input.coverage_type,
    limit: amount(input.coverage_limit),
    deductible: amount(input.deductible),
    coveredItems:
      input.covered_items === undefined || input.covered_items === null
        ? input.covered_items
        : JSON.stringify(input.covered_items),
    additionalAmount: parseMoney(input.additional_amount ?? '0'),
  };
}

type Json = z.core.util.JSONType;

/** The fields of a renewal that change the coverages. */
interface RenewalChanges {
  readonly include_additional_coverage?: unknown;
  readonly modify_exisitng_coverage?: unknown;
  readonly coverage_details?: unknown;
}

/** `coverage_details` of a renewal: the members of a change, and any others. */
const coverageDetails = z.looseObject({
  ...changedCoverage,
  coverage_type: line(255),
});

/**
 * Cross-field check: additional and modified coverage exclude each other, both need `coverage_details`, and these need
 * one of both.
 */
export function checkCoverageDetails(values: RenewalChanges, addIssue: AddIssue): void {
  const { include_additional_coverage: additional, modify_exisitng_coverage: modified, coverage_details } = values;
  const changes = additional === true || modified === true;
  if (additional === true && modified === true)
    addIssue(['modify_exisitng_coverage'], 'excludes include_additional_coverage');
  if (changes && coverage_details === undefined)
    addIssue(['coverage_details'], 'is needed when coverage is added or modified');
  if (typeof coverage_details !== 'object' || coverage_details === null) return;
  if (!isShallow(coverage_details)) addIssue(['coverage_details'], 'is nested too deeply');
  if (!changes && Object.keys(coverage_details).length > 0) {
    for (const flag of ['include_additional_coverage', 'modify_exisitng_coverage'])
      addIssue([flag], 'must be true for one of both flags, or coverage_details has no effect');
  }
  if (!changes || Array.isArray(coverage_details)) return;
  const checked = checkInput(coverageDetails, coverage_details);
  if (!('fields' in checked)) return;
  for (const { field, message } of checked.fields) addIssue(['coverage_details', field], message);
}

/** The change that a renewal asks for, and as the merchant sent it. */
interface RenewalChange {
  readonly kind: 'additional' | 'modified';
  readonly details: Readonly<Record<string, Json>>;
  readonly change: CoverageChange;
}

/** Returns the change that a renewal asks for, after `checkCoverageDetails`; null without a flag. */
export function renewalChangeOf(request: RenewalChanges): RenewalChange | null {
  const isAdditional = request.include_additional_coverage === true;
  if (!isAdditional && request.modify_exisitng_coverage !== true) return null;
  const change = coverageChangeOf(
    isAdditional ? 'add' : 'modify',
    'coverage_details',
    coverageDetails.parse(request.coverage_details),
  );
  const details = request.coverage_details as Readonly<Record<string, Json>>;
  return { kind: isAdditional ? 'additional' : 'modified', details, change };
}
