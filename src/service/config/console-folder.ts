import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** Returns the folder of the built console; undefined where it was not built. */
export function consoleFolder(): string | undefined {
  const folder = join(packageFolder(), 'dist', 'console');
  return existsSync(join(folder, 'index.html')) ? folder : undefined;
}
