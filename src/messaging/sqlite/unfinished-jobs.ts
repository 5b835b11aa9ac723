import { StoreUnavailable } from '../../event-store/event-store.ts';
import { openReader, select } from '../../sqlite/database.ts';
import type { Job } from '../messaging.ts';

/**
 * Every job of a queue in `file` that is not done, dead ones among them, oldest first.
 * @throws {StoreUnavailable}
 */
export function unfinishedJobs(file: string, queue: string): readonly Job[] {
  try {
    const database = openReader(file, 2);
    try {
      const rows = select(database, 'SELECT id, body FROM jobs WHERE queue = ? ORDER BY number').all(queue);
      return rows.map(([id, body]) => ({ id: String(id), body: JSON.parse(String(body)) as unknown }));
    } finally {
      database.close();
    }
  } catch (error) {
    throw new StoreUnavailable(`The jobs in ${file} cannot be read`, { cause: error });
  }
}
