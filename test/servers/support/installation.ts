import { inspect } from 'node:util';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { readyService, runSurety, type Service, SuretyProcess } from '../../support/service-process.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import { Broker } from './broker.ts';
import { MailCatcher } from './mail-catcher.ts';
import { MongodbProcess } from './mongodb-process.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { freePort } from '../../support/free-port.ts';

const COMMON = {
  SURETY_SECRET: 'secret-of-the-tests-on-servers-0123456789',
  SURETY_ADMIN_KEY: 'admin-key-of-the-tests-on-servers-0123456789',
  LOG_LEVEL: 'warn',
};

/** Limit of responses of `/readyz` and `/metrics`, also while a server fails. */
const RESPONSE_TIMEOUT_MS = 5_000;

/** Maximum length of stderr in an error. */
const MAX_STDERR_CHARS = 2_000;

export const SERVERS = ['eventStore', 'mongodb', 'kafka', 'mail'] as const;
export type ServerName = (typeof SERVERS)[number];

/** A process of Surety with a separate proxy for each server. */
export interface RoleProcess extends Readonly<Record<ServerName, TcpProxy>> {
  readonly service: Service;
}

/** A started process, ready or not, with its proxies. */
interface StartedProcess {
  readonly process: SuretyProcess;
  readonly proxies: Readonly<Record<ServerName, TcpProxy>>;
}

/** A response of `/readyz`. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** A distributed installation of Surety: servers and a process for each role. */
export class Installation {
  readonly #place: ReturnType<typeof temporaryFolder>;
  readonly processes = new Map<string, RoleProcess>();
  /** Frozen processes, which `processes` does not contain. */
  readonly #frozen = new Map<string, RoleProcess>();
  /** Every process that was started and not killed. */
  readonly #started = new Set<StartedProcess>();
  readonly eventStore: StandInProcess;
  readonly mongodb: MongodbProcess;
  readonly kafka: Broker;
  readonly mail: MailCatcher;

  private constructor(place: ReturnType<typeof temporaryFolder>, servers: Pick<Installation, ServerName>) {
    this.#place = place;
    this.eventStore = servers.eventStore;
    this.mongodb = servers.mongodb;
    this.kafka = servers.kafka;
    this.mail = servers.mail;
  }

  /** Starts the servers and runs `surety setup`; starts no process. */
  static async start(): Promise<Installation> {
    const place = temporaryFolder();
    const servers = [
      StandInProcess.start(`${place.folder}/eventstoredb`),
      MongodbProcess.start(),
      Broker.start(),
      MailCatcher.start(),
    ] as const;
    try {
      const [eventStore, mongodb, kafka, mail] = await Promise.all(servers);
      const installation = new Installation(place, { eventStore, mongodb, kafka, mail });
      await installation.#setUp();
      return installation;
    } catch (error) {
      await endServers(servers, place);
      throw error;
    }
  }

