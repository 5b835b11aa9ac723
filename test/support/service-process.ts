import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOT_LISTED } from '#service/observability/logged-fields.ts';

const program = fileURLToPath(new URL('../../bin/surety.mjs', import.meta.url));

/** Creates a temporary folder. */
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
  /** Working directory; default: the parent of the data folder. */
  readonly workingFolder?: string;
  /** Script to run instead of `bin/surety.mjs`. */
  readonly program?: string;
  /** How long the service may take to become ready, in milliseconds. */
  readonly readyWithinMs?: number;
  /** Starts the process in a new process group for `signalGroup`. */
  readonly ownGroup?: boolean;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the key of the merchant of the sample data, as the service prints it. */
export function sampleKeyOf({ stdout }: Pick<SuretyProcess, 'stdout'>, mode: 'live' | 'test' = 'live'): string {
  return new RegExp(`^ {2}${mode} {2}(sk_${mode}_\\w+)`, 'm').exec(stdout)?.[1] ?? '';
}

/** Runs the program in a child process with the settings of the test only. */
export class SuretyProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<ProcessResult>;
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
    this.exited = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills the process, or its group, by SIGKILL. */
  async kill(): Promise<ProcessResult> {
    if (this.#ownGroup) this.signalGroup('SIGKILL');
    else this.child.kill('SIGKILL');
    return await this.exited;
  }

  /** Sends a signal to the process group, as a supervisor does. @throws {Error} without `ownGroup` */
  signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (!this.#ownGroup || pid === undefined) throw new Error('The process has no separate process group.');
    process.kill(-pid, signal);
  }

  /** Sends a signal and waits for the exit. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessResult> {
    this.child.kill(signal);
    const ended = await this.exited;
    requireListedFields(ended.stderr);
    return ended;
  }
}

/** @throws {Error} when a line has a field that is missing from `LOGGED_FIELDS` */
export function requireListedFields(log: string): void {
  const lines = log.split('\n').filter((line) => line.includes(NOT_LISTED));
  if (lines.length > 0) throw new Error(`a field is missing from LOGGED_FIELDS:\n${lines.join('\n')}`);
}

/** Returns the environment variables without settings of Surety or of the test runner. */
export function plainEnvironment(): Record<string, string> {
  const wanted = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    wanted.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Runs a command and waits for its exit. */
export async function runSurety(words: readonly string[], options: RunOptions): Promise<ProcessResult> {
  return await new SuretyProcess(words, options).exited;
}

/** A service that is ready. */
export interface Service {
  readonly process: SuretyProcess;
  readonly url: string;
  readonly adminKey: string;
  /** Sends a request, by default with the administrator's key. */
  readonly request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Sends an admin command; resolves with the response whatever its status. */
  readonly command: (name: string, body: object, idempotencyKey?: string) => Promise<Response>;
  /** Executes an admin command and returns its result. @throws {Error} with the response when it is refused */
  readonly run: (name: string, body: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Registers a merchant with a live environment. */
  readonly createEnvironment: () => Promise<{ readonly environment_id: unknown; readonly tenant_id: unknown }>;
}

/** Starts the service and waits until it is ready. @throws {Error} with its output when it exits instead */
export async function startService(options: RunOptions & { readonly words?: readonly string[] }): Promise<Service> {
  return await readyService(new SuretyProcess(['serve', ...(options.words ?? [])], options), options);
}

/** Waits until a started service is ready. @throws {Error} with its output when it exits instead */
export async function readyService(started: SuretyProcess, options: RunOptions): Promise<Service> {
  const url = await waitUntilReady(started, options.readyWithinMs);
  const adminKey = options.settings?.SURETY_ADMIN_KEY ?? readFileSync(join(options.folder, 'admin.key'), 'utf8').trim();
  const request = async (path: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': adminKey, ...(init.headers as object) } });
  const command = async (name: string, body: object, idempotencyKey?: string): Promise<Response> =>
    await request(`/api/v1/admin/commands/${name}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
  const run: Service['run'] = async (name, body) => {
    const response = await command(name, body);
    const text = await response.text();
    if (response.status > 201) throw new Error(`${name} ${JSON.stringify(body)}: ${response.status} ${text}`);
    return (JSON.parse(text) as { result: Record<string, unknown> }).result;
  };
  const createEnvironment: Service['createEnvironment'] = async () => {
    const merchant = { name: 'Acme Bank', business_email: 'office@acme.example' };
    const { short_code, tenant_id } = await run('RegisterMerchant', merchant);
    const environment = { short_code, environment_name: 'Live', test_mode: false };
    return { environment_id: (await run('CreateEnvironment', environment))['environment_id'], tenant_id };
  };
  return { process: started, url, adminKey, request, command, run, createEnvironment };
}

const SERVES_LINE = /^Surety serves (http:\/\/\S+) \(.*\)$/m;

const isOnServers = (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';

/** Below jest's timeout, so that the error includes the output of the service. */
const READY_WITHIN_MS = isOnServers ? 200_000 : 100_000;

async function waitUntilReady(started: SuretyProcess, withinMs = READY_WITHIN_MS): Promise<string> {
  const end = performance.now() + withinMs;
  let response = '';
  for (;;) {
    const url = SERVES_LINE.exec(started.stdout)?.[1];
    if (url !== undefined) response = await readinessOf(url);
    if (url !== undefined && response === READY) return url;
    if (!started.isRunning) {
      const { stdout, stderr } = await started.exited;
      throw new Error(`Surety did not start:\n${stdout}${stderr}`);
    }
    if (performance.now() > end)
      throw new Error(`Surety is not ready: ${response}\n${started.stdout}${started.stderr}`);
    await pause(20);
  }
}

const READY = 'ready';

/** Returns `READY` or the reason why the service is not ready. */
async function readinessOf(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/readyz`);
    return response.status === 200 ? READY : await response.text();
  } catch (error) {
    return String(error);
  }
}

/** Kills the running processes and removes the folder. */
export async function cleanUp(folder: string, processes: readonly SuretyProcess[]): Promise<void> {
  for (const one of processes) if (one.isRunning) await one.kill();
  rmSync(folder, { recursive: true, force: true });
}
