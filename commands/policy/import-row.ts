import { z } from 'zod';
import { type Day, day, NOT_A_DAY } from '#event-sourcing/time.ts';
import { isDay } from '#domain/values/dates.ts';
import { wrongFields } from '#domain/refusals.ts';
import { normalise, sha256 } from '#event-sourcing/identifiers.ts';
import {
  canonicalMoney,
  type MinorUnits,
  moneyInput,
  moneyNotNegativeInput,
  parseMoney,
} from '#domain/values/money.ts';
import { type Coverage, type DayRange, daysOf, newCoverage } from '#domain/policy/term.ts';
import { charactersOf, MAX_COVERAGE_CHARACTERS } from '#domain/policy/coverage-changes.ts';
import type { ImportedPrice } from '#domain/policy/timeline.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { CustomerDetails } from '../customer/customer-of-policy.ts';
import { providerName } from '../provider/provider-name.ts';
import { type AddIssue, withCrossFieldCheck, isBefore } from '../shared/checks.ts';
import { emailAddress } from '#domain/values/email.ts';
import { currencyCode, customerReference, line, pathName, productType, textOrBlank } from '../shared/fields.ts';

/** A column that may be missing or empty. */
const optional = (longest: number) => textOrBlank(longest).optional();
/** A day in a column that may be missing or empty. */
export const optionalDay = z
  .string()
  .trim()
  .refine((text) => text === '' || isDay(text), NOT_A_DAY)
  .optional()
  .meta({ description: 'A day, YYYY-MM-DD, or empty' });
const NOT_AN_AMOUNT = 'must be an amount with at most 8 integer and 2 decimal digits, not negative, or empty';
/** An amount in a column that may be missing or empty. */
export const optionalAmount = z
  .union([z.string(), z.number()], NOT_AN_AMOUNT)
  .transform((cell) => String(cell).trim())
  .refine((text) => text === '' || moneyNotNegativeInput.safeParse(text).success, NOT_AN_AMOUNT)
  .optional()
  .meta({ description: 'An amount, or empty' });

const columns = {
  policy_number: pathName(255, ['renew', 'cancel']),
  product_name: line(255),
  customer_reference: customerReference,
  customer_name: line(255),
  customer_email: emailAddress,
  customer_phone: optional(40),
  customer_date_of_birth: optionalDay,
  customer_address: optional(500),
  term_from: day,
  term_through: day,
  premium: moneyNotNegativeInput,
  payment_frequency: optional(40),
  coverages: z
    .string()
    .trim()
    .superRefine(checkCoverageNames)
    .optional()
    .meta({ description: 'Names of coverages, with `;` between them, or empty' }),
  tax: optionalAmount,
  commission: optionalAmount,
  auto_renew: z
    .string()
    .trim()
    .toLowerCase()
    .refine((cell) => ['', 'true', 'false'].includes(cell), 'must be true, false or empty')
    .optional()
    .meta({ description: '`true`, `false` or empty, which is `false`' }),
  cancelled_on: optionalDay,
  cancellation_reason: optional(500),
  return_premium: optionalAmount,
};

const MAX_COVERAGES = 100;
const coverageName = line(255);

function namesIn(cell: string | undefined): readonly string[] {
  return cell === undefined || cell === '' ? [] : cell.split(';').map((name) => name.trim());
}

function checkCoverageNames(cell: string, context: z.core.$RefinementCtx<string>): void {
  const addIssue = (message: string): void => context.addIssue({ code: 'custom', message });
  const names = namesIn(cell);
  if (names.length > MAX_COVERAGES) addIssue(`must have at most ${MAX_COVERAGES} names`);
  if (charactersOf(names.map((name) => newCoverage(name))) > MAX_COVERAGE_CHARACTERS)
    addIssue(`must have names of at most ${MAX_COVERAGE_CHARACTERS} characters in all`);
  const wrong = names.map((name) => coverageName.safeParse(name).error).find((error) => error !== undefined);
  if (wrong !== undefined) addIssue(`a name ${wrong.issues[0]?.message}`);
  if (new Set(names.map(normalise)).size < names.length) addIssue('has a name twice');
}

