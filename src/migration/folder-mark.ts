import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { FILES, writePrivateFile } from '../data-folder.ts';

/**
 * Refuses a folder whose book was moved to servers: what is written there would make a second book. The caller holds the folder.
 * @throws {OperatorError}
 */
export function refuseMigrated(folder: string): void {
  const file = join(folder, FILES.migrated);
  if (!existsSync(file)) return;
  throw new OperatorError(
    `The book in the folder ${folder} was moved to servers, and what is written here would not reach them: ` +
      `${file} says when and where; work there, or, as long as the servers have taken no command, ` +
      'stop the services there and delete that file to let the folder start again.',
  );
}

/**
 * From now on nobody works on the folder, until a person deletes the file that says so; it is still read.
 * @param at ISO date-time in UTC
 * @param servers their addresses by the names of the settings; what could be a credential is left out
 * @throws {Error} of the operating system when the file cannot be written
 */
export function markMigrated(folder: string, at: string, servers: Readonly<Record<string, string>>): void {
  const wide = Math.max(...Object.keys(servers).map((name) => name.length));
  const lines = [
    `The book in this folder was moved by surety migrate, which ended at ${at}, to these servers:`,
    ...Object.entries(servers).map(([name, address]) => `  ${name.padEnd(wide)}  ${withoutCredentials(address)}`),
    'Surety works there from now on, and no longer on this folder: what is written to both makes two books that differ.',
    'surety verify still reads it, and surety migrate can still move it.',
    'Only as long as the servers have taken no command: stop the services there and delete this file to let the folder start again.',
    'Nothing that was written on the servers ever comes back to this folder.',
  ];
  writePrivateFile(join(folder, FILES.migrated), lines.join('\n'));
}

/** Scheme, hosts and path alone: the user stands before the hosts, and a parameter may be a password. */
function withoutCredentials(address: string): string {
  // As the drivers read it: what stands before the first @ is the user with the password, whatever is in it.
  const told = /^([a-z+]+:\/\/)?(?:[^@]*@)?([\w.:,[\]-]+)(\/[\w.-]*)?(?:\?[^@]*)?$/i.exec(address);
  return told === null ? '(an address that cannot be told here)' : told.slice(1).join('');
}
