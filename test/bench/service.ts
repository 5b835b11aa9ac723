import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';

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

/** A merchant with a live environment and a key. */
export interface Merchant {
  readonly shortCode: string;
  readonly environmentId: number;
  readonly key: string;
}

/** Registers a merchant with an environment and a key. */
export async function createMerchant(url: string): Promise<Merchant> {
  const merchant = { name: 'Bench', business_email: 'bench@bench.example' };
  const { short_code } = await command(url, 'RegisterMerchant', merchant);
  const place = { short_code, environment_name: 'Live', test_mode: false };
  const { environment_id } = await command(url, 'CreateEnvironment', place);
  const { api_key } = await command(url, 'IssueApiKey', { environment_id, label: 'load' });
  return { shortCode: String(short_code), environmentId: Number(environment_id), key: String(api_key) };
}

/** Creates a merchant by a service that runs on the data folder meanwhile. */
export async function createMerchantIn(folder: string): Promise<Merchant> {
  const service = await startService(folder, await freePort(), { LOG_LEVEL: 'warn' });
  const merchant = await createMerchant(service.url);
  await service.stop();
  return merchant;
}

/** Returns the ids of all streams of a category, in the order of the log, and its last position. */
export function readStreamIds(
  folder: string,
  category: string,
): { readonly ids: readonly string[]; readonly last: number } {
  const log = new DatabaseSync(join(folder, 'events.db'), { readOnly: true });
  const found = log
    .prepare(`SELECT stream FROM events WHERE revision = 0 AND stream >= '${category}-' AND stream < '${category}.'`)
    .all();
  const last = Number(log.prepare('SELECT max(position) AS last FROM events').get()?.['last']);
  log.close();
  return { ids: found.map(({ stream }) => String(stream).slice(category.length + 1)), last };
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
