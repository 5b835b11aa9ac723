import { isSqliteError } from './connection.ts';
import { openReader, select } from './database.ts';

/**
 * Lets SQLite check an existing database: its pages, and its indexes against its tables. Returns what is wrong, each with the name of the
 * file. It blocks the thread, for about 3 s a GiB.
 */
export function checkIntegrity(file: string): readonly string[] {
  try {
    const database = openReader(file);
    try {
      const results = select(database, 'PRAGMA integrity_check').all();
      return results.flatMap(([result]) => (result === 'ok' ? [] : [`${file}: ${oneLine(String(result))}`]));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return [`${file}: ${error.message}`];
  }
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
