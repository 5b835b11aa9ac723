import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { waitUntil } from '#test/support/wait-until.ts';
import { FILES } from '../config/data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { openDatabase, select } from '#stores/sqlite/database.ts';
import { startCheckpoints } from './checkpoint-thread.ts';
import { startWorker, workerFile } from './worker-thread.ts';

const warn = jest.fn();
const log = { warn } as unknown as Logger;

let folder: string;
beforeEach(() => {
  warn.mockClear();
  folder = mkdtempSync(join(tmpdir(), 'surety-checkpoints-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('copies the pages of the WAL beside a writer until it is stopped', async () => {
  const file = join(folder, FILES.eventLog);
  const database = openDatabase({ file, synchronous: 'normal', cacheMib: 16 });
  database.exec('CREATE TABLE rows (text TEXT)');
  const thread = startCheckpoints(folder, log);
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO rows SELECT printf('%.3500c', 'x') FROM n`,
  );
  await waitUntil(() => {
    const [, written, copied] = select(database, 'PRAGMA wal_checkpoint(NOOP)').get() ?? [];
    return written === copied;
  });
  await thread.stop();
  database.close();
  expect(warn).not.toHaveBeenCalled();
});

test('a thread that fails is reported, and can be stopped', async () => {
  const failing = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('no thread')")}`);
  const thread = startCheckpoints(folder, log, failing);
  await waitUntil(() => warn.mock.calls.length > 0);
  await thread.stop();
});

test('starts where the process has flags that a worker does not take', async () => {
  process.execArgv.push('--max-old-space-size=512');
  try {
    await startCheckpoints(folder, log).stop();
    const job = startWorker(workerFile('verification-worker', import.meta.url), undefined);
    await job.terminate();
  } finally {
    process.execArgv.pop();
  }
  expect(warn).not.toHaveBeenCalled();
});
