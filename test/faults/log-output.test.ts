import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { freePorts } from '../support/free-port.ts';
import { useWorkspace } from '../support/workspace.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../support/wait-until.ts';

const place = useWorkspace();
const program = fileURLToPath(new URL('../../bin/surety.mjs', import.meta.url));
const LOST_LINES = 3;

let service: ChildProcess | undefined;
afterEach(() => {
  service?.kill('SIGKILL');
});

test.each([
  ['a full disk', () => openSync('/dev/full', 'w')],
  ['a full pipe that nobody reads', fullPipe],
])('A service starts, serves, counts and stops with %s as stdout and stderr', async (_, openOutput) => {
  const [port = 0, closedPort = 0] = await freePorts(2);
  mkdirSync(place.folder);
  const output = openOutput();
  const settings = {
    PORT: String(port),
    SURETY_DATA: place.folder,
    SMTP_URL: `smtp://127.0.0.1:${closedPort}`,
    MAIL_FROM: 'no-reply@surety.example',
  };
  service = spawn(process.execPath, [program, 'serve', '--sample'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const exited = once(service, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).status === 200;
  await waitUntilIgnoringErrors(isReady, () => `exit code ${service?.exitCode}`);
  const headers = {
    'x-api-key': readFileSync(join(place.folder, 'admin.key'), 'utf8').trim(),
    'content-type': 'application/json',
  };
  // Each merchant gets a mail, whose refusal is logged.
  for (let number = 1; number <= LOST_LINES; number++) {
    const body = JSON.stringify({ name: `Bank ${number}`, business_email: `office@bank${number}.example` });
    const sent = await fetch(`${url}/api/v1/admin/commands/RegisterMerchant`, { method: 'POST', headers, body });
    expect(sent.status).toBe(201);
  }
  await waitUntil(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^surety_log_write_failures_total (\d+)$/m.exec(metrics)?.[1]) >= LOST_LINES;
  });
  service.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('A tool whose result cannot be written fails with a sentence', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const tool = spawn(process.execPath, [program, '--version'], { stdio: ['ignore', full, 'pipe'] });
    let stderr = '';
    tool.stderr?.on('data', (text: Buffer) => (stderr += String(text)));
    expect(await once(tool, 'close')).toEqual([1, null]);
    expect(stderr).toBe('Standard output cannot be written (ENOSPC).\n');
  } finally {
    closeSync(full);
  }
});

function fullPipe(): number {
  const file = join(place.base, 'pipe');
  execFileSync('mkfifo', [file]);
  const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(pipe, 'x'.repeat(4_096));
  } catch {
    return pipe;
  }
}
