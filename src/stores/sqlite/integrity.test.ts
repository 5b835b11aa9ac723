import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { checkIntegrity } from './connection.ts';

const PAGE_BYTES = 4_096;

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.folder, 'some.db');
});
afterEach(() => folder.remove());

describe('the check of a database', () => {
  test('finds nothing in a sound one', () => {
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT)');
    database.close();
    expect(checkIntegrity(file)).toEqual([]);
  });

  test('finds an index that does not match its table', () => {
    const database = new DatabaseSync(file);
    database.exec(
      "CREATE TABLE texts (text TEXT); CREATE INDEX by_text ON texts (text); INSERT INTO texts VALUES ('one')",
    );
    const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'by_text'").get();
    database.close();
    const handle = openSync(file, 'r+');
    // The last bytes of the page are the only entry: text and row id.
    writeSync(handle, 'x', Number(row?.['rootpage']) * PAGE_BYTES - 3);
    closeSync(handle);
    expect(checkIntegrity(file)).toEqual([expect.stringMatching(/some\.db: .*row 1.*index by_text/)]);
  });

  test('reports a file that SQLite cannot read', () => {
    writeFileSync(file, 'no database '.repeat(1_000));
    expect(checkIntegrity(file)).toEqual([`${file}: file is not a database`]);
  });
});
