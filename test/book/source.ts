import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { canonicalMoney } from '#domain/values/money.ts';
import type { Book } from './books.ts';

type Columns = Readonly<Record<string, string>>;

/** The expected policy of a row. */
export interface ExpectedPolicy {
  readonly effective_from: string;
  readonly effective_through: string;
  readonly premium: string;
  readonly customer_name: string;
  readonly customer_email: string;
}

/** The expected claim of a row. */
export interface ExpectedClaim {
  readonly claim_status: string;
  readonly claim_date: string;
  readonly claim_amount: string;
  readonly policy_number: string;
}

/** The reason why an import refused a row. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
  readonly detail: string;
  readonly fields: readonly string[];
}

/** The file of refused rows that an import leaves. */
export function refusedFile(file: string, folder: string): string {
  return join(folder, `${basename(file)}.refused.csv`);
}

/** Reads a file of refused rows: line, reason, detail, and the fields of the row. */
export function refusedRows(file: string, folder: string): RefusedRow[] {
  const [, ...rows] = recordsOf(refusedFile(file, folder));
  return rows.map(([line, reason, detail, ...fields]) => {
    return { line: Number(line), reason: String(reason), detail: String(detail), fields };
  });
}

/**
 * Returns the expected policies of the accepted rows: the last term that has begun, else the first one, with the holder
 * of the first row.
 */
export function expectedPolicies(
  book: Book,
  refusedFolder: string,
  today: string,
): ReadonlyMap<string, ExpectedPolicy> {
  const policies = new Map<string, ExpectedPolicy>();
  for (const row of acceptedRows(book.policiesFile, refusedFolder)) {
    const before = policies.get(cell(row, 'policy_number'));
    if (before !== undefined && !isShownRather(cell(row, 'term_from'), before.effective_from, today)) continue;
    policies.set(cell(row, 'policy_number'), {
      effective_from: cell(row, 'term_from'),
      effective_through: cell(row, 'term_through'),
      premium: canonicalMoney(cell(row, 'premium')),
      customer_name: before?.customer_name ?? cell(row, 'customer_name'),
      customer_email: before?.customer_email ?? cell(row, 'customer_email'),
    });
  }
  return policies;
}

/** Returns the references of the customers of the accepted rows by policy number, of the first row of each. */
export function expectedReferences(book: Book, refusedFolder: string): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  for (const row of acceptedRows(book.policiesFile, refusedFolder)) {
    const number = cell(row, 'policy_number');
    if (!references.has(number)) references.set(number, cell(row, 'customer_reference'));
  }
  return references;
}

/** Whether a policy shows the term from the one day rather than that from the other. */
function isShownRather(from: string, other: string, today: string): boolean {
  if (from > today) return other > today && from < other;
  return other > today || from > other;
}

/** Returns the expected claims of the accepted rows. */
export function expectedClaims(book: Book, refusedFolder: string): ReadonlyMap<string, ExpectedClaim> {
  const claims = new Map<string, ExpectedClaim>();
  for (const row of acceptedRows(book.claimsFile, refusedFolder)) {
    claims.set(cell(row, 'claim_reference_number'), {
      claim_status: cell(row, 'claim_status'),
      claim_date: cell(row, 'filed_on'),
      claim_amount: canonicalMoney(cell(row, 'claim_amount')),
      policy_number: cell(row, 'policy_number'),
    });
  }
  return claims;
}

function acceptedRows(file: string, refusedFolder: string): Columns[] {
  const refused = new Set(refusedRows(file, refusedFolder).map(({ fields }) => JSON.stringify(fields)));
  const [heading = [], ...rows] = recordsOf(file);
  const accepted = rows.filter((fields) => !refused.has(JSON.stringify(fields)));
  return accepted.map((fields) => Object.fromEntries(heading.map((name, index) => [name, fields[index] ?? ''])));
}

function recordsOf(file: string): string[][] {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
}

function cell(row: Columns, name: string): string {
  const value = row[name];
  if (value === undefined) throw new Error(`the file has no column ${name}`);
  return value;
}
