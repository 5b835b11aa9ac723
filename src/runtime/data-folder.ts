import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CannotDo } from './cannot-do.ts';

/** The files of a data folder. */
export const FILES = {
  eventLog: 'events.db',
  readModels: 'read-models.db',
  records: 'records.db',
  /** The queue of jobs of earlier versions; removed once its mails are in the event log. */
  jobs: 'jobs.db',
  /** There once the folder was moved to servers, until a person deletes it. */
  migrated: 'MIGRATED',
} as const;

/**
 * Refuses a folder whose event log was taken out: a new log would be taken as the complete history.
 * @throws {CannotDo} when there are read models in the folder, but no log that they could have been made from
 */
export function requireLog(folder: string): void {
  const [log, readModels] = [join(folder, FILES.eventLog), join(folder, FILES.readModels)];
  if (existsSync(log) || !existsSync(readModels)) return;
  throw new CannotDo(
    `${log} is missing, though ${readModels}, which was made from it, is there: restore it from a backup, or take everything out of ${folder} to start with an empty one.`,
  );
}
