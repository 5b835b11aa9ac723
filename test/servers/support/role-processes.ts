import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { runSurety, SuretyProcess } from '../../support/service-process.ts';
import { untilDespiteErrors } from '../../support/until.ts';
import { type TestDatabase, testDatabase } from './mongodb.ts';
import { ServerProcess } from '../eventstoredb/support/server-process.ts';
import { freePort } from '../../support/free-port.ts';

const ADMIN_KEY = 'admin-key-of-roles-apart-0123456789abcdef';
/** Nothing listens there: whoever needs no Kafka must not mind. */
const DEAD_BROKER = '127.0.0.1:1';
/** Processes start meanwhile, and a lease of 8 s runs out, on a machine that may be slow. */
const PATIENCE_MS = 120_000;
/** A process that was frozen takes connections and says nothing. */
const ANSWER_WITHIN_MS = 30_000;
/** So many characters of what each process complained of are told of a failure. */
const TAIL = 1_500;

/** One process of the service with the role it has. */
export interface RoleProcess {
  readonly role: string;
  /** Where it listens. */
  readonly url: string;
  readonly process: SuretyProcess;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly command: (name: string, body: object) => Promise<Response>;
  /** What `/metrics` tells of a figure. */
  readonly figure: (name: string) => Promise<number | undefined>;
  readonly isReady: () => Promise<boolean>;
}

/** Surety in several processes on servers of a test's own: event log, database, and a broker for the set-up alone. */
export class RolesApart {
  readonly #folder = mkdtempSync(join(tmpdir(), 'surety-roles-'));
  readonly #database: TestDatabase;
  readonly #broker: string;
  readonly #running: { readonly role: string; readonly process: SuretyProcess }[] = [];
  #log: ServerProcess | undefined;

  constructor(mongo: string, broker: string) {
    this.#database = testDatabase(mongo);
    this.#broker = broker;
  }

  async begin(): Promise<void> {
    this.#log = await ServerProcess.start(join(this.#folder, 'log'));
  }

  #settings(further: Record<string, string>): Record<string, string> {
    return {
      EVENTSTORE_URL: this.#log?.url ?? '',
      MONGODB_URL: this.#database.url,
      KAFKA_BROKERS: DEAD_BROKER,
      SURETY_SECRET: 'secret-of-roles-apart-0123456789abcdef',
      SURETY_ADMIN_KEY: ADMIN_KEY,
      PUBLIC_URL: 'https://surety.example',
      LOG_LEVEL: 'info',
      ...further,
    };
  }

  /** Runs a command line to its end, with a broker that is there. */
  async run(words: readonly string[], further: Record<string, string> = {}) {
    const settings = this.#settings({ KAFKA_BROKERS: this.#broker, ...further });
    return await runSurety(words, { folder: join(this.#folder, 'data'), settings });
  }

  /** Resolves when it is ready. @throws {Error} with its output when it ends instead */
  async start(role: string): Promise<RoleProcess> {
    const one = await this.launch(role);
    const { process } = one;
    await this.becomes(`${role} is ready`, async () => !process.isRunning || (await one.isReady()), true);
    if (!process.isRunning) throw new Error(`Surety did not start:\n${process.stdout}${process.stderr}`);
    return one;
  }

  /** Starts a process and does not wait for it. */
  async launch(role: string): Promise<RoleProcess> {
    const port = await freePort();
    const settings = this.#settings({ SURETY_ROLES: role, PORT: String(port) });
    const process = new SuretyProcess(['serve'], { folder: join(this.#folder, 'data'), settings });
    this.#running.push({ role, process });
    const url = `http://127.0.0.1:${port}`;
    const get: RoleProcess['get'] = async (path, headers = {}) =>
      await fetch(`${url}${path}`, {
        headers: { 'X-API-Key': ADMIN_KEY, ...headers },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
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
          signal: AbortSignal.timeout(PATIENCE_MS),
        }),
      figure: async (name) => {
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

  /** Waits until a look shows what is expected. @throws {Error} with what it showed last, and what the processes complained of */
  async becomes<T>(what: string, look: () => Promise<T>, expected: T): Promise<void> {
    let last: unknown;
    await untilDespiteErrors(
      async () => {
        last = await look();
        return last === expected;
      },
      () => `${what}: ${inspect(last)}, not ${inspect(expected)}\n${this.#complaints()}`,
      PATIENCE_MS,
    );
  }

  #complaints(): string {
    return this.#running.map(({ role, process }) => `${role}: ${process.stderr.slice(-TAIL)}`).join('\n');
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#running.map(async ({ process }) => await process.kill()));
    await this.#log?.kill();
    await this.#database.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
