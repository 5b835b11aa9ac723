import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runSurety, SuretyProcess } from '../../support/service-process.ts';
import { type TestDatabase, testDatabase } from './mongodb.ts';
import { type OwnLog, ownLog } from './own-log.ts';
import { freePort } from '../../support/free-port.ts';

const ADMIN_KEY = 'admin-key-of-roles-apart-0123456789abcdef';
/** Nothing listens there: whoever needs no Kafka must not mind. */
const DEAD_BROKER = '127.0.0.1:1';

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
  readonly #running: SuretyProcess[] = [];
  #log: OwnLog | undefined;

  constructor(mongo: string, broker: string) {
    this.#database = testDatabase(mongo);
    this.#broker = broker;
  }

  async begin(): Promise<void> {
    this.#log = await ownLog(join(this.#folder, 'log'));
  }

  #settings(further: Record<string, string>): Record<string, string> {
    return {
      ...this.#log?.settings(),
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

  async start(role: string): Promise<RoleProcess> {
    const port = await freePort();
    const settings = this.#settings({ SURETY_ROLES: role, PORT: String(port) });
    const process = new SuretyProcess(['serve'], { folder: join(this.#folder, 'data'), settings });
    this.#running.push(process);
    const url = `http://127.0.0.1:${port}`;
    const get: RoleProcess['get'] = async (path, headers = {}) =>
      await fetch(`${url}${path}`, { headers: { 'X-API-Key': ADMIN_KEY, ...headers } });
    const one: RoleProcess = {
      role,
      url,
      process,
      get,
      command: async (name, body) =>
        await fetch(`${url}/api/v1/admin/commands/${name}`, {
          method: 'POST',
          headers: { 'X-API-Key': ADMIN_KEY, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
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
    await until(async () => !process.isRunning || (await one.isReady()));
    if (!process.isRunning) throw new Error(`Surety did not start:\n${process.stdout}${process.stderr}`);
    return one;
  }

  async end(): Promise<void> {
    for (const process of this.#running) if (process.isRunning) await process.kill();
    await this.#log?.dispose();
    await this.#database.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** @throws {Error} when it does not come true within half a minute */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await condition()) return;
    await pause(100);
  }
  throw new Error('It did not come true within half a minute');
}
