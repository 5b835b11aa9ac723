import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { findServiceOf, lockFolder } from './folder-lock.ts';

const program = `
  import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)};
  const lock = await lockFolder(process.env.FOLDER);
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

  /** Locks the folder in another process until its standard input ends. */
  async function lockElsewhere(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, FOLDER: folder, NODE_OPTIONS: '' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  test('creates a missing folder for its owner only', async () => {
    const lock = await lockFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    lock.release();
  });

  test('names the process that has locked the folder', async () => {
    const child = await lockElsewhere();
    await expect(lockFolder(folder, { waitMs: 0 })).rejects.toMatchObject({
      name: 'FolderLocked',
      message: `The folder ${folder} is held by process ${child.pid}; only one process can work in it`,
      holder: String(child.pid),
    });
  });

  test('waits for another process to end', async () => {
    const child = await lockElsewhere();
    const waiting = lockFolder(folder);
    child.stdin?.end();
    (await waiting).release();
  });

  test('ends with its process, also after kill -9', async () => {
    const child = await lockElsewhere();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = await lockFolder(folder, { waitMs: 0 });
    await expect(lockFolder(folder, { waitMs: 0 })).rejects.toMatchObject({ holder: String(process.pid) });
    lock.release();
  });

  test('comes with the address of the service, until it stops or is killed', async () => {
    expect(findServiceOf(folder)).toBeUndefined();
    const lock = await lockFolder(folder);
    expect(findServiceOf(folder)).toBeUndefined();
    lock.publishAddress('http://127.0.0.1:3000');
    expect(findServiceOf(folder)).toBe('http://127.0.0.1:3000');
    expect(statSync(join(folder, 'surety.url')).mode & 0o777).toBe(0o600);
    lock.publishAddress(undefined);
    expect(findServiceOf(folder)).toBeUndefined();
    lock.release();
    writeFileSync(join(folder, 'surety.url'), 'http://127.0.0.1:3000\n');
    expect(findServiceOf(folder)).toBeUndefined();
    await lockElsewhere();
    expect(findServiceOf(folder)).toBeUndefined();
  });

  test('is exclusive within one process too, until it is released', async () => {
    const lock = await lockFolder(folder, { waitMs: 0 });
    await expect(lockFolder(folder, { waitMs: 60 })).rejects.toThrow(`process ${process.pid}`);
    lock.release();
    lock.release();
    expect(existsSync(join(folder, 'surety.pid'))).toBe(false);
    (await lockFolder(folder, { waitMs: 0 })).release();
  });
});
