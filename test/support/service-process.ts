import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOT_LISTED } from '../../src/observability/logged-fields.ts';

const program = fileURLToPath(new URL('../../bin/surety.mjs', import.meta.url));

/** A folder of the test's own below the system's temporary one. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'surety-test-'));
}

export interface RunOptions {
  /** The data folder. */
  readonly folder: string;
  /** Settings besides SURETY_DATA and PORT. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Where it runs; default: the data folder's parent. */
  readonly workingFolder?: string;
  /** Runs in place of the program. */
  readonly program?: string;
  /** Leads a process group of its own, which `signalGroup` reaches. */
  readonly ownGroup?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program as a process of its own, as a person would start it, only with settings of the test's alone. */
export class SuretyProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #ownGroup: boolean;

  constructor(words: readonly string[], options: RunOptions) {
    this.#ownGroup = options.ownGroup ?? false;
    this.child = spawn(process.execPath, [options.program ?? program, ...words], {
      cwd: options.workingFolder ?? join(options.folder, '..'),
      env: { ...plainEnvironment(), PORT: '0', SURETY_DATA: options.folder, ...options.settings },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: this.#ownGroup,
    });
    this.child.stdin?.end(options.input ?? '');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** SIGKILL: no chance to clean up. */
  async kill(): Promise<Ended> {
    if (this.#ownGroup) this.signalGroup('SIGKILL');
    else this.child.kill('SIGKILL');
    return await this.ended;
  }

  /** Sends the signal to every process of the group that this one leads, as a supervisor does. @throws {Error} when it leads none */
  signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (!this.#ownGroup || pid === undefined) throw new Error('The process leads no group of its own.');
    process.kill(-pid, signal);
  }

  /** Sends the signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    const ended = await this.ended;
    requireListedFields(ended.stderr);
    return ended;
  }
}

/** @throws {Error} with the lines of a log that have a field which `LOGGED_FIELDS` lacks */
export function requireListedFields(log: string): void {
  const lines = log.split('\n').filter((line) => line.includes(NOT_LISTED));
  if (lines.length > 0) throw new Error(`LOGGED_FIELDS lacks a field:\n${lines.join('\n')}`);
}

/** What a shell would give, without settings of Surety or of the test runner. */
function plainEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG'];
  return Object.fromEntries(
    wanted.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Runs a command line to its end. */
export async function runSurety(words: readonly string[], options: RunOptions): Promise<Ended> {
  return await new SuretyProcess(words, options).ended;
}

/** A running service that is ready. */
export interface Service {
  readonly process: SuretyProcess;
  readonly url: string;
  readonly adminKey: string;
  /** Asks with the administrator's key, unless another one is given. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** Runs a command of the back office; every answer is an answer. */
  readonly command: (name: string, body: object, idempotencyKey?: string) => Promise<Response>;
}

/** Starts the service and waits until it says that it is ready. @throws {Error} with its output when it ends instead */
export async function startService(options: RunOptions & { readonly words?: readonly string[] }): Promise<Service> {
  return await readyService(new SuretyProcess(['serve', ...(options.words ?? [])], options), options);
}

/** The service of a process that was just begun, once it is ready. @throws {Error} with its output when it ends instead */
export async function readyService(started: SuretyProcess, options: RunOptions): Promise<Service> {
  const url = await untilReady(started);
  const adminKey = options.settings?.SURETY_ADMIN_KEY ?? readFileSync(join(options.folder, 'admin.key'), 'utf8').trim();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': adminKey, ...(init.headers as object) } });
  const command = async (name: string, body: object, idempotencyKey?: string): Promise<Response> =>
    await ask(`/api/v1/admin/commands/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
  return { process: started, url, adminKey, ask, command };
}

const SERVES = /^Surety serves (http:\/\/\S+)$/m;

const isOnServers = (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';

/** Below what jest gives a test or a hook, so that a service that does not become ready tells why. */
const READY_WITHIN_MS = isOnServers ? 100_000 : 50_000;

async function untilReady(started: SuretyProcess): Promise<string> {
  const end = performance.now() + READY_WITHIN_MS;
  let answer = '';
  for (;;) {
    const url = SERVES.exec(started.stdout)?.[1];
    if (url !== undefined) answer = await readinessOf(url);
    if (url !== undefined && answer === READY) return url;
    if (!started.isRunning) {
      const { stdout, stderr } = await started.ended;
      throw new Error(`Surety did not start:\n${stdout}${stderr}`);
    }
    if (performance.now() > end) throw new Error(`Surety is not ready: ${answer}\n${started.stdout}${started.stderr}`);
    await pause(20);
  }
}

const READY = 'ready';

/** `READY`, or why it is not. */
async function readinessOf(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`);
    return answer.status === 200 ? READY : await answer.text();
  } catch (error) {
    return String(error);
  }
}

/** Removes the folder of a test, and ends what it still runs. */
export async function cleanUp(folder: string, processes: readonly SuretyProcess[]): Promise<void> {
  for (const one of processes) if (one.isRunning) await one.kill();
  rmSync(folder, { recursive: true, force: true });
}
