import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from '@jest/globals';

import type { Records } from '#stores/records/records.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { pragma } from '#stores/sqlite/database.ts';
import { describeRecords } from './records.suite.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describeRecords('SQLite', async () => {
  const { folder, remove } = temporaryFolder();
  const open = (): Records => openSqliteRecords({ file: join(folder, 'data', 'records.db') });
  let records = open();
  return {
    records,
    reopen: async () => {
      await records.close();
      records = open();
      return records;
    },
    flipBit: async (sha256, row) => {
      const database = new DatabaseSync(join(folder, 'data', 'records.db'));
      const stored = database.prepare('SELECT bytes FROM blob_rows WHERE sha256 = ? AND row = ?').get(sha256, row);
      const bytes = stored?.['bytes'] as Uint8Array;
      bytes.set([(bytes[0] ?? 0) ^ 1]);
      database.prepare('UPDATE blob_rows SET bytes = ? WHERE sha256 = ? AND row = ?').run(bytes, sha256, row);
      database.close();
    },
    dispose: async () => {
      await records.close();
      remove();
    },
  };
});

describe('records: SQLite only', () => {
  test('use a write-ahead log that is synced at every commit', async () => {
    const { folder, remove } = temporaryFolder();
    const settings: unknown[] = [];
    const onOpened = (database: Parameters<typeof pragma>[0]): void => {
      settings.push(pragma(database, 'journal_mode'), pragma(database, 'synchronous'));
    };
    await openSqliteRecords({ file: join(folder, 'records.db'), onOpened }).close();
    remove();
    expect(settings).toEqual(['wal', 2]);
  });
});
