/**
 * The worker thread that runs checkpoints of the WAL of embedded stores until it is stopped. `checkpoint-thread.ts`
 * starts it.
 */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { WalCheckpoint } from '#stores/sqlite/wal-checkpoint.ts';
import { FILES, readModelsIn } from '../config/data-folder.ts';

const PERIOD_MS = 100;

const folder = workerData as string;
const checkpoints = new Map<string, WalCheckpoint>();

/** Closes those of generations that were deleted. */
function keepOnly(names: readonly string[]): void {
  for (const [name, checkpoint] of checkpoints) {
    if (names.includes(name)) continue;
    checkpoint.close();
    checkpoints.delete(name);
  }
}

const timer = setInterval(() => {
  const names = [FILES.eventLog, ...readModelsIn(folder).map(({ name }) => name)];
  keepOnly(names);
  for (const name of names) {
    const checkpoint = checkpoints.get(name) ?? new WalCheckpoint(join(folder, name));
    checkpoints.set(name, checkpoint);
    checkpoint.run();
  }
}, PERIOD_MS);
parentPort?.once('message', () => {
  clearInterval(timer);
  keepOnly([]);
});
