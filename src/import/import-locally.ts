import { setTimeout as pause } from 'node:timers/promises';
import type { AdminCommands } from '../admin/admin-commands.ts';
import { isTemporary, Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { outcomeOfProblem, type ImportRow } from './import-row.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Imports rows through the stores of this process.
 * @param retryForMs how long to retry a row while a store does not answer. That is safe, because the command id derives
 * from the row.
 */
export function importLocally(commands: AdminCommands, retryForMs: number): ImportRow {
  return async (command, body) => {
    const giveUpAt = performance.now() + retryForMs;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        const outcome = await commands.run(command, body);
        return { kind: outcome.replayed ? 'alreadyImported' : 'imported' };
      } catch (error) {
        if (error instanceof Refusal && !isTemporary(error))
          return outcomeOfProblem({ code: error.code, detail: error.message, fields: error.fields });
        if (!isRetryable(error) || performance.now() + wait > giveUpAt) throw error;
      }
      await pause(wait);
    }
  };
}

/** The same errors that the service answers with 503. */
function isRetryable(error: unknown): boolean {
  return error instanceof StoreUnavailable || isTemporary(error);
}
