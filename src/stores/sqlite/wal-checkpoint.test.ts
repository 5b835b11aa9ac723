import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, openReader, select } from './database.ts';
import { WalCheckpoint } from './wal-checkpoint.ts';

let folder: string;
let file: string;
let database: DatabaseSync;
let checkpoint: WalCheckpoint;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surety-wal-'));
  file = join(folder, 'any.db');
  checkpoint = new WalCheckpoint(file);
  database = openDatabase({ file, synchronous: 'full', cacheMib: 16 });
  database.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)');
});
afterEach(() => {
  checkpoint.close();
  database.close();
  rmSync(folder, { recursive: true });
});

/** Writes about as many pages. */
function write(pages: number): void {
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${pages})
     INSERT INTO rows (text) SELECT printf('%.3500c', 'x') FROM n`,
  );
}

function uncopiedPages(): number {
  const [, written, copied] = select(database, 'PRAGMA wal_checkpoint(NOOP)').get() ?? [];
  return Number(written) - Number(copied);
}

test('copies the pages of a large WAL, and leaves those of a small one', () => {
  write(3_000);
  checkpoint.run();
  expect(uncopiedPages()).toBeGreaterThan(3_000);
  write(2_000);
  checkpoint.run();
  expect(uncopiedPages()).toBe(0);
});

test('copies what a reader of an older state allows, and the rest after it', () => {
  const reader = openReader(file);
  reader.exec('BEGIN');
  const count = select(reader, 'SELECT count(*) FROM rows');
  expect(count.get()).toEqual([0]);
  write(5_000);
  checkpoint.run();
  expect(uncopiedPages()).toBeGreaterThan(5_000);
  expect(count.get()).toEqual([0]);
  reader.close();
  checkpoint.run();
  expect(uncopiedPages()).toBe(0);
});

test('a transaction of the writer neither waits for it nor makes it fail', () => {
  write(5_000);
  database.exec('BEGIN IMMEDIATE');
  database.exec("INSERT INTO rows (text) VALUES ('open')");
  checkpoint.run();
  database.exec('COMMIT');
  expect(uncopiedPages()).toBeLessThan(10);
  expect(select(database, 'SELECT count(*) FROM rows').get()).toEqual([5_001]);
});

test('copies the pages of the file that has the name now, after another one was renamed', () => {
  write(5_000);
  checkpoint.run();
  database.close();
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${file}.damaged${suffix}`);
  database = openDatabase({ file, synchronous: 'full', cacheMib: 16 });
  database.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)');
  write(5_000);
  checkpoint.run();
  expect(uncopiedPages()).toBe(0);
  expect(select(database, 'SELECT count(*) FROM rows').get()).toEqual([5_000]);
});

test('does nothing while the file is missing', () => {
  const missing = new WalCheckpoint(join(folder, 'missing.db'));
  missing.run();
  missing.close();
});
