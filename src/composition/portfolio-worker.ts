/** The worker thread that computes one portfolio and ends. `portfolio-thread.ts` starts it; any message stops it. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { foldPortfolio } from '../../queries/portfolio/fold-portfolio.ts';
import { Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { type LogReader, openSqliteLogReader } from '../event-store/sqlite/sqlite-event-store.ts';
import type { LogLocation, PortfolioOutcome, PortfolioTask } from './portfolio-thread.ts';

const { log: location, request } = workerData as PortfolioTask;
const stopped = new AbortController();
parentPort?.once('message', () => stopped.abort());

async function openLog(log: LogLocation): Promise<LogReader> {
  if ('file' in log) return openSqliteLogReader(log.file);
  const { openEventStoreDB } = await import('../event-store/eventstoredb/eventstoredb-event-store.ts');
  return openEventStoreDB({ url: log.url });
}

/** Lets the message arrive that stops the worker. */
async function nextTurn(): Promise<void> {
  await setImmediate();
  stopped.signal.throwIfAborted();
}

async function compute(): Promise<PortfolioOutcome | undefined> {
  const log = await openLog(location);
  try {
    return { kind: 'portfolio', portfolio: await foldPortfolio(request, { log, nextTurn }) };
  } catch (error) {
    if (stopped.signal.aborted) return undefined;
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, detail: error.detail };
    if (error instanceof StoreUnavailable) {
      return { kind: 'unavailable', message: error.message, store: error.store };
    }
    throw error;
  } finally {
    await log.close();
  }
}

const outcome = await compute();
if (outcome !== undefined) parentPort?.postMessage(outcome);
parentPort?.close();
