import { join } from 'node:path';

import type { JobQueues } from '../../src/messaging/messaging.ts';
import { openSqliteJobQueues } from '../../src/messaging/sqlite/sqlite-job-queues.ts';
import { describeJobQueues } from './messaging.suite.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describeJobQueues('SQLite', async () => {
  const { folder, remove } = temporaryFolder();
  const clock = { now: '2026-03-01T10:00:00.000Z' };
  const file = join(folder, 'data', 'jobs.db');
  const open = (): JobQueues => openSqliteJobQueues({ file, now: () => clock.now, lookAgainMs: 5 });
  let queues = open();
  return {
    queues,
    clock,
    reopen: async () => {
      await queues.close();
      queues = open();
      return queues;
    },
    dispose: async () => {
      await queues.close();
      remove();
    },
  };
});