/** Values that the import gives for the whole file; they are no columns. */
const shared = {
  provider_name: providerName,
  product_type: productType,
  currency: currencyCode,
};

const known: ReadonlySet<string> = new Set([...Object.keys(columns), ...Object.keys(shared)]);
/** Additional columns: features of the risk, and premiums by guarantee. */
const ADDITIONAL_COLUMN = /^(risk|premium)_([\p{L}\p{N}][^\p{C}]{0,99})$/u;
const MAX_ADDITIONAL_COLUMNS = 200;
/** Days of a term, of about ten years: later days, such as 9999-12-31, mean that there is no end. */
const MAX_IMPORTED_DAYS = 3_660;

/** One row of a policies file, with the values of its file. */
export const importPolicyTermInput = withCrossFieldCheck(
  z.object({ ...columns, ...shared }).catchall(textOrBlank(500)),
  (row, addIssue) => {
    const additional = Object.keys(row).filter((name) => !known.has(name));
    addIssue.unknown(additional.filter((name) => !ADDITIONAL_COLUMN.test(name)));
    for (const name of additional) {
      if (name.startsWith('premium_') && row[name] !== '' && !moneyInput.safeParse(row[name]).success) {
        addIssue([name], 'must be a decimal string with at most 8 integer and 2 decimal digits');
      }
    }
    if (additional.length > MAX_ADDITIONAL_COLUMNS)
      addIssue([], `has more than ${MAX_ADDITIONAL_COLUMNS} further columns`);
    const { term_from: from, term_through: through } = row;
    if (isBefore(through, from)) addIssue(['term_through'], 'must not be before term_from');
    else if (isTooLong(from, through))
      addIssue(['term_through'], `must not be after the day ${MAX_IMPORTED_DAYS} of the term`);
    const { cancelled_on: cancelledOn, cancellation_reason: reason } = row;
    if (isBefore(cancelledOn, from)) addIssue(['cancelled_on'], 'must not be before term_from');
    if (isBefore(through, cancelledOn)) addIssue(['cancelled_on'], 'must not be after term_through');
    if (isFilled(reason) && !isFilled(cancelledOn)) addIssue(['cancellation_reason'], 'is given without cancelled_on');
    if (isFilled(row.return_premium) && !isFilled(cancelledOn))
      addIssue(['return_premium'], 'is given without cancelled_on');
    checkAmounts(row, addIssue);
  },
).meta({
  additionalProperties: false,
  patternProperties: {
    '^risk_.': { type: 'string', description: 'A feature of the risk' },
    '^premium_.': { type: 'string', description: 'The premium of one guarantee, a decimal string' },
  },
});

function isTooLong(from: unknown, through: unknown): boolean {
  if (typeof from !== 'string' || typeof through !== 'string' || !isDay(from) || !isDay(through)) return false;
  return daysOf({ from, through }) > MAX_IMPORTED_DAYS;
}

/** Tax is a part of the premium, and commission and return premium are at most what they are parts of. */
function checkAmounts(row: Readonly<Record<string, unknown>>, addIssue: AddIssue): void {
  const [premium, tax, commission, back] = ['premium', 'tax', 'commission', 'return_premium'].map((name) =>
    minorOf(row[name]),
  );
  if (premium === undefined) return;
  if (tax !== undefined && tax >= premium && tax > 0n) addIssue(['tax'], 'must be below premium');
  if (commission !== undefined && commission > premium - (tax ?? 0n))
    addIssue(['commission'], 'must not be above premium less tax');
  if (back !== undefined && back > premium) addIssue(['return_premium'], 'must not be above premium');
}

function minorOf(cell: unknown): MinorUnits | undefined {
  const isAmount = isFilled(cell) && moneyInput.safeParse(cell.trim()).success;
  return isAmount ? parseMoney(cell.trim()) : undefined;
}

