import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../observability/logging.ts';
import { WORKER_FLAGS, workerFile } from './worker-thread.ts';

export interface CheckpointThread {
  stop(): Promise<void>;
}

/**
 * Starts a thread that copies pages from the WAL of the databases in a folder into their files, so that few commits
 * wait for the fsyncs of a checkpoint. If the thread fails, commits run the checkpoints again.
 */
export function startCheckpoints(
  folder: string,
  log: Logger,
  worker: URL = workerFile('checkpoint-worker', import.meta.url),
): CheckpointThread {
  const thread = new Worker(worker, {
    workerData: folder,
    execArgv: [...WORKER_FLAGS],
  });
  const ended = once(thread, 'exit').catch((error: unknown) => {
    log.warn(
      { err: error },
      'The thread for checkpoints of the embedded stores failed; commits run them, which takes longer',
    );
  });
  return {
    stop: async () => {
      thread.postMessage('stop');
      await ended;
    },
  };
}
