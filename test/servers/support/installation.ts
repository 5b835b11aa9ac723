import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { runSurety, type Service, startService } from '../../support/service-process.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { Broker } from './broker.ts';
import { MailCatcher } from './mail-catcher.ts';
import { MongodbProcess } from './mongodb-process.ts';
import { type OwnLog, standIn } from './own-log.ts';
import { freePort } from '../../support/free-port.ts';

const COMMON = {
  SURETY_SECRET: 'secret-of-the-tests-on-servers-0123456789',
  SURETY_ADMIN_KEY: 'admin-key-of-the-tests-on-servers-0123456789',
  LOG_LEVEL: 'warn',
};

/** However a server fails, health and figures are told within so long. */
const WITHIN_MS = 5_000;

/** The servers that Surety needs. */
export const SERVERS = ['eventStore', 'mongodb', 'kafka', 'mail'] as const;
export type ServerName = (typeof SERVERS)[number];

/** A process of Surety, with a proxy of its own before each server. */
export interface RoleProcess extends Readonly<Record<ServerName, TcpProxy>> {
  readonly service: Service;
}

/** What `/readyz` says. */
export interface Readiness {
  readonly status: 'ready' | 'not_ready';
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string }[];
}

/** Surety as an operator runs it who has outgrown one machine: servers, and a process for each role. */
export class Installation {
  readonly #place: ReturnType<typeof temporaryFolder>;
  readonly processes = new Map<string, RoleProcess>();
  readonly eventStore: OwnLog;
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

  /** The servers, set up, without a process yet. `openLog`: which event log, with a folder for its data. */
  static async start(openLog: (folder: string) => Promise<OwnLog> = standIn): Promise<Installation> {
    const place = temporaryFolder();
    const [eventStore, mongodb, kafka, mail] = await Promise.all([
      openLog(`${place.folder}/eventstoredb`),
      MongodbProcess.start(),
      Broker.start(),
      MailCatcher.start(),
    ]);
    const made = new Installation(place, { eventStore, mongodb, kafka, mail });
    const settings = { ...COMMON, ...made.addresses(), ...eventStore.settings() };
    const { code, stdout, stderr } = await runSurety(['setup', '--partitions', '3'], {
      folder: made.#folder,
      settings,
    });
    if (code !== 0) throw new Error(`surety setup ended with ${code}:\n${stdout}${stderr}`);
    return made;
  }

  /** Where the servers are, without a proxy. */
  addresses(): { readonly EVENTSTORE_URL: string; readonly MONGODB_URL: string; readonly KAFKA_BROKERS: string } {
    return {
      EVENTSTORE_URL: this.eventStore.url,
      MONGODB_URL: `mongodb://127.0.0.1:${this.mongodb.port}/surety`,
      KAFKA_BROKERS: this.kafka.options.brokers.join(','),
    };
  }

  /** Starts a process under a name, with further settings if need be, and waits until it is ready. */
  async run(name: string, roles: string, settings: Readonly<Record<string, string>> = {}): Promise<RoleProcess> {
    const { hostname: host, port: portOfLog } = new URL(this.eventStore.url);
    const proxies = {
      eventStore: await TcpProxy.start(Number(portOfLog), { host }),
      mongodb: await TcpProxy.start(this.mongodb.port),
      kafka: await TcpProxy.start(this.kafka.port, { tellsItsAddress: true }),
      mail: await TcpProxy.start(this.mail.port),
    };
    const port = await freePort();
    const service = await startService({
      folder: this.#folder,
      settings: {
        ...COMMON,
        ...this.eventStore.settings(throughPort(this.eventStore.url, proxies.eventStore.port)),
        MONGODB_URL: `mongodb://127.0.0.1:${proxies.mongodb.port}/surety`,
        KAFKA_BROKERS: `127.0.0.1:${proxies.kafka.port}`,
        SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
        MAIL_FROM: 'Surety <office@surety.example>',
        SURETY_ROLES: roles,
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...settings,
      },
    });
    const started = { service, ...proxies };
    this.processes.set(name, started);
    return started;
  }

  /** @throws {Error} when none runs under that name */
  process(name: string): RoleProcess {
    const found = this.processes.get(name);
    if (found === undefined) throw new Error(`no process ${name} runs`);
    return found;
  }

  /** Kills a process by SIGKILL. */
  async kill(name: string): Promise<void> {
    const killed = this.process(name);
    this.processes.delete(name);
    await killed.service.process.kill();
    for (const server of SERVERS) await killed[server].stop();
  }

  /** What `/readyz` says. @throws {Error} when it says nothing for 5 s */
  async readiness(name: string): Promise<Readiness> {
    return (await (await this.#ask(name, '/readyz')).json()) as Readiness;
  }

  /** The value of a metric of a process, summed over its labels that match; NaN where it is not told. @throws as `readiness` */
  async metric(name: string, metric: string, labels = ''): Promise<number> {
    const text = await (await this.#ask(name, '/metrics')).text();
    const isTold = new RegExp(`^${metric}(\\{[^}]*\\})? `);
    const lines = text.split('\n').filter((line) => isTold.test(line) && line.includes(labels));
    const values = lines.map((line) => Number(line.split(' ').at(-1)));
    return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value);
  }

  async #ask(name: string, path: string): Promise<Response> {
    return await this.process(name).service.ask(path, { signal: AbortSignal.timeout(WITHIN_MS) });
  }

  /** Which of the processes does a role's work that one at a time may do; waits until there is one. */
  async leaderOf(role: string): Promise<string> {
    for (;;) {
      for (const name of this.processes.keys()) {
        if ((await this.metric(name, 'surety_leading', `"${role}"`)) === 1) return name;
      }
      await pause(100);
    }
  }

  async dispose(): Promise<void> {
    for (const name of [...this.processes.keys()]) await this.kill(name);
    await Promise.all([this.eventStore.dispose(), this.mongodb.dispose(), this.kafka.dispose(), this.mail.kill()]);
    this.#place.remove();
  }

  get #folder(): string {
    return `${this.#place.folder}/data`;
  }
}

/** The address of a server as seen through a proxy on 127.0.0.1. */
function throughPort(address: string, port: number): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
