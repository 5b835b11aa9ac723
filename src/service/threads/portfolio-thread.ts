import type { Portfolio, PortfolioRequest, RunPortfolio } from '#queries/portfolio/portfolio.ts';
import type { LogLocation } from '../config/store-locations.ts';
import { workerFile, WorkerThread } from './worker-thread.ts';

export interface PortfolioTask {
  readonly log: LogLocation;
  readonly request: PortfolioRequest;
}

/** Computes portfolios in a worker thread with a connection of its own to the event log. One runs at a time. */
export class PortfolioThread {
  readonly #thread: WorkerThread<PortfolioTask, Portfolio>;
  readonly run: RunPortfolio;

  constructor(log: LogLocation, file: URL = workerFile('portfolio-worker', import.meta.url)) {
    const detail = 'Another portfolio is being computed; only one runs at a time';
    this.#thread = new WorkerThread({ file, subject: 'the portfolio', running: { code: 'portfolio_running', detail } });
    this.run = async (request, signal) => await this.#thread.run({ log, request }, signal);
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
