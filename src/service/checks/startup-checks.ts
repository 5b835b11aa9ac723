import { join } from 'node:path';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { LogMismatch } from '#stores/event-log/log-identity.ts';
import { requireWholeLog } from '#stores/event-log/sqlite/require-whole-log.ts';
import { requireSameLog } from '#read-side/same-log.ts';
import type { Checkpoint } from '#stores/read-models/read-models.ts';
import { readCheckpoint } from '#stores/read-models/sqlite/sqlite-generation.ts';
import { hasInstallation } from '#stores/records/installation.ts';
import type { Records } from '#stores/records/records.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import { StoreDamaged } from '#stores/shared/store-unavailable.ts';
import { databaseMissing, FILES, hasFile, readModelsIn } from '../config/data-folder.ts';

/**
 * Refuses a folder with a log or read models whose records were lost, before opening the store would create new ones.
 * @throws {OperatorError}
 */
export function requireRecordsOfLog(folder: string): void {
  if (hasFile(folder, FILES.records)) return;
  const found = [FILES.eventLog, ...namesOfReadModels(folder)].find((name) => hasFile(folder, name));
  if (found !== undefined) throw databaseMissing(folder, FILES.records, found);
}

/**
 * Refuses an installation or read models whose log in the folder was lost, because a new log would be taken for the
 * complete history. A folder without both never had an event.
 * @throws {OperatorError}
 */
export async function requireLogOfRecords(folder: string, records: Records): Promise<void> {
  if (hasFile(folder, FILES.eventLog)) return;
  const candidates = (await hasInstallation(records)) ? [FILES.records] : namesOfReadModels(folder);
  const found = candidates.find((name) => hasFile(folder, name));
  if (found !== undefined) throw databaseMissing(folder, FILES.eventLog, found);
}

function namesOfReadModels(folder: string): readonly string[] {
  return readModelsIn(folder).map(({ name }) => name);
}

/**
 * Refuses a log in the folder that lacks an event, or whose newest events were altered or are missing according to the
 * read models in the folder: commands would reuse the positions and revisions of what is missing.
 * @throws {StoreDamaged}
 * @throws {OperatorError} when the read models reflect an event that the log does not have
 */
export async function requireSoundLog(folder: string, eventStore: EventStore): Promise<void> {
  requireWholeLog(join(folder, FILES.eventLog));
  try {
    for (const { name } of readModelsIn(folder))
      await requireSameLog(checkpointUnlessDamaged(join(folder, name)), eventStore);
  } catch (error) {
    if (error instanceof LogMismatch) throw new OperatorError(`${error.message}.`, { cause: error });
    throw error;
  }
}

/** A damaged file is set aside when the projector starts. */
function checkpointUnlessDamaged(file: string): Checkpoint | undefined {
  try {
    return readCheckpoint(file);
  } catch (error) {
    if (error instanceof StoreDamaged) return undefined;
    throw error;
  }
}
