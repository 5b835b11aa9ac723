import { setImmediate } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';
import { Refusal, type RefusalCode } from '#domain/refusals.ts';
import { type StoreName, StoreUnavailable } from '#stores/shared/store-unavailable.ts';

/** What a worker posts: any number of `progress`, then one of the others, unless it was stopped. */
type WorkerMessage<Result, Progress> =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string | undefined }
  | { readonly kind: 'unavailable'; readonly message: string; readonly store: StoreName | undefined };

interface WorkerThreadOptions {
  /** File whose code calls `runJob`. */
  readonly file: URL;
  readonly subject: string;
  readonly running: { readonly code: RefusalCode; readonly detail: string };
}

/**
 * A worker that needs more memory ends with an error, and the service goes on. With the default size of the young
 * generation it takes 100 MB more, and no less time.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 };

/**
 * Flags of all workers. Those of the process are left out, because a worker does not start with some of them, such as
 * `--max-old-space-size`. The warnings are those that `bin/surety.mjs` holds back in the process.
 */
export const WORKER_FLAGS: readonly string[] = ['--disable-warning=ExperimentalWarning', '--disable-warning=DEP0123'];

/** Returns the file of a worker beside the calling module: `.ts` in a checkout, `.js` in a build. */
export function workerFile(name: string, moduleUrl: string): URL {
  return new URL(`./${name}${moduleUrl.slice(-3)}`, moduleUrl);
}

/** Starts a worker with a limit of memory. */
export function startWorker(file: URL, workerData?: unknown): Worker {
  return new Worker(file, {
    workerData,
    resourceLimits: RESOURCE_LIMITS,
    execArgv: [...WORKER_FLAGS],
  });
}

/** Runs one job at a time in a worker thread, so that requests of the service are not held up. */
export class WorkerThread<Task, Result, Progress = never> {
  readonly #options: WorkerThreadOptions;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs a job in a new worker. The worker ends when the signal aborts.
   * @throws {Refusal} of the job, while another one runs, or when the service stops
   * @throws {StoreUnavailable} when a store of the job fails
   */
  async run(
    task: Task,
    signal = new AbortController().signal,
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<Result> {
    const { file, subject, running } = this.#options;
    if (this.#isStopped) throw stopping();
    if (this.#worker !== undefined) throw new Refusal(running.code, running.detail);
    signal.throwIfAborted();
    const worker = startWorker(file, task);
    this.#worker = worker;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    const stop = (): void => worker.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = await this.#outcomeOf(worker, onProgress);
      if (outcome !== undefined) return resultOf(outcome);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#worker = undefined;
      ended.resolve();
    }
    signal.throwIfAborted();
    if (this.#isStopped) throw stopping();
    throw new Error(`The worker of ${subject} ended without a result`);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#worker?.postMessage('stop');
    await this.#ended;
  }

  /** Returns the last message of the worker when it has ended; undefined without one. @throws {Error} when it failed */
  async #outcomeOf(worker: Worker, onProgress: (progress: Progress) => void): Promise<Outcome<Result> | undefined> {
    const { subject } = this.#options;
    return await new Promise((resolve, reject) => {
      let outcome: Outcome<Result> | undefined;
      worker.on('message', (message: WorkerMessage<Result, Progress>) => {
        if (message.kind === 'progress') onProgress(message.progress);
        else outcome = message;
      });
      worker.once('error', (cause) => reject(new Error(`The worker of ${subject} failed`, { cause })));
      worker.once('exit', () => resolve(outcome));
    });
  }
}

/** Returns the refusal of what is not done because the service stops. */
export function stopping(): Refusal {
  return new Refusal('unavailable', 'The service stops');
}

type Outcome<Result> = Exclude<WorkerMessage<Result, never>, { kind: 'progress' }>;

function resultOf<Result>(outcome: Outcome<Result>): Result {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'refused':
      throw new Refusal(outcome.code, outcome.detail);
    case 'unavailable':
      throw new StoreUnavailable(outcome.message, outcome.store === undefined ? {} : { store: outcome.store });
    default:
      return outcome satisfies never;
  }
}

interface JobContext<Progress> {
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
