import type { FieldError } from '../domain/refusals.ts';
import type { BookFileKind } from './book-file.ts';

/** A row that was not taken. */
export interface RefusedRow {
  readonly kind: 'refused';
  readonly reason: string;
  /** The sentence of the refusal; of an invalid row every wrong column with what it must be. */
  readonly detail: string;
}

/** What became of a row. */
export type RowOutcome =
  | { readonly kind: 'taken' }
  /** An earlier run had taken it. */
  | { readonly kind: 'already' }
  | RefusedRow;

/**
 * Carries out the command of one row. May be called many times at once.
 * @throws {Error} when the outcome is unknown; the same row again is safe
 */
export type ImportRow = (
  command: BookFileKind['command'],
  body: Readonly<Record<string, unknown>>,
) => Promise<RowOutcome>;

/** The book cannot be taken on from here: the service or the store does not answer, or the answer is "no" for every row. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

/** What the whole import says no to, whatever the row. */
const OF_EVERY_ROW: ReadonlySet<string> = new Set([
  'api_key_missing',
  'api_key_invalid',
  'forbidden',
  'environment_not_found',
  'route_not_found',
  'command_not_found',
]);

/** What a row by itself is refused for: it has columns that are wrong, or too much in them. */
const OF_THE_ROW: ReadonlySet<string> = new Set(['invalid_request', 'body_too_large', 'event_too_large']);

/** What the answer to a row says no with. */
export interface SaidNo {
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];
}

/**
 * The outcome of a row that was refused.
 * @throws {ImportStopped} when every other row would be refused as well
 */
export function refusedWith({ code, detail, fields }: SaidNo): RowOutcome {
  if (OF_EVERY_ROW.has(code)) throw new ImportStopped(detail);
  if (!OF_THE_ROW.has(code)) return { kind: 'refused', reason: code, detail };
  // The sentence of an invalid request is the first few of its fields.
  const told = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return { kind: 'refused', reason: 'invalid_row', detail: told === '' ? detail : told };
}
