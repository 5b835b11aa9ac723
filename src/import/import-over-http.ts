import type { FieldError } from '../domain/refusals.ts';
import { ImportStopped, refusedWith, type RowOutcome, type SaidNo, type ImportRow } from './import-row.ts';

/** What is needed of a client of the running service. */
export interface CommandPoster {
  postCommand(
    name: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly replayed: boolean; readonly text: string }>;
}

/** Takes rows over on a running service; to send a row again is safe, because its command id derives from it. */
export function importOverHttp(client: CommandPoster): ImportRow {
  return async (command, body) => outcomeOf(await client.postCommand(command, body));
}

function outcomeOf(answer: { readonly status: number; readonly replayed: boolean; readonly text: string }): RowOutcome {
  if (answer.status === 200 || answer.status === 201) return { kind: answer.replayed ? 'already' : 'taken' };
  const problem = problemIn(answer.text);
  if (problem === undefined)
    throw new ImportStopped(`The service answers ${answer.status} and nothing that Surety would.`);
  if (answer.status >= 500) throw new ImportStopped(`The service answers ${answer.status}: ${problem.detail}.`);
  return refusedWith(problem);
}

function problemIn(text: string): SaidNo | undefined {
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
