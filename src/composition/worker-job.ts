import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import type { WorkerMessage } from './worker-thread.ts';

export interface JobContext<Progress> {
  /** Lets the message arrive that stops the worker; call it between steps. @throws the reason of the stop */
  readonly nextTurn: () => Promise<void>;
  readonly postProgress: (progress: Progress) => void;
}

/** Runs the one job of a worker thread that `WorkerThread` started, and posts its result. Any message stops it. */
export async function runJob<Result, Progress = never>(
  job: (context: JobContext<Progress>) => Promise<Result>,
): Promise<void> {
  const stopped = new AbortController();
  parentPort?.once('message', () => stopped.abort());
  const post = (message: WorkerMessage<Result, Progress>): void => parentPort?.postMessage(message);
  const context: JobContext<Progress> = {
    nextTurn: async () => {
      await setImmediate();
      stopped.signal.throwIfAborted();
    },
    postProgress: (progress) => post({ kind: 'progress', progress }),
  };
  try {
    post({ kind: 'done', result: await job(context) });
  } catch (error) {
    if (error instanceof Refusal) post({ kind: 'refused', code: error.code, detail: error.detail });
    else if (error instanceof StoreUnavailable)
      post({ kind: 'unavailable', message: error.message, store: error.store });
    else if (!stopped.signal.aborted) throw error;
  }
  parentPort?.close();
}