  async #setUp(): Promise<void> {
    const settings = { ...COMMON, ...this.addresses() };
    const { code, stdout, stderr } = await runSurety(['setup', '--partitions', '3'], {
      folder: this.#folder,
      settings,
    });
    if (code !== 0) throw new Error(`surety setup ended with ${code}:\n${stdout}${stderr}`);
  }

  /** Returns the addresses of the servers without proxies. */
  addresses(): { readonly EVENTSTORE_URL: string; readonly MONGODB_URL: string; readonly KAFKA_BROKERS: string } {
    return {
      EVENTSTORE_URL: this.eventStore.url,
      MONGODB_URL: `mongodb://127.0.0.1:${this.mongodb.port}/surety`,
      KAFKA_BROKERS: this.kafka.options.brokers.join(','),
    };
  }

  /** Starts a process and waits until it is ready. */
  async run(name: string, roles: string, settings: Readonly<Record<string, string>> = {}): Promise<RoleProcess> {
    const { hostname: host, port: portOfLog } = new URL(this.eventStore.url);
    const proxies = {
      eventStore: await TcpProxy.start(Number(portOfLog), { host }),
      mongodb: await TcpProxy.start(this.mongodb.port),
      kafka: await TcpProxy.start(this.kafka.port, { rewritesAddress: true }),
      mail: await TcpProxy.start(this.mail.port),
    };
    const port = await freePort();
    const options = {
      folder: this.#folder,
      settings: {
        ...COMMON,
        EVENTSTORE_URL: withLocalPort(this.eventStore.url, proxies.eventStore.port),
        MONGODB_URL: `mongodb://127.0.0.1:${proxies.mongodb.port}/surety`,
        KAFKA_BROKERS: `127.0.0.1:${proxies.kafka.port}`,
        SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
        MAIL_FROM: 'Surety <office@surety.example>',
        SURETY_ROLES: roles,
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...settings,
      },
    };
    const started = { process: new SuretyProcess(['serve'], options), proxies };
    this.#started.add(started);
    try {
      const running = { service: await readyService(started.process, options), ...proxies };
      this.processes.set(name, running);
      return running;
    } catch (error) {
      await this.#end(started);
      throw error;
    }
  }

  /** Returns a running process. @throws {Error} when no process has this name or it is frozen */
  process(name: string): RoleProcess {
    const found = this.processes.get(name);
    if (found === undefined) throw new Error(`no process ${name} is running`);
    return found;
  }

  async kill(name: string): Promise<void> {
    const { process } = this.process(name).service;
    this.processes.delete(name);
    for (const started of this.#started) if (started.process === process) await this.#end(started);
  }

  async #end(started: StartedProcess): Promise<void> {
    // `run` may call this for a process that did not become ready while `dispose` calls it too.
    if (!this.#started.delete(started)) return;
    await started.process.kill();
    await Promise.all(SERVERS.map(async (server) => await started.proxies[server].stop()));
  }

  /** Stops a process by SIGSTOP; `processes` does not contain it until `wake`. */
  freeze(name: string): void {
    const frozen = this.process(name);
    this.processes.delete(name);
    this.#frozen.set(name, frozen);
    frozen.service.process.child.kill('SIGSTOP');
  }

  /** Resumes frozen processes, by default all. */
  wake(...names: readonly string[]): void {
    for (const name of names.length === 0 ? [...this.#frozen.keys()] : names) {
      const frozen = this.#frozen.get(name);
      if (frozen === undefined) throw new Error(`no process ${name} is frozen`);
      this.#frozen.delete(name);
      this.processes.set(name, frozen);
      frozen.service.process.child.kill('SIGCONT');
    }
  }

  /** Requests `/readyz`. @throws {Error} without a response within 5 s */
  async readiness(name: string): Promise<Readiness> {
    return (await (await this.#request(name, '/readyz')).json()) as Readiness;
  }

  /** Returns the sum of a metric's samples with matching labels; NaN without samples. @throws {Error} as `readiness` */
  async metric(name: string, metric: string, labels = ''): Promise<number> {
    const text = await (await this.#request(name, '/metrics')).text();
    const isSample = new RegExp(`^${metric}(\\{[^}]*\\})? `);
    const lines = text.split('\n').filter((line) => isSample.test(line) && line.includes(labels));
    const values = lines.map((line) => Number(line.split(' ').at(-1)));
    return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value);
  }

  async #request(name: string, path: string): Promise<Response> {
    return await this.process(name).service.request(path, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  }

  /** Waits until a process is ready. @throws {Error} with its last readiness on timeout */
  async waitUntilReady(name: string, withinMs?: number): Promise<void> {
    let last: Readiness | undefined;
    await waitUntilIgnoringErrors(
      async () => {
        last = await this.readiness(name);
        return last.status === 'ready';
      },
      () => `readiness of ${name}: ${inspect(last)}\n${this.endOfStderr(name)}`,
      withinMs,
    );
  }

  /** Returns the end of a process's stderr; if the process ended, it gives the reason. */
  endOfStderr(name: string): string {
    return this.process(name).service.process.stderr.slice(-MAX_STDERR_CHARS);
  }

  /** Waits until a process leads as the role and returns its name. */
  async waitForLeader(role: string): Promise<string> {
    const seen = new Map<string, unknown>();
    return await waitUntil(
      async () => {
        for (const name of this.processes.keys()) {
          // An error of one process must not end the search.
          const leads = await this.metric(name, 'surety_leading', `"${role}"`).catch(String);
          seen.set(name, leads);
          if (leads === 1) return name;
        }
        return undefined;
      },
      () => `no process leads as ${role}: ${inspect(seen)}`,
    );
  }

  async dispose(): Promise<void> {
    const ended = await Promise.allSettled([...this.#started].map(async (started) => await this.#end(started)));
    const servers = [
      Promise.resolve(this.eventStore),
      Promise.resolve(this.mongodb),
      Promise.resolve(this.kafka),
      Promise.resolve(this.mail),
    ] as const;
    throwFirst([...ended, ...(await endServers(servers, this.#place))]);
  }

  get #folder(): string {
    return `${this.#place.folder}/data`;
  }
}

/** Stops the running servers, also when others fail to start or to stop. */
async function endServers(
  servers: readonly [Promise<StandInProcess>, Promise<MongodbProcess>, Promise<Broker>, Promise<MailCatcher>],
  place: ReturnType<typeof temporaryFolder>,
): Promise<readonly PromiseSettledResult<void>[]> {
  const [eventStore, mongodb, kafka, mail] = await Promise.allSettled(servers);
  const ended = await Promise.allSettled([
    ...[mongodb, kafka].map(async (one) => {
      if (one.status === 'fulfilled') await one.value.dispose();
    }),
    ...[eventStore, mail].map(async (one) => {
      if (one.status === 'fulfilled') await one.value.kill();
    }),
  ]);
  place.remove();
  return ended;
}

function throwFirst(settled: readonly PromiseSettledResult<unknown>[]): void {
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

/** Returns the address with host 127.0.0.1 and the port of a proxy. */
function withLocalPort(address: string, port: number): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
