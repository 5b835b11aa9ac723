import type { FieldError } from '../domain/refusals.ts';
import type { BookFileKind } from './book-file.ts';

export interface RefusedRow {
  readonly kind: 'refused';
  readonly reason: string;
  /** The detail of the refusal; for an invalid row every invalid column with its error. */
  readonly detail: string;
}

export type RowOutcome =
  | { readonly kind: 'imported' }
  /** By an earlier run. */
  | { readonly kind: 'alreadyImported' }
  | RefusedRow;

/** Executes the command of one row. May be called concurrently. @throws {Error} when the outcome is unknown; it is safe to import the row again */
export type ImportRow = (
  command: BookFileKind['command'],
  body: Readonly<Record<string, unknown>>,
) => Promise<RowOutcome>;

/** The import cannot continue: the service or the store does not answer, or every row would be refused. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

/** Problem codes that concern the import and not a row. */
const FATAL_CODES: ReadonlySet<string> = new Set([
  'api_key_missing',
  'api_key_invalid',
  'forbidden',
  'environment_not_found',
  'route_not_found',
  'command_not_found',
]);

/** Problem codes of a row with invalid columns or too much data. */
const INVALID_ROW_CODES: ReadonlySet<string> = new Set(['invalid_request', 'body_too_large', 'event_too_large']);

export interface RowProblem {
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];
}

/** Converts a problem to the outcome of its row. @throws {ImportStopped} when every other row would be refused as well */
export function outcomeOfProblem({ code, detail, fields }: RowProblem): RowOutcome {
  if (FATAL_CODES.has(code)) throw new ImportStopped(detail);
  if (!INVALID_ROW_CODES.has(code)) return { kind: 'refused', reason: code, detail };
  // The detail of an invalid request names only the first fields.
  const allFields = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return { kind: 'refused', reason: 'invalid_row', detail: allFields === '' ? detail : allFields };
}
