import { join } from 'node:path';
import type { Job } from '../messaging/messaging.ts';
import { unfinishedJobs } from '../messaging/sqlite/unfinished-jobs.ts';
import { FILES } from '../runtime/data-folder.ts';

/** Every job of a queue in a data folder that is not done. @throws {StoreUnavailable} */
export function unfinishedJobsOf(dataFolder: string, queue: string): readonly Job[] {
  return unfinishedJobs(join(dataFolder, FILES.jobs), queue);
}
