import { setImmediate } from 'node:timers/promises';
import { PROJECTIONS } from '#projections/registry.ts';
import type { DocumentsReport, LogReport, VerificationReport } from '#queries/verifications.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { openTemporaryEventIndex } from '#stores/event-log/sqlite/temporary-event-index.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { type VerifyOptions, verifyReadModels } from '#read-side/verify.ts';
import { verifyContents } from '#read-side/verify-contents.ts';
import { findTruncation, verifyLog, withFault } from '#read-side/verify-log.ts';
import type { DocumentReader } from '#stores/read-models/read-models.ts';
import { openTemporaryGeneration } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { checkIntegrity } from '#stores/sqlite/connection.ts';
import { openUncheckedLog, type StoreLocations } from '../config/store-locations.ts';

interface StoresToVerify {
  readonly eventStore: Pick<EventStore, 'readAll' | 'readStream' | 'readAt'>;
  readonly readModels: Pick<DocumentReader, 'checkpoint' | 'scan'>;
  readonly records: Pick<Records, 'getBlobRow'>;
  /** Waits until the read models are to be compared. */
  readonly catchUp: () => Promise<void>;
}

type Options = Pick<VerifyOptions, 'onProgress' | 'nextTurn'>;

/**
 * Verifies the event log, then all documents of the read models, and the contents of claim documents.
 * @param openStores is called when the log has no fault, so that no document is folded from a damaged one
 * @throws {StoreUnavailable}
 */
export async function verify(
  locations: StoreLocations,
  openStores: () => Promise<StoresToVerify>,
  options: Options,
): Promise<VerificationReport> {
  const log = await verifyEventLog(locations, options);
  if (log.faults > 0) return { log, read_models: null };
  const { eventStore, readModels, records, catchUp } = await openStores();
  const lostEnd = await findTruncation(readModels, eventStore);
  if (lostEnd !== undefined) return { log: withFault(log, lostEnd), read_models: null };
  await catchUp();
  const documents = await verifyDocuments({ ...options, eventStore, readModels, projections: PROJECTIONS });
  const contents = await verifyContents(readModels, { records, nextTurn: options.nextTurn ?? setImmediate });
  return { log, read_models: { ...documents, contents } };
}

/** Verifies the event log, and the files of log and records, by connections of its own. @throws {StoreUnavailable} */
export async function verifyEventLog(
  { log: location, documents }: StoreLocations,
  options: Options = {},
): Promise<LogReport> {
  const logFiles = 'file' in location ? [location.file] : [];
  const files = 'recordsFile' in documents ? [...logFiles, documents.recordsFile] : logFiles;
  const log = await openUncheckedLog(location);
  const index = openTemporaryEventIndex();
  try {
    return await verifyLog({ ...options, log, index, checkFiles: () => files.flatMap(checkIntegrity) });
  } finally {
    index.close();
    await log.close();
  }
}

/** Verifies the documents of the read models with a temporary file as scratch store. @throws {StoreUnavailable} */
export async function verifyDocuments(options: Omit<VerifyOptions, 'scratch'>): Promise<DocumentsReport> {
  const scratch = openTemporaryGeneration(definitionsOf(options.projections));
  try {
    return await verifyReadModels({ ...options, scratch });
  } finally {
    await scratch.close();
  }
}
