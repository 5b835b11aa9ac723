import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SMALL_BOOK } from '../book/books.ts';
import type { ProcessResult } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const workspace = useWorkspace();

const run = async (...words: readonly string[]): Promise<ProcessResult> => await workspace.spawn(words).exited;

test('a migrated folder is readable, but not writable until its mark is deleted', async () => {
  expect(await run('setup')).toMatchObject({ code: 0 });
  const body = join(workspace.base, 'body.json');
  writeFileSync(body, '{"name": "Line", "business_email": "line@bank.example"}');
  const mark = join(workspace.folder, 'MIGRATED');
  writeFileSync(mark, 'to somewhere\n');
  const readLog = (): Buffer => readFileSync(join(workspace.folder, 'events.db'));
  const before = readLog();

  const refusedCommands = [
    ['serve'],
    ['setup'],
    ['command', 'RegisterMerchant', body],
    ['import', '--environment', '1', '--provider', 'Assurance', SMALL_BOOK.policiesFile],
  ];
  for (const words of refusedCommands) {
    const { code, stdout, stderr } = await run(...words);
    expect([words[0], code, stdout]).toEqual([words[0], 1, '']);
    expect(stderr).toMatch(/^The data in the folder \S+data was moved to servers, .*\n$/);
    expect(stderr).toContain(`${mark} has the time and the addresses`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  }
  expect(readLog().equals(before)).toBe(true);

  expect(await run('verify')).toMatchObject({ code: 0, stderr: '' });
  rmSync(mark);
  expect(await run('command', 'RegisterMerchant', body)).toMatchObject({ code: 0 });
});
