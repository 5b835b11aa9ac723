import { inspect } from 'node:util';
import { temporaryFolder } from '../../ports/support/temporary-folder.ts';
import { readyService, runSurety, type Service, SuretyProcess } from '../../support/service-process.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { until, untilDespiteErrors } from '../../support/until.ts';
import { Broker } from './broker.ts';
import { MailCatcher } from './mail-catcher.ts';
import { MongodbProcess } from './mongodb-process.ts';
import { ServerProcess } from '../eventstoredb/support/server-process.ts';
import { freePort } from '../../support/free-port.ts';

const COMMON = {
  SURETY_SECRET: 'secret-of-the-tests-on-servers-0123456789',
  SURETY_ADMIN_KEY: 'admin-key-of-the-tests-on-servers-0123456789',
  LOG_LEVEL: 'warn',
};

/** However a server fails, health and figures are told within so long. */
const WITHIN_MS = 5_000;

/** So many characters of what a process complained of are told of a failure. */
const TAIL = 2_000;

/** The servers that Surety needs. */
export const SERVERS = ['eventStore', 'mongodb', 'kafka', 'mail'] as const;
export type ServerName = (typeof SERVERS)[number];

/** A process of Surety, with a proxy of its own before each server. */
export interface RoleProcess extends Readonly<Record<ServerName, TcpProxy>> {
  readonly service: Service;
}

/** A process whether or not it became ready, and its proxies. */
interface Begun {
  readonly process: SuretyProcess;
  readonly proxies: Readonly<Record<ServerName, TcpProxy>>;
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
  /** Those of them that are frozen, which `processes` does not hold. */
  readonly #frozen = new Map<string, RoleProcess>();
  /** Every process that was begun and not killed since. */
  readonly #begun = new Set<Begun>();
  readonly eventStore: ServerProcess;
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

  /** Starts the servers and sets them up; no process runs yet. */
  static async start(): Promise<Installation> {
    const place = temporaryFolder();
    const servers = [
      ServerProcess.start(`${place.folder}/eventstoredb`),
      MongodbProcess.start(),
      Broker.start(),
      MailCatcher.start(),
    ] as const;
    try {
      const [eventStore, mongodb, kafka, mail] = await Promise.all(servers);
      const made = new Installation(place, { eventStore, mongodb, kafka, mail });
      await made.#setUp();
      return made;
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
    const options = {
      folder: this.#folder,
      settings: {
        ...COMMON,
        EVENTSTORE_URL: throughPort(this.eventStore.url, proxies.eventStore.port),
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
    const begun = { process: new SuretyProcess(['serve'], options), proxies };
    this.#begun.add(begun);
    try {
      const started = { service: await readyService(begun.process, options), ...proxies };
      this.processes.set(name, started);
      return started;
    } catch (error) {
      await this.#end(begun);
      throw error;
    }
  }

  /** @throws {Error} when none runs under that name */
  process(name: string): RoleProcess {
    const found = this.processes.get(name);
    if (found === undefined) throw new Error(`no process ${name} runs`);
    return found;
  }

  /** Kills a process by SIGKILL. */
  async kill(name: string): Promise<void> {
    const { process } = this.process(name).service;
    this.processes.delete(name);
    for (const begun of this.#begun) if (begun.process === process) await this.#end(begun);
  }

  async #end(begun: Begun): Promise<void> {
    // Also a process that did not become ready comes here, while `dispose` ends it.
    if (!this.#begun.delete(begun)) return;
    await begun.process.kill();
    await Promise.all(SERVERS.map(async (server) => await begun.proxies[server].stop()));
  }

  /** Stops a process by SIGSTOP; nobody is asked to wait for it, or to look at it, until `wake`. */
  freeze(name: string): void {
    const frozen = this.process(name);
    this.processes.delete(name);
    this.#frozen.set(name, frozen);
    frozen.service.process.child.kill('SIGSTOP');
  }

  /** Wakes a process up, or all that are frozen. */
  wake(...names: readonly string[]): void {
    for (const name of names.length === 0 ? [...this.#frozen.keys()] : names) {
      const frozen = this.#frozen.get(name);
      if (frozen === undefined) throw new Error(`no process ${name} is frozen`);
      this.#frozen.delete(name);
      this.processes.set(name, frozen);
      frozen.service.process.child.kill('SIGCONT');
    }
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

  /** Waits until a process is ready, however slowly it answers. @throws {Error} with what it said last */
  async untilReady(name: string, withinMs?: number): Promise<void> {
    let said: Readiness | undefined;
    await untilDespiteErrors(
      async () => {
        said = await this.readiness(name);
        return said.status === 'ready';
      },
      () => `${name} said ${inspect(said)}\n${this.processes.get(name)?.service.process.stderr.slice(-TAIL)}`,
      withinMs,
    );
  }

  /** Which of the processes does a role's work that one at a time may do; waits until there is one. */
  async leaderOf(role: string): Promise<string> {
    const said = new Map<string, unknown>();
    return await until(
      async () => {
        for (const name of this.processes.keys()) {
          // One that answers slowly must not keep the others from being found.
          const leads = await this.metric(name, 'surety_leading', `"${role}"`).catch(String);
          said.set(name, leads);
          if (leads === 1) return name;
        }
        return undefined;
      },
      () => `nobody leads as ${role}: ${inspect(said)}`,
    );
  }

  async dispose(): Promise<void> {
    const ended = await Promise.allSettled([...this.#begun].map(async (begun) => await this.#end(begun)));
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

/** Ends the servers that run, also when others of them did not start or do not end. */
async function endServers(
  servers: readonly [Promise<ServerProcess>, Promise<MongodbProcess>, Promise<Broker>, Promise<MailCatcher>],
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

/** The address of a server as seen through a proxy on 127.0.0.1. */
function throughPort(address: string, port: number): string {
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
