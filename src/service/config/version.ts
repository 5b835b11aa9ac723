import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

let cached: string | undefined;

/** Returns the version in the package.json of Surety. */
export function programVersion(): string {
  cached ??= (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
  return cached;
}
