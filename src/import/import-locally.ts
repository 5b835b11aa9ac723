import { setTimeout as pause } from 'node:timers/promises';
import type { AdminCommands } from '../admin/admin-commands.ts';
import { Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { refusedWith, type ImportRow } from './import-row.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Takes rows over by the stores that this process has open.
 * @param patienceMs for how long a row is tried again that a store did not answer: it is safe, because a row is its own identity
 */
export function importLocally(office: AdminCommands, patienceMs: number): ImportRow {
  return async (command, body) => {
    const giveUpAt = performance.now() + patienceMs;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        const outcome = await office.run(command, body);
        return { kind: outcome.replayed ? 'already' : 'taken' };
      } catch (error) {
        if (error instanceof Refusal && !error.isTemporary)
          return refusedWith({ code: error.code, detail: error.message, fields: error.fields });
        if (!mayComeBack(error) || performance.now() + wait > giveUpAt) throw error;
      }
      await pause(wait);
    }
  };
}

/** As a client of the service sends again what was answered with 503. */
function mayComeBack(error: unknown): boolean {
  return error instanceof StoreUnavailable || (error instanceof Refusal && error.isTemporary);
}
