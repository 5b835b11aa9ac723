import type { BackOffice } from '../back-office/back-office.ts';
import { Refusal } from '../domain/refusals.ts';
import { refusedWith, type TakeRow } from './take-row.ts';

/** Takes rows over in a data folder that this process holds. */
export function takeOffline(office: BackOffice): TakeRow {
  return async (command, body) => {
    try {
      const outcome = await office.run(command, body);
      return { kind: outcome.replayed ? 'already' : 'taken' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status >= 500) throw error;
      return refusedWith({ code: error.code, detail: error.message, fields: error.fields });
    }
  };
}
