import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, describe, expect, test } from '@jest/globals';

import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { temporaryFolder } from '../ports/support/temporary-folder.ts';
import { addOutput, expectNothingLost, retryUnclear } from './store-history.ts';
import type { History } from './store-history.ts';

const rounds = 8;
const writer = fileURLToPath(new URL('./store-writer.ts', import.meta.url));

describe('The event log after kill -9', () => {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'events.db');
  const history: History = { acknowledged: [], unclear: [] };
  afterAll(remove);

  test.each(Array.from({ length: rounds }, () => 20 + Math.floor(Math.random() * 1_500)))(
    'has every acknowledged event once (kill after %i lines)',
    async (lines) => {
      addOutput(history, await writeUntilKilled(file, lines));
      const store = openSqliteEventStore({ file });
      await expectNothingLost(store, history);
      await retryUnclear(store, history);
      await expectNothingLost(store, history);
      await store.close();
      expect(history.acknowledged.length).toBeGreaterThan(0);
    },
  );
});

/** Runs a writer, kills it after the given number of lines and returns its output. */
async function writeUntilKilled(file: string, lines: number): Promise<string> {
  const child = spawn(process.execPath, [writer, file, '16'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    seen += text.split('\n').length - 1;
    if (seen >= lines) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  return output;
}