export type PolicyRow = z.output<typeof importPolicyTermInput>;

/**
 * Returns the parts from which the command id derives: the environment and every filled column, sorted by name. Values
 * of the file do not count, so a row is imported once even if they change.
 */
export function identityOfRow(
  row: Readonly<Record<string, string | undefined>>,
  environment: Pick<ActingEnvironment, 'environmentId'> | undefined,
): string[] {
  const cells = Object.entries(row).filter(([name, value]) => value !== undefined && value !== '' && !(name in shared));
  return [String(environment?.environmentId), sha256(JSON.stringify(cells.sort(([a], [b]) => (a < b ? -1 : 1))))];
}

/** The term of a row. */
export interface RowTerm extends DayRange, ImportedPrice {
  /** None when the row names none: they are those of the product. */
  readonly coverages: readonly Coverage[];
  readonly autoRenew: boolean;
  readonly paymentFrequency: string | null;
  readonly risk: Readonly<Record<string, string>>;
  readonly premiumParts: Readonly<Record<string, string>>;
}

/** Returns the term of a row. */
export function termOfRow(row: PolicyRow): RowTerm {
  const names = namesIn(row.coverages);
  return {
    from: row.term_from,
    through: row.term_through,
    premium: canonicalMoney(row.premium),
    tax: amountOrNull(row.tax),
    commission: amountOrNull(row.commission),
    coverages: names.map((name) => newCoverage(name)),
    autoRenew: row.auto_renew === 'true',
    paymentFrequency: orNull(row.payment_frequency),
    risk: additionalColumns(row, 'risk', (value) => value),
    premiumParts: additionalColumns(row, 'premium', canonicalMoney),
  };
}

/** Returns the policy holder of a row. */
export function customerOf(row: PolicyRow): CustomerDetails {
  return {
    reference: row.customer_reference,
    fullName: row.customer_name,
    email: row.customer_email,
    phone: orNull(row.customer_phone),
    dateOfBirth: orNull(row.customer_date_of_birth),
    address: orNull(row.customer_address),
  };
}

/** How a row ends its policy. */
export interface RowCancellation {
  readonly on: Day;
  readonly reason: string | null;
  /** Null: the rules of the policy apply. */
  readonly returnPremium: string | null;
}

/** Returns the cancellation of a row; undefined for a row without one. */
export function cancellationOf(row: PolicyRow): RowCancellation | undefined {
  const on = orNull(row.cancelled_on);
  if (on === null) return undefined;
  return { on, reason: orNull(row.cancellation_reason), returnPremium: amountOrNull(row.return_premium) };
}

/** Checks days by the name of their column. @throws {Refusal} naming the days after today */
export function checkNotInFuture(days: Readonly<Record<string, Day | undefined>>, today: Day): void {
  const wrong = Object.entries(days).flatMap(([field, day = '']) =>
    day > today ? [{ field, message: 'must not be in the future' }] : [],
  );
  if (wrong.length > 0) throw wrongFields(wrong);
}

/** Checks whether a row has a value in this column. */
export function isFilled(cell: unknown): cell is string {
  return typeof cell === 'string' && cell.trim() !== '';
}

function orNull(cell: string | undefined): string | null {
  return cell === undefined || cell === '' ? null : cell;
}

function amountOrNull(cell: string | undefined): string | null {
  const text = orNull(cell);
  return text === null ? null : canonicalMoney(text);
}

function additionalColumns(row: PolicyRow, kind: string, read: (value: string) => string): Record<string, string> {
  const prefix = `${kind}_`;
  const cells: [string, string][] = [];
  for (const name of Object.keys(row)) {
    if (!name.startsWith(prefix) || known.has(name)) continue;
    const value = row[name];
    if (value !== undefined && value !== '') cells.push([name.slice(prefix.length), read(value)]);
  }
  return Object.fromEntries(cells);
}
