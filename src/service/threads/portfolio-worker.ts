/** The worker thread that computes one portfolio and ends. `portfolio-thread.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { foldPortfolio } from '#queries/portfolio/fold-portfolio.ts';
import { openLogReader } from '../config/store-locations.ts';
import type { PortfolioTask } from './portfolio-thread.ts';
import { runJob } from './worker-thread.ts';

const task = workerData as PortfolioTask;

await runJob(async ({ nextTurn }) => {
  const log = await openLogReader(task.log);
  try {
    return await foldPortfolio(task.request, { log, nextTurn });
  } finally {
    await log.close();
  }
});
