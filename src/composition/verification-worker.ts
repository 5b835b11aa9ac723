/** The worker thread that verifies the read models once and ends. `verification-thread.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { VerificationReport } from '../projector/verification.ts';
import { findLostEnd, withFault } from '../projector/verify-log.ts';
import { collectionsOf } from '../projector/start-projector.ts';
import type { VerificationProgress } from '../projector/verify.ts';
import { openSqliteReadModelsReader, type ReadModelsReader } from '../read-models/sqlite/sqlite-read-models.ts';
import { type BlobReader, openSqliteBlobReader } from '../records/sqlite/sqlite-records.ts';
import { openLogReader } from './open-log-reader.ts';
import type { DocumentsLocation } from './store-locations.ts';
import type { VerificationTask } from './verification-thread.ts';
import { verifyStores } from './verify-documents.ts';
import { verifyEventLog } from './verify-event-log.ts';
import { runJob } from './worker-job.ts';

interface DocumentReaders {
  readonly readModels: ReadModelsReader;
  readonly records: BlobReader;
}

async function openReaders(location: DocumentsLocation): Promise<DocumentReaders> {
  if ('url' in location) {
    const { openMongoReadModels } = await import('../read-models/mongodb/mongo-read-models.ts');
    const { openMongoRecords } = await import('../records/mongodb/mongo-records.ts');
    return { readModels: openMongoReadModels(location), records: openMongoRecords(location) };
  }
  const { readModelsFile, recordsFile } = location;
  return { readModels: openSqliteReadModelsReader(readModelsFile), records: openSqliteBlobReader(recordsFile) };
}

const { stores, reached } = workerData as VerificationTask;

await runJob<VerificationReport, VerificationProgress>(async ({ nextTurn, postProgress }) => {
  const verified = await verifyEventLog(stores, { nextTurn, onProgress: postProgress });
  if (verified.faults > 0) return { log: verified, readModels: undefined };
  const log = await openLogReader(stores.log);
  const { readModels, records } = await openReaders(stores.documents);
  /** Embedded stores never wait, so without a turn before each call the thread could not be stopped. */
  const inTurn =
    <Parameters extends readonly unknown[], Result>(call: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      await nextTurn();
      return await call(...parameters);
    };
  try {
    await readModels.open(collectionsOf(PROJECTIONS));
    const lostEnd = await findLostEnd(readModels, log);
    if (lostEnd !== undefined) return { log: withFault(verified, lostEnd), readModels: undefined };
    const compared = await verifyStores({
      eventStore: { readAll: inTurn(log.readAll), readStream: inTurn(log.readStream) },
      readModels: {
        checkpoint: inTurn(readModels.checkpoint),
        scan: inTurn(readModels.scan),
      },
      records,
      nextTurn,
      publishedPosition: reached,
      onProgress: postProgress,
    });
    return { log: verified, readModels: compared };
  } finally {
    await Promise.allSettled([log.close(), readModels.close(), records.close()]);
  }
});
