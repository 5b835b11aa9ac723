import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** `bin/surety.mjs` of this checkout, or of the one at BENCH_PROGRAM for comparison. */
const PROGRAM = process.env['BENCH_PROGRAM'] || join(import.meta.dirname, '../../bin/surety.mjs');

/** The administrator's key of the benchmark's service. */
export const ADMIN_KEY = 'bench-admin-key-0123456789-abcdefghijk';

export interface Service {
  readonly url: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

function settings(folder: string, port: number): NodeJS.ProcessEnv {
  const own = {
    SURETY_DATA: folder,
    SURETY_ADMIN_KEY: ADMIN_KEY,
    SURETY_SAMPLE: 'off',
    PORT: String(port),
    LOG_LEVEL: 'info',
  };
  return { ...process.env, ...own, NODE_ENV: 'production' };
}

/** Starts the service and waits until it is ready. */
export async function startService(
  folder: string,
  port: number,
  additional: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...settings(folder, port), ...additional },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(`${url}/readyz`, child);
  return { url, pid: child.pid, stop: async () => await stop(child) };
}

/** Runs a CLI command; returns its output and its peak memory in MiB. */
export async function runSurety(folder: string, args: readonly string[]): Promise<{ out: string; peakMib: number }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: settings(folder, 0),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  let peakMib = 0;
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  const watch = setInterval(() => (peakMib = Math.max(peakMib, peakOf(child.pid))), 100);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`surety ${args[0]} ended with ${code}`);
  return { out, peakMib };
}

/** Runs an admin command and returns its result. */
export async function command(url: string, name: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': ADMIN_KEY };
  const response = await fetch(`${url}/api/v1/admin/commands/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { result: Record<string, unknown> }).result;
}

/** Waits until the address responds with 200. @throws {Error} when the process exits first */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`);
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) return;
    await pause(50);
  }
}

/** Stops a process and waits for its exit. */
export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'close');
}

/** Returns the peak memory of a process in MiB; 0 where the system does not report it. */
export function peakOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
