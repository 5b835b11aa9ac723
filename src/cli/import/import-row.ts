import { type FieldError, Refusal } from '#domain/refusals.ts';
import { isTemporary } from '#http/api/messages/problem-types.ts';
import type { BookFileKind } from './book-file.ts';
import type { AdminCommands } from '../admin-commands.ts';
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

/**
 * Imports rows through the stores of this process.
 * @param retryForMs how long to retry a row while a store does not answer. That is safe, because the command id derives
 * from the row.
 */
export function importLocally(commands: AdminCommands, retryForMs: number): ImportRow {
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

interface CommandPoster {
  postCommand(
    name: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly replayed: boolean; readonly text: string }>;
}

/** Imports rows through a running service. Rows can be sent again, because the command id derives from the row. */
export function importOverHttp(client: CommandPoster): ImportRow {
  return async (command, body) => outcomeOf(await client.postCommand(command, body));
}

function outcomeOf(response: {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}): RowOutcome {
  if (response.status === 200 || response.status === 201)
    return { kind: response.replayed ? 'alreadyImported' : 'imported' };
  const problem = problemIn(response.text);
  if (problem === undefined)
    throw new ImportStopped(`The service answered ${response.status} with a body that is not a problem of Surety.`);
  if (response.status >= 500) throw new ImportStopped(`The service answered ${response.status}: ${problem.detail}.`);
  return outcomeOfProblem(problem);
}

function problemIn(text: string): RowProblem | undefined {
  try {
    const { code, detail, errors } = JSON.parse(text) as { code?: unknown; detail?: unknown; errors?: unknown };
    if (typeof code !== 'string') return undefined;
    const fields = Array.isArray(errors) ? errors.filter(isFieldError) : [];
    return { code, detail: typeof detail === 'string' ? detail : code, fields };
  } catch {
    return undefined;
  }
}

function isFieldError(error: unknown): error is FieldError {
  if (typeof error !== 'object' || error === null) return false;
  const { field, message } = error as { field?: unknown; message?: unknown };
  return typeof field === 'string' && typeof message === 'string';
}
