import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let cached: string | undefined;

/** Returns the version in the nearest package.json above this file. */
export function programVersion(): string {
  cached ??= readVersion(dirname(fileURLToPath(import.meta.url)));
  return cached;
}

function readVersion(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  if (dirname(folder) === folder) throw new Error('The package.json of Surety is missing');
  return readVersion(dirname(folder));
}
