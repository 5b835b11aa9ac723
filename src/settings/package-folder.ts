import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let cached: string | undefined;

/** Returns the folder of the nearest package.json above this file: of the checkout, the image, or the installed package. */
export function packageFolder(): string {
  cached ??= nearest(dirname(fileURLToPath(import.meta.url)));
  return cached;
}

function nearest(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('The package.json of Surety is missing');
  return nearest(dirname(folder));
}
