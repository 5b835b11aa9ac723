import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#stores/shared/errors.ts';
import { FILES, writePrivateFile } from '#service/config/data-folder.ts';
import { withoutCredentials } from '#service/config/addresses.ts';

/** Refuses a folder that was moved to servers. The caller holds the lock of the folder. @throws {OperatorError} */
export function refuseMigrated(folder: string): void {
  const file = join(folder, FILES.migrated);
  if (!existsSync(file)) return;
  throw new OperatorError(
    `The data in the folder ${folder} was moved to servers, and changes made here would not reach them. ` +
      `${file} has the time and the addresses. Use the servers; or, if the servers have executed no command yet, ` +
      'stop the services there and delete that file to use the folder again.',
  );
}

/**
 * Writes the file that makes `refuseMigrated` refuse the folder. Tools may still read the folder.
 * @param at ISO date-time in UTC
 * @param servers addresses by the names of the settings; credentials are removed
 * @throws {Error} of the operating system when the file cannot be written
 */
export function markMigrated(folder: string, at: string, servers: Readonly<Record<string, string>>): void {
  const lines = [
    `surety migrate moved the data in this folder at ${at} to these servers:`,
    ...Object.entries(servers).map(([name, address]) => `  ${name}  ${withoutCredentials(address)}`),
    'Use the servers from now on: Surety refuses to change this folder, because the two would diverge.',
    'surety verify still reads it, and surety migrate can still move it.',
    'Only if the servers have executed no command yet: stop the services there and delete this file to use the folder again.',
    'Changes made on the servers never come back to this folder.',
  ];
  writePrivateFile(join(folder, FILES.migrated), lines.join('\n'));
}
