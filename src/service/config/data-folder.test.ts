import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createFolder } from './data-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'surety-test-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test('creates a folder with those above it, for its owner only; again changes nothing', () => {
  const folder = join(base, 'a', 'b');
  createFolder(folder);
  createFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('throws where a file is in the way, and where the file system refuses new folders', () => {
  writeFileSync(join(base, 'file'), '');
  expect(() => createFolder(join(base, 'file'))).toThrow('EEXIST');
  expect(() => createFolder(join(base, 'file', 'a'))).toThrow(/EEXIST|ENOTDIR/);
  if (process.platform === 'linux') expect(() => createFolder('/proc/x/y')).toThrow('ENOENT');
});
