import { Worker } from 'node:worker_threads';
import type { Portfolio, PortfolioRequest, RunPortfolio } from '../../queries/portfolio/portfolio.ts';
import { Refusal, type RefusalCode } from '../domain/refusals.ts';
import { type StoreName, StoreUnavailable } from '../store-unavailable.ts';

/** Where the event log is: a file of this machine, or EventStoreDB. */
export type LogLocation = { readonly file: string } | { readonly url: string };

/** What the worker is given. */
export interface PortfolioTask {
  readonly log: LogLocation;
  readonly request: PortfolioRequest;
}

/** What the worker posts at its end, unless it was stopped. */
export type PortfolioOutcome =
  | { readonly kind: 'portfolio'; readonly portfolio: Portfolio }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string | undefined }
  | { readonly kind: 'unavailable'; readonly message: string; readonly store: StoreName | undefined };

/**
 * A worker that needs more memory ends with an error, and the service goes on. With the default size of the young generation it takes
 * 100 MB more, and no less time.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 };

/** The file has the extension of this one: `.ts` in a checkout, `.js` in a build. */
const WORKER_FILE = new URL(`./portfolio-worker${import.meta.url.slice(-3)}`, import.meta.url);

/**
 * Computes portfolios in a worker thread with a connection of its own to the event log, so that requests of the service are not held
 * up. One runs at a time.
 */
export class PortfolioThread {
  readonly #log: LogLocation;
  readonly #workerFile: URL;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(log: LogLocation, workerFile: URL = WORKER_FILE) {
    this.#log = log;
    this.#workerFile = workerFile;
  }

  readonly run: RunPortfolio = async (request, signal) => {
    if (this.#isStopped) throw new StoreUnavailable('The service stops');
    if (this.#worker !== undefined) {
      throw new Refusal('portfolio_running', 'Another portfolio is being computed; only one runs at a time');
    }
    signal.throwIfAborted();
    const workerData: PortfolioTask = { log: this.#log, request };
    const worker = new Worker(this.#workerFile, {
      workerData,
      resourceLimits: RESOURCE_LIMITS,
      // Early releases of Node 24 call node:sqlite experimental on every start.
      execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'],
    });
    this.#worker = worker;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    const stop = (): void => worker.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    try {
      const outcome = await outcomeOf(worker);
      if (outcome !== undefined) return portfolioOf(outcome);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#worker = undefined;
      ended.resolve();
    }
    signal.throwIfAborted();
    if (this.#isStopped) throw new StoreUnavailable('The service stops');
    throw new Error('The worker of the portfolio ended without a result');
  };

  /** Stops the portfolio in progress, and refuses further ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#worker?.postMessage('stop');
    await this.#ended;
  }
}

/** Returns the message of the worker when it has ended; undefined without one. @throws {Error} when it failed */
async function outcomeOf(worker: Worker): Promise<PortfolioOutcome | undefined> {
  return await new Promise((resolve, reject) => {
    let outcome: PortfolioOutcome | undefined;
    worker.once('message', (message: PortfolioOutcome) => {
      outcome = message;
    });
    worker.once('error', (cause) => reject(new Error('The worker of the portfolio failed', { cause })));
    worker.once('exit', () => resolve(outcome));
  });
}

function portfolioOf(outcome: PortfolioOutcome): Portfolio {
  switch (outcome.kind) {
    case 'portfolio':
      return outcome.portfolio;
    case 'refused':
      throw new Refusal(outcome.code, outcome.detail);
    case 'unavailable':
      throw new StoreUnavailable(outcome.message, outcome.store === undefined ? {} : { store: outcome.store });
    default:
      return outcome satisfies never;
  }
}
