import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a data folder. */
export const FILES = {
  eventLog: 'events.db',
  readModels: 'read-models.db',
  records: 'records.db',
  jobs: 'jobs.db',
  /** There once the folder was moved to servers, until a person deletes it. */
  migrated: 'MIGRATED',
} as const;

/** The folder was worked in, and its event log is gone: a new one would pass for the whole history. */
export class LogMissing extends Error {
  override readonly name = 'LogMissing';
}

/** @throws {LogMissing} when there are read models in the folder, but no log that they could have been made from */
export function checkDataFolder(folder: string): void {
  const [log, readModels] = [join(folder, FILES.eventLog), join(folder, FILES.readModels)];
  if (existsSync(log) || !existsSync(readModels)) return;
  const mend = `restore it from a backup, or take everything out of ${folder} to begin anew`;
  throw new LogMissing(`${log} is missing, though ${readModels}, which was made from it, is there: ${mend}`);
}
