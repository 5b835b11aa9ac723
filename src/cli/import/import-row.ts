import { SuretyError } from '#client/errors.ts';
import type { Http } from '#client/http.ts';
import { type FieldError, isTemporary, Refusal } from '#domain/refusals.ts';
import type { BookFileKind } from './book-file.ts';
import type { PlatformCommands } from '../platform-commands.ts';
import { commandCall, isRefusal } from '../service.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { retryFor } from '#stores/shared/timing.ts';

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

/**
 * Executes the command of one row. May be called concurrently.
 * @throws {Error} when the outcome is unknown; it is safe to import the row again
 */
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
  'api_key_expired',
  'forbidden',
  'environment_not_found',
  'route_not_found',
  'command_not_found',
]);

/** Problem codes of a row with invalid columns or too much data. */
const INVALID_ROW_CODES: ReadonlySet<string> = new Set(['invalid_request', 'body_too_large', 'event_too_large']);

interface RowProblem {
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];
}

/**
 * Converts a problem to the outcome of its row.
 * @throws {ImportStopped} when every other row would be refused as well
 */
function outcomeOfProblem({ code, detail, fields }: RowProblem): RowOutcome {
  if (FATAL_CODES.has(code)) throw new ImportStopped(detail);
  if (!INVALID_ROW_CODES.has(code)) return { kind: 'refused', reason: code, detail };
  // The detail of an invalid request names only the first fields.
  const allFields = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return { kind: 'refused', reason: 'invalid_row', detail: allFields === '' ? detail : allFields };
}

/**
 * Imports rows through the stores of this process.
 * @param retryForMs how long to retry a row while a store does not answer. That is safe, because the command id derives
 * from the row.
 */
export function importLocally(commands: PlatformCommands, retryForMs: number): ImportRow {
  return async (command, body) => {
    try {
      const outcome = await retryFor(retryForMs, async () => await commands.run(command, body), isRetryable);
      return { kind: outcome.replayed ? 'alreadyImported' : 'imported' };
    } catch (error) {
      if (!(error instanceof Refusal) || isTemporary(error)) throw error;
      return outcomeOfProblem({ code: error.code, detail: error.message, fields: error.fields });
    }
  };
}

/** The same errors that the service answers with 503. */
function isRetryable(error: unknown): boolean {
  return error instanceof StoreUnavailable || isTemporary(error);
}

/** Imports rows through a running service. Rows can be sent again, because the command id derives from the row. */
export function importOverHttp(http: Pick<Http, 'send'>): ImportRow {
  return async (command, body) => {
    try {
      const { isReplayed } = await http.send(commandCall(command, body));
      return { kind: isReplayed ? 'alreadyImported' : 'imported' };
    } catch (error) {
      if (!(error instanceof SuretyError) || !isRefusal(error)) throw error;
      return outcomeOfProblem({ code: error.code, detail: error.detail, fields: error.errors });
    }
  };
}
