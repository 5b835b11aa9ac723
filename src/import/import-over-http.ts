import type { FieldError } from '../domain/refusals.ts';
import { ImportStopped, outcomeOfProblem, type RowOutcome, type RowProblem, type ImportRow } from './import-row.ts';

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
