import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Book } from '../../book/books.ts';

/** Writes the first `count` policies of a book, with their terms and claims, to files in a folder. */
export function firstPolicies(
  { policiesFile, claimsFile }: Pick<Book, 'policiesFile' | 'claimsFile'>,
  count: number,
  folder: string,
): Pick<Book, 'policiesFile' | 'claimsFile'> {
  const wanted = new Set<string>();
  const isWanted = (number: string): boolean => {
    if (wanted.size < count) wanted.add(number);
    return wanted.has(number);
  };
  const part = (file: string, name: string, isSelected: (number: string) => boolean): string => {
    const [heading = '', ...rows] = linesOf(file);
    const column = cells(heading).indexOf('policy_number');
    const selected = rows.filter((row) => isSelected(cells(row)[column] ?? ''));
    const written = join(folder, name);
    writeFileSync(written, `${[heading, ...selected].join('\n')}\n`);
    return written;
  };
  return {
    policiesFile: part(policiesFile, 'policies.csv', isWanted),
    claimsFile: part(claimsFile, 'claims.csv', (number) => wanted.has(number)),
  };
}

function linesOf(file: string): string[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split(/\r?\n/).filter((line) => line !== '');
}

/** Splits a line at every comma: policy numbers are never quoted, and quoted commas come after them. */
function cells(line: string): string[] {
  return line.split(',');
}
