/** A kind of CSV file that can be imported, and its columns. */
export interface BookFileKind {
  readonly kind: 'policies' | 'claims';
  readonly command: 'ImportPolicyTerm' | 'ImportClaim';
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Any number of columns may have names with these prefixes. */
  readonly prefixes: readonly string[];
}

export const POLICIES: BookFileKind = {
  kind: 'policies',
  command: 'ImportPolicyTerm',
  required: [
    'policy_number',
    'product_name',
    'customer_reference',
    'customer_name',
    'customer_email',
    'term_from',
    'term_through',
    'premium',
  ],
  optional: [
    'customer_phone',
    'customer_date_of_birth',
    'customer_address',
    'payment_frequency',
    'coverages',
    'tax',
    'commission',
    'auto_renew',
    'cancelled_on',
    'cancellation_reason',
    'return_premium',
  ],
  prefixes: ['risk_', 'premium_'],
};

export const CLAIMS: BookFileKind = {
  kind: 'claims',
  command: 'ImportClaim',
  required: [
    'claim_reference_number',
    'policy_number',
    'claim_type',
    'incident_date',
    'filed_on',
    'claim_amount',
    'claim_status',
  ],
  optional: ['approved_amount', 'paid_amount', 'resolved_on'],
  prefixes: [],
};

/** Columns of a file of refused rows before the columns of the row. */
export const REFUSAL_COLUMNS: readonly string[] = ['line', 'reason', 'detail'];

/**
 * Returns the indexes of the columns that a file of refused rows adds, so that the import can ignore them and a
 * corrected file can be imported as it is. A heading without `line` and `reason` is not of such a file.
 */
export function refusalColumnsIn(heading: readonly string[]): ReadonlySet<number> {
  if (!heading.includes('line') || !heading.includes('reason')) return new Set();
  return new Set(REFUSAL_COLUMNS.map((name) => heading.indexOf(name)));
}

/** Returns the error of a heading without its full stop; undefined when it is valid. */
export function headingError(kind: BookFileKind, heading: readonly string[]): string | undefined {
  const missing = kind.required.filter((name) => !heading.includes(name));
  if (missing.length > 0) return `the heading lacks ${columns(missing)}`;
  const duplicates = heading.filter((name, index) => heading.indexOf(name) !== index);
  if (duplicates.length > 0) return `the heading names ${columns([...new Set(duplicates)])} more than once`;
  const refusalColumns = refusalColumnsIn(heading);
  const unknown = heading.filter((name, index) => !refusalColumns.has(index) && !isKnown(kind, name));
  if (unknown.length > 0) return `the heading has ${columns(unknown)}, which a file of ${kind.kind} does not have`;
  return undefined;
}

/** Returns whether a column is the file's own: it is not imported. */
export function isIgnored(name: string): boolean {
  return name.startsWith('x_');
}

function isKnown(kind: BookFileKind, name: string): boolean {
  if (isIgnored(name)) return true;
  if (kind.required.includes(name) || kind.optional.includes(name)) return true;
  return kind.prefixes.some((prefix) => name.startsWith(prefix) && name.length > prefix.length);
}

function columns(names: readonly string[]): string {
  const listed = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = names.length > listed.length ? ` and ${names.length - listed.length} more` : '';
  return `the column${names.length > 1 ? 's' : ''} ${listed.join(', ')}${more}`;
}
