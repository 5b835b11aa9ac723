import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { runSurety, SuretyProcess } from '../../support/service-process.ts';
import { waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import { type TestDatabase, testDatabase } from './mongodb.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { freePort } from '../../support/free-port.ts';

const ADMIN_KEY = 'admin-key-of-roles-apart-0123456789abcdef';
/** No broker listens there: roles without Kafka must work all the same. */
const DEAD_BROKER = '127.0.0.1:1';
/** Long enough for starts of processes and the expiry of a lease (8 s) on a slow machine. */
const TIMEOUT_MS = 120_000;
/** A frozen process accepts connections but does not respond. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** Maximum length of each process's stderr in an error. */
const MAX_STDERR_CHARS = 1_500;

/** A process with its role. */
export interface RoleProcess {
  readonly role: string;
  /** Its address. */
  readonly url: string;
  readonly process: SuretyProcess;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly command: (name: string, body: object) => Promise<Response>;
  /** Reads a metric from `/metrics`. */
  readonly metric: (name: string) => Promise<number | undefined>;
  readonly isReady: () => Promise<boolean>;
}

/** Surety in several processes on a separate event log and database; a broker is used by `surety setup` only. */
export class RoleProcesses {
  readonly #folder = mkdtempSync(join(tmpdir(), 'surety-roles-'));
  readonly #database: TestDatabase;
  readonly #broker: string;
  readonly #running: { readonly role: string; readonly process: SuretyProcess }[] = [];
  #log: StandInProcess | undefined;

  constructor(mongo: string, broker: string) {
    this.#database = testDatabase(mongo);
    this.#broker = broker;
  }

  async startServers(): Promise<void> {
    this.#log = await StandInProcess.start(join(this.#folder, 'log'));
  }

  #settings(additional: Record<string, string>): Record<string, string> {
    return {
      EVENTSTORE_URL: this.#log?.url ?? '',
      MONGODB_URL: this.#database.url,
      KAFKA_BROKERS: DEAD_BROKER,
      SURETY_SECRET: 'secret-of-roles-apart-0123456789abcdef',
      SURETY_ADMIN_KEY: ADMIN_KEY,
      PUBLIC_URL: 'https://surety.example',
      LOG_LEVEL: 'info',
      ...additional,
    };
  }

  /** Runs a command with the real broker and waits for its exit. */
  async run(words: readonly string[], additional: Record<string, string> = {}) {
    const settings = this.#settings({ KAFKA_BROKERS: this.#broker, ...additional });
    return await runSurety(words, { folder: join(this.#folder, 'data'), settings });
  }

  /** Starts a process and waits until it is ready. @throws {Error} with its output when it exits instead */
  async start(role: string): Promise<RoleProcess> {
    const one = await this.launch(role);
    const { process } = one;
    await this.waitUntilEquals(`${role} is ready`, async () => !process.isRunning || (await one.isReady()), true);
    if (!process.isRunning) throw new Error(`Surety did not start:\n${process.stdout}${process.stderr}`);
    return one;
  }

  /** Starts a process without waiting for readiness. */
  async launch(role: string): Promise<RoleProcess> {
    const port = await freePort();
    const settings = this.#settings({ SURETY_ROLES: role, PORT: String(port) });
    const process = new SuretyProcess(['serve'], { folder: join(this.#folder, 'data'), settings });
    this.#running.push({ role, process });
    const url = `http://127.0.0.1:${port}`;
    const get: RoleProcess['get'] = async (path, headers = {}) =>
      await fetch(`${url}${path}`, {
        headers: { 'X-API-Key': ADMIN_KEY, ...headers },
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
    return {
      role,
      url,
      process,
      get,
      command: async (name, body) =>
        await fetch(`${url}/api/v1/admin/commands/${name}`, {
          method: 'POST',
          headers: { 'X-API-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        }),
      metric: async (name) => {
        const line = (await (await get('/metrics')).text()).split('\n').find((text) => text.startsWith(`${name} `));
        return line === undefined ? undefined : Number(line.slice(name.length + 1));
      },
      isReady: async () =>
        await get('/readyz').then(
          ({ status }) => status === 200,
          () => false,
        ),
    };
  }

  /** Waits until a value equals the expected one. @throws {Error} with the last value and the stderr of the processes on timeout */
  async waitUntilEquals<T>(what: string, read: () => Promise<T>, expected: T): Promise<void> {
    let last: unknown;
    await waitUntilIgnoringErrors(
      async () => {
        last = await read();
        return last === expected;
      },
      () => `${what}: ${inspect(last)}, not ${inspect(expected)}\n${this.#stderrTails()}`,
      TIMEOUT_MS,
    );
  }

  #stderrTails(): string {
    return this.#running.map(({ role, process }) => `${role}: ${process.stderr.slice(-MAX_STDERR_CHARS)}`).join('\n');
  }

  async dispose(): Promise<void> {
    await Promise.allSettled(this.#running.map(async ({ process }) => await process.kill()));
    await this.#log?.kill();
    await this.#database.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
