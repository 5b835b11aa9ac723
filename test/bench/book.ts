import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeScaleBook } from './scale-book.ts';

/** The files of an import and their number of rows. */
export interface Book {
  readonly name: string;
  readonly policies: string;
  readonly claims: string;
  readonly rows: number;
}

const MADE_EVENTS = 50_000;

/** Returns the real book beside the project (or at `SURETY_BOOK`), else a generated one. */
export function findBook(folder: string): Book {
  const real = process.env['SURETY_BOOK'] ?? join(import.meta.dirname, '../../../shared/data/french-motor-book');
  const policies = join(real, 'policies.csv.gz');
  const claims = join(real, 'claims.csv.gz');
  if (existsSync(policies) && existsSync(claims))
    return { name: 'the French motor book', policies, claims, rows: 61_195 };
  const made = writeScaleBook(folder, MADE_EVENTS, new Date().toISOString().slice(0, 10), 1);
  return { name: 'a made-up book', policies: made.policiesFile, claims: made.claimsFile, rows: made.rows };
}
