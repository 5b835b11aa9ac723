import { readFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let folderOfPackage: string | undefined;

/**
 * Returns the folder of Surety's own package.json: of the checkout, the image, or the installed package. That of
 * `dist/` has no name.
 */
export function packageFolder(): string {
  folderOfPackage ??= nearest(dirname(fileURLToPath(import.meta.url)));
  return folderOfPackage;
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

/** Returns the folder of the built console; undefined where it was not built. */
export function consoleFolder(): string | undefined {
  const folder = join(packageFolder(), 'dist', 'console');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}

let version: string | undefined;

/** Returns the version in the package.json of Surety. */
export function programVersion(): string {
  version ??= (JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')) as { version: string }).version;
  return version;
}
