/** The worker thread that verifies the log and the read models once and ends. `verifications.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { PROJECTIONS } from '#projections/registry.ts';
import type { VerificationProgress, VerificationReport } from '#queries/verifications.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import type { DocumentReader, ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModelsReader } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { type BlobReader, openSqliteBlobReader } from '#stores/records/sqlite/sqlite-records.ts';
import { type DocumentsLocation, openLogReader } from '../config/store-locations.ts';
import type { VerificationTask } from './verifications.ts';
import { verify } from '../compose/verify.ts';
import { runJob } from './worker-thread.ts';

interface Readers {
  readonly readModels: DocumentReader & Pick<ReadModels, 'close'>;
  readonly records: BlobReader;
}

async function openReaders(location: DocumentsLocation): Promise<Readers> {
  const definitions = definitionsOf(PROJECTIONS);
  if ('url' in location) {
    const { openMongoReadModels } = await import('#stores/read-models/mongodb/mongo-read-models.ts');
    const { openMongoRecords } = await import('#stores/records/mongodb/mongo-records.ts');
    return { readModels: openMongoReadModels({ url: location.url, definitions }), records: openMongoRecords(location) };
  }
  const { folder, recordsFile } = location;
  const readModels = await openSqliteReadModelsReader({ folder, definitions });
  return { readModels, records: openSqliteBlobReader(recordsFile) };
}

const { locations } = workerData as VerificationTask;

await runJob<VerificationReport, VerificationProgress>(async ({ nextTurn, postProgress }) => {
  const opened: { close(): Promise<void> }[] = [];
  const openStores = async () => {
    const eventStore = await openLogReader(locations.log);
    const { readModels, records } = await openReaders(locations.documents);
    opened.push(eventStore, readModels, records);
    return { eventStore, readModels, records, catchUp: async () => {} };
  };
  try {
    return await verify(locations, openStores, { nextTurn, onProgress: postProgress });
  } finally {
    await Promise.allSettled(opened.map(async (store) => await store.close()));
  }
});
