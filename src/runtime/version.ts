import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/** The version of the program, as its package says: of the nearest folder above this file that has one. */
export function programVersion(): string {
  known ??= readVersion(dirname(fileURLToPath(import.meta.url)));
  return known;
}

function readVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  if (dirname(folder) === folder) throw new Error('Surety runs without its package.json');
  return readVersion(dirname(folder));
}
