import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import type { Book } from './book.ts';
import { runSurety } from './service.ts';
import { type Row, rateRow, whole } from './table.ts';

/** Events in one commit of the bare inserts: as many as the import has commands in flight. */
const GROUP = 256;

/** Measures `surety import` of a book, read models included, against inserting the same log bytes into SQLite. */
export async function benchImport(folder: string, dataFolder: string, environment: number, book: Book): Promise<Row> {
  const args = [
    'import',
    '--json',
    '--environment',
    String(environment),
    '--provider',
    'Bench Insurer',
    '--currency',
    'EUR',
  ];
  const files = [book.policies, book.claims];
  const start = performance.now();
  const { peakMib } = await runSurety(dataFolder, [...args, '--refused', folder, ...files]);
  const seconds = (performance.now() - start) / 1_000;
  const bareSeconds = bareInserts(join(dataFolder, 'events.db'), join(folder, 'bare-inserts.db'));
  const what = `import of ${book.name} (${whole(book.rows)} rows in ${seconds.toFixed(0)} s, ${whole(peakMib)} MiB at most), against bare inserts of the same log`;
  return rateRow(what, 'rows/s', book.rows / seconds, book.rows / bareSeconds);
}

function bareInserts(source: string, file: string): number {
  const rows = readRows(source);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL');
  database.exec(
    'CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT, data TEXT, metadata TEXT, UNIQUE (stream, revision)) STRICT',
  );
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)');
  const start = performance.now();
  for (let at = 0; at < rows.length; at += GROUP) {
    database.exec('BEGIN IMMEDIATE');
    for (const row of rows.slice(at, at + GROUP)) insert.run(...row);
    database.exec('COMMIT');
  }
  const seconds = (performance.now() - start) / 1_000;
  database.close();
  return seconds;
}

function readRows(source: string): (string | number)[][] {
  const database = new DatabaseSync(source, { readOnly: true });
  const columns = 'position, stream, revision, id, type, data, metadata';
  const rows = database.prepare(`SELECT ${columns} FROM events ORDER BY position`).all();
  database.close();
  return rows.map((row) => Object.values(row) as (string | number)[]);
}
