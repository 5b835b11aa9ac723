import { openTemporaryEventIndex } from '../event-store/sqlite/temporary-event-index.ts';
import type { VerifyOptions } from '../projector/verify.ts';
import { type LogVerification, verifyLog, type VerifyLogOptions } from '../projector/verify-log.ts';
import { checkIntegrity } from '../sqlite/integrity.ts';
import { openUncheckedLog } from './open-log-reader.ts';
import type { StoreLocations } from './store-locations.ts';

type Options = Pick<VerifyOptions, 'onProgress'> & Pick<VerifyLogOptions, 'nextTurn'>;

/** Verifies the event log, and the files of log and records, by connections of its own. @throws {StoreUnavailable} */
export async function verifyEventLog(
  stores: StoreLocations,
  { onProgress, nextTurn }: Options,
): Promise<LogVerification> {
  const { log: location, documents } = stores;
  const logFiles = 'file' in location ? [location.file] : [];
  const files = 'recordsFile' in documents ? [...logFiles, documents.recordsFile] : logFiles;
  const log = await openUncheckedLog(location);
  const index = openTemporaryEventIndex();
  try {
    return await verifyLog({
      log,
      index,
      checkFiles: () => files.flatMap(checkIntegrity),
      nextTurn,
      onProgress: ({ count, position, head }) =>
        onProgress?.({ step: 'log', count, share: head === 0n ? 1 : Number(position) / Number(head), position, head }),
    });
  } finally {
    index.close();
    await log.close();
  }
}
