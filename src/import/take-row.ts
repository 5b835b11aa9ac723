import type { BookFileKind } from './book-file.ts';

/** What became of a row. */
export type RowOutcome =
  | { readonly kind: 'taken' }
  /** An earlier run had taken it. */
  | { readonly kind: 'already' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Carries out the command of one row. May be called many times at once.
 * @throws {Error} when the outcome is unknown; the same row again is safe
 */
export type TakeRow = (
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

/**
 * The outcome of a row that was refused with this code.
 * @throws {ImportStopped} when every other row would be refused as well
 */
export function refusedWith(code: string, detail: string): RowOutcome {
  if (OF_EVERY_ROW.has(code)) throw new ImportStopped(detail);
  return { kind: 'refused', reason: code === 'invalid_request' ? 'invalid_row' : code };
}
