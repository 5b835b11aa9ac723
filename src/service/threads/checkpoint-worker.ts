/**
 * The worker thread that runs checkpoints of the WAL of embedded stores until it is stopped. `checkpoint-thread.ts`
 * starts it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { WalCheckpoint } from '#stores/sqlite/wal-checkpoint.ts';

const PERIOD_MS = 100;

const checkpoints = (workerData as readonly string[]).map((file) => new WalCheckpoint(file));
const timer = setInterval(() => {
  for (const checkpoint of checkpoints) checkpoint.run();
}, PERIOD_MS);
parentPort?.once('message', () => {
  clearInterval(timer);
  for (const checkpoint of checkpoints) checkpoint.close();
});
