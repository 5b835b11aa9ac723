/** The two kinds of files of a book (`decisions`: Import), and what their columns are called. */
export interface BookFileKind {
  readonly kind: 'policies' | 'claims';
  readonly command: 'ImportPolicyTerm' | 'ImportClaim';
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Columns that begin so may be there in any number. */
  readonly free: readonly string[];
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
  optional: ['customer_phone', 'customer_date_of_birth', 'customer_address', 'payment_frequency'],
  free: ['risk_', 'premium_'],
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
  optional: ['resolved_on'],
  free: [],
};

/** What a file of refused rows tells of each row, before the row's own columns. */
export const REFUSAL_COLUMNS: readonly string[] = ['line', 'reason', 'detail'];

/**
 * Where a heading has the columns of a file of refused rows: they are left out, so that such a file, corrected, is a file of
 * the book. One without `line` and `reason` was never such a file.
 */
export function refusalColumnsIn(heading: readonly string[]): ReadonlySet<number> {
  if (!heading.includes('line') || !heading.includes('reason')) return new Set();
  return new Set(REFUSAL_COLUMNS.map((name) => heading.indexOf(name)));
}

/** What is wrong with the heading of a file, as a sentence without its end; undefined when nothing is. */
export function faultOfHeading(kind: BookFileKind, heading: readonly string[]): string | undefined {
  const missing = kind.required.filter((name) => !heading.includes(name));
  if (missing.length > 0) return `the heading lacks ${columns(missing)}`;
  const twice = heading.filter((name, index) => heading.indexOf(name) !== index);
  if (twice.length > 0) return `the heading names ${columns([...new Set(twice)])} more than once`;
  const refusal = refusalColumnsIn(heading);
  const unknown = heading.filter((name, index) => !refusal.has(index) && !isKnown(kind, name));
  if (unknown.length > 0) return `the heading has ${columns(unknown)}, which a file of ${kind.kind} does not have`;
  return undefined;
}

function isKnown(kind: BookFileKind, name: string): boolean {
  if (kind.required.includes(name) || kind.optional.includes(name)) return true;
  return kind.free.some((start) => name.startsWith(start) && name.length > start.length);
}

function columns(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 60)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `the column${names.length > 1 ? 's' : ''} ${shown.join(', ')}${more}`;
}
