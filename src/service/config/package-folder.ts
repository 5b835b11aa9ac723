import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let cached: string | undefined;

/** Returns the folder of Surety's own package.json: of the checkout, the image, or the installed package. That of `dist/` has no name. */
export function packageFolder(): string {
  cached ??= nearest(dirname(fileURLToPath(import.meta.url)));
  return cached;
}

function nearest(folder: string): string {
  if (nameIn(folder) === 'surety') return folder;
  if (dirname(folder) === folder) throw new Error('The package.json of Surety is missing');
  return nearest(dirname(folder));
}

function nameIn(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}
