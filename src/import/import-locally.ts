import type { AdminCommands } from '../admin/admin-commands.ts';
import { Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { retryFor } from '../timing.ts';
import { outcomeOfProblem, type ImportRow } from './import-row.ts';

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
      if (!(error instanceof Refusal) || error.isTemporary) throw error;
      return outcomeOfProblem({ code: error.code, detail: error.message, fields: error.fields });
    }
  };
}

/** The same errors that the service answers with 503. */
function isRetryable(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof Refusal && error.isTemporary);
}
