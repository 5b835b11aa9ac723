import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { holdFolder } from './folder-lock.ts';

const program = `
  import { holdFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
  const lock = await holdFolder(process.env.FOLDER);
  process.stdout.write('held');
  process.stdin.on('end', () => lock.release()).resume();
`;

describe('the lock of the data folder', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'surety-')), 'data');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  /** Another process that holds the folder until its standard input ends. */
  async function holdElsewhere(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, FOLDER: folder, NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  test('makes a folder that is absent, for its owner only', async () => {
    const lock = await holdFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    lock.release();
  });

  test('is refused while another process holds it, with that process named', async () => {
    const child = await holdElsewhere();
    await expect(holdFolder(folder, { waitMs: 0 })).rejects.toMatchObject({
      name: 'FolderHeld',
      message: `The folder ${folder} is held by process ${child.pid}; only one process can work in it`,
      holder: String(child.pid),
    });
  });

  test('is waited for while another process ends', async () => {
    const child = await holdElsewhere();
    const waiting = holdFolder(folder);
    child.stdin?.end();
    (await waiting).release();
  });

  test('is gone with its process, even after kill -9', async () => {
    const child = await holdElsewhere();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await holdFolder(folder, { waitMs: 0 });
    await expect(holdFolder(folder, { waitMs: 0 })).rejects.toMatchObject({ holder: String(process.pid) });
    lock.release();
  });

  test('is held once in one process too, until it is released', async () => {
    const lock = await holdFolder(folder, { waitMs: 0 });
    await expect(holdFolder(folder, { waitMs: 60 })).rejects.toThrow(`process ${process.pid}`);
    lock.release();
    lock.release();
    expect(existsSync(join(folder, 'surety.pid'))).toBe(false);
    (await holdFolder(folder, { waitMs: 0 })).release();
  });
});
