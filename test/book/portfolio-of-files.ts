/**
 * Computes the portfolio of a book from its files alone, by the rules of the import and of the portfolio. It shares no
 * code with Surety, so that both must make the same mistake for it to go unnoticed.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** The figures of the one row that a book of one merchant, insurer, product type and currency has. */
export interface FiguresOfFiles {
  readonly policies_in_force: number;
  readonly premium_in_force: string;
  readonly premium_written: string;
  readonly premium_earned: string;
  readonly premium_unearned: string;
  readonly premium_returned: string;
  readonly tax: string;
  readonly commission: string;
  readonly commission_unearned: string;
  readonly customers: number;
  readonly claims_filed: number;
  readonly claims_paid: number;
  readonly amount_paid: string;
  readonly claims_outstanding: string;
}

/** Days are counted from 1970-01-01. */
interface TermOfFile {
  readonly from: number;
  readonly through: number;
  readonly cents: bigint;
}

interface PolicyOfFile {
  readonly holder: string;
  readonly terms: TermOfFile[];
}

interface ClaimOfFile {
  readonly filed: number;
  readonly resolved: number;
  readonly isPaid: boolean;
  /** Paid, denied or withdrawn. */
  readonly isFinal: boolean;
  readonly cents: bigint;
}

const FINAL: ReadonlySet<string> = new Set(['paid', 'denied', 'withdrawn']);

type Row = Readonly<Record<string, string>>;

/** The accepted rows of a book. */
export class BookOfFiles {
  readonly #policies = new Map<string, PolicyOfFile>();
  readonly #claims = new Map<string, ClaimOfFile>();

  constructor(files: { readonly policiesFile: string; readonly claimsFile: string }) {
    for (const row of validRows(files.policiesFile, isValidTerm)) this.#addTerm(row);
    for (const row of validRows(files.claimsFile, isValidClaim)) this.#addClaim(row);
  }

  figuresOn(date: string): FiguresOfFiles {
    const day = dayNumber(date);
    const holders = new Set<string>();
    let [policies, inForce, written, earned] = [0, 0n, 0n, 0n];
    for (const { holder, terms } of this.#policies.values()) {
      const covering = terms.filter(({ from, through }) => from <= day && day <= through);
      if (covering.length > 0) {
        policies += 1;
        holders.add(holder);
      }
      for (const { cents } of covering) inForce += cents;
      for (const { from, through, cents } of terms.filter((term) => term.from <= day)) {
        const length = through - from + 1;
        written += cents;
        earned += (2n * cents * BigInt(Math.min(day - from + 1, length)) + BigInt(length)) / BigInt(2 * length);
      }
    }
    const filed = [...this.#claims.values()].filter((claim) => claim.filed <= day);
    const open = filed.filter(({ isFinal, resolved }) => !isFinal || resolved > day);
    const paid = filed.filter(({ isPaid, resolved }) => isPaid && resolved <= day);
    return {
      policies_in_force: policies,
      premium_in_force: asMoney(inForce),
      premium_written: asMoney(written),
      premium_earned: asMoney(earned),
      premium_unearned: asMoney(written - earned),
      premium_returned: '0.00',
      // No book that is read here has these columns.
      tax: '0.00',
      commission: '0.00',
      commission_unearned: '0.00',
      customers: holders.size,
      claims_filed: filed.length,
      claims_paid: paid.length,
      amount_paid: asMoney(paid.reduce((sum, { cents }) => sum + cents, 0n)),
      claims_outstanding: asMoney(open.reduce((sum, { cents }) => sum + cents, 0n)),
    };
  }

  /** Of rows that overlap, the first of the file wins. */
  #addTerm(row: Row): void {
    const term = {
      from: dayNumber(row['term_from']),
      through: dayNumber(row['term_through']),
      cents: cents(row['premium']),
    };
    const number = lookup(row['policy_number']);
    const policy = this.#policies.get(number);
    if (policy === undefined) this.#policies.set(number, { holder: lookup(row['customer_email']), terms: [term] });
    else if (policy.terms.every(({ from, through }) => term.through < from || through < term.from))
      policy.terms.push(term);
  }

  #addClaim(row: Row): void {
    const incident = dayNumber(row['incident_date']);
    const policy = this.#policies.get(lookup(row['policy_number']));
    if (policy?.terms.some(({ from, through }) => from <= incident && incident <= through) !== true) return;
    const reference = lookup(row['claim_reference_number']);
    if (this.#claims.has(reference)) return;
    const filed = dayNumber(row['filed_on']);
    this.#claims.set(reference, {
      filed,
      resolved: row['resolved_on'] ? dayNumber(row['resolved_on']) : filed,
      isPaid: row['claim_status'] === 'paid',
      isFinal: FINAL.has(row['claim_status'] ?? ''),
      cents: cents(row['claim_amount']),
    });
  }
}

function validRows(file: string, isValid: (row: Row) => boolean): readonly Row[] {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const [heading = [], ...records]: string[][] = parse(text, {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  return records
    .filter((fields) => fields.length === heading.length && !fields.some((field) => field.includes('�')))
    .map((fields) => Object.fromEntries(heading.map((name, index) => [name, fields[index] ?? ''])))
    .filter(isValid);
}

function isValidTerm(row: Row): boolean {
  const amounts = Object.keys(row).filter((name) => name.startsWith('premium_') && row[name] !== '');
  const isNamed =
    Boolean(row['customer_name']?.trim()) && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(row['customer_email'] ?? '');
  const number = row['policy_number']?.trim() ?? '';
  const isNumbered = number !== '' && number.length <= 255;
  const isDated = isDay(row['term_from']) && isDay(row['term_through']);
  const isPriced = ['premium', ...amounts].every((name) => isAmount(row[name]));
  return isNamed && isNumbered && isDated && isPriced && String(row['term_from']) <= String(row['term_through']);
}

function isValidClaim(row: Row): boolean {
  const { policy_number, incident_date, filed_on, resolved_on, claim_status, claim_amount } = row;
  if (!policy_number?.trim() || !isDay(incident_date) || !isDay(filed_on) || !isAmount(claim_amount)) return false;
  if (String(filed_on) < String(incident_date)) return false;
  if (!resolved_on) return true;
  return FINAL.has(claim_status ?? '') && isDay(resolved_on) && resolved_on >= String(filed_on);
}

function isDay(text: string | undefined): boolean {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isAmount(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,8}(\.\d{1,2})?$/.test(text);
}

function dayNumber(text: string | undefined): number {
  return Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

function cents(text: string | undefined): bigint {
  const [whole = '0', fraction = ''] = (text ?? '').split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
}

function asMoney(amount: bigint): string {
  const digits = amount.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Numbers, references and addresses are compared without case and outer spaces. */
function lookup(text: string | undefined): string {
  return (text ?? '').trim().toLowerCase();
}
