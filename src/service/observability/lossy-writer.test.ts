import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/support/service-process.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { LossyWriter } from './lossy-writer.ts';

const LINE = `${'x'.repeat(999)}\n`;

let folder: string;
let pipe: number;
beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder, 'pipe');
  execFileSync('mkfifo', [file]);
  pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(pipe);
  rmSync(folder, { recursive: true });
});

/** Reads what is in the pipe. */
function readPipe(): string {
  const buffer = Buffer.alloc(2 ** 20);
  try {
    return buffer.toString('utf8', 0, readSync(pipe, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return '';
    throw error;
  }
}

test('does not wait for a pipe that nobody reads, and writes whole lines when it is read again', async () => {
  const writer = new LossyWriter(pipe);
  const start = performance.now();
  for (let line = 0; line < 1_000; line++) writer.write(LINE);
  expect(performance.now() - start).toBeLessThan(500);
  expect(writer.dropped).toBeGreaterThan(800);
  expect(writer.failures).toBeGreaterThan(0);
  const { dropped } = writer;

  let text = '';
  await waitUntil(() => (text += readPipe()).length >= (1_000 - dropped) * LINE.length);
  writer.write('again\n');
  text += readPipe();
  const lines = text.match(/.*\n/g) ?? [];
  expect(lines).toHaveLength(1_000 - dropped + 1);
  expect(new Set(lines)).toEqual(new Set([LINE, 'again\n']));
  expect(writer.dropped).toBe(dropped);
});

test('writes nothing to a full disk, and does not throw', () => {
  const full = openSync('/dev/full', 'w');
  try {
    const writer = new LossyWriter(full);
    for (let line = 0; line < 100; line++) writer.write(LINE);
    expect(writer.failures).toBeGreaterThan(0);
    expect(writer.dropped).toBe(100 - Math.floor(2 ** 16 / LINE.length));
  } finally {
    closeSync(full);
  }
});
