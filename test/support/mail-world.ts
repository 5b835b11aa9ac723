import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { parseMailAddress } from '../../src/mail/compose.ts';
import type { MailTransport } from '../../src/mail/mail.ts';
import { smtpTransport } from '../../src/mail/smtp-transport.ts';
import type { JobQueues } from '../../src/messaging/messaging.ts';
import { openInMemoryJobQueues } from '../../src/messaging/in-memory/in-memory-job-queues.ts';
import { MailCheckpoint } from '../../src/processes/mail-jobs/checkpoint.ts';
import { startMailJobRelay } from '../../src/processes/mail-jobs/mail-job-relay.ts';
import { mailSchedulerStarter } from '../../src/processes/mail-jobs/mail-scheduler.ts';
import { mailComposer } from '../../src/processes/mailer/mail-composer.ts';
import { startMailer } from '../../src/processes/mailer/mailer.ts';
import type { RunningProcess } from '../../src/processes/process.ts';
import { type ApiAnswer, type ApiService, ADMIN_KEY, startApiService } from './api-service.ts';
import { freePort } from './free-port.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { until } from './until.ts';

export const MINUTE_MS = 60_000;

/** The service with its mails: relay, mailers and scheduler are started and killed by the test, as often as it likes. */
export interface MailWorld {
  readonly service: ApiService;
  mailServer: MailServer;
  /** A mailer with a connection of its own, as in a process of its own. */
  mailer(options?: {
    readonly transport?: (real: MailTransport) => MailTransport;
    readonly eventStore?: EventStore;
  }): RunningProcess;
  relay(options?: {
    readonly checkpoint?: MailCheckpoint;
    readonly queues?: Pick<JobQueues, 'publish'>;
  }): RunningProcess;
  /** The scheduler of mails. */
  scheduler(): RunningProcess;
  /** From now on processes start with an empty queue: what was published is lost. */
  loseQueue(): void;
  /** It takes nothing more, and nobody waits for what it has at hand. */
  kill(process: RunningProcess): void;
  /** Registers a merchant. */
  register(name?: string): Promise<{ readonly short_code: string; readonly tenant_id: string }>;
  /** Waits for something that comes by itself. @throws {Error} that tells the mail jobs when it does not */
  until(met: () => boolean | Promise<boolean>): Promise<void>;
  /** The mail jobs as the back office lists them, of one status or of all. */
  jobs(status?: string): Promise<ApiAnswer['json'][]>;
  /** Moves the clock. */
  later(milliseconds: number): void;
  /** Time for something that must not happen: every worker has looked at the queue several times. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** Pauses after refused attempts in these tests. */
export const RETRIES = [MINUTE_MS, 5 * MINUTE_MS];

const LOOK_AGAIN_MS = 5;
/** There was no earlier version. */
const legacyMailQueue = { read: async () => await Promise.resolve([]), remove: async () => await Promise.resolve() };
/** Below what jest gives a test of the API, so that what was waited for in vain is told. */
const WITHIN_MS = 45_000;

/** @param openQueues what carries the job ids; default: a queue in memory */
export async function startMailWorld(openQueues: () => JobQueues = openInMemoryJobQueues): Promise<MailWorld> {
  const service = await startApiService();
  const { commandPorts, log, pause: pauseUnlessAborted } = service.parts;
  const { now } = commandPorts;
  const running: RunningProcess[] = [];
  let queue = openQueues();
  const startScheduler = mailSchedulerStarter(service.parts, { pollIntervalMs: LOOK_AGAIN_MS });
  await new MailCheckpoint(commandPorts.records).initialise(service.eventStore);
  const compose = mailComposer({
    now,
    verificationToken: commandPorts.services.verificationToken,
    from: parseMailAddress('Surety <no-reply@surety.example>'),
    supportEmail: 'help@surety.example',
    origin: () => service.url,
  });
  const keep = (started: RunningProcess): RunningProcess => {
    running.push(started);
    return started;
  };
  const world: MailWorld = {
    service,
    // Not a port that a connection of somebody may take while it is down.
    mailServer: await startMailServer(await freePort()),
    mailer: ({ transport = (real: MailTransport) => real, eventStore = commandPorts.eventStore } = {}) =>
      keep(
        startMailer({
          commandPorts: { ...commandPorts, eventStore },
          monotonic: () => performance.now(),
          queues: queue,
          transport: transport(smtpTransport({ url: world.mailServer.url })),
          compose,
          log,
          pause: pauseUnlessAborted,
          retryAfterMs: RETRIES,
        }),
      ),
    relay: ({ checkpoint = new MailCheckpoint(commandPorts.records), queues = queue } = {}) =>
      keep(
        startMailJobRelay({
          ...service.parts,
          eventStore: service.eventStore,
          checkpoint,
          legacyMailQueue,
          queues,
          now,
        }),
      ),
    scheduler: () => keep(startScheduler(undefined)),
    loseQueue: () => {
      queue = openQueues();
    },
    kill: (process) => {
      running.splice(running.indexOf(process), 1);
      void process.stop().catch(() => undefined);
    },
    register: async (name = 'Acme Bank') =>
      await service.admin('RegisterMerchant', { name, business_email: 'office@acme.example' }),
    until: async (met) => {
      const told = async (): Promise<object> => ({ tries: world.mailServer.tries(), jobs: await world.jobs() });
      await until(met, told, WITHIN_MS);
    },
    jobs: async (status) => {
      const path = `/api/v1/admin/mail-jobs?limit=100${status === undefined ? '' : `&status=${status}`}`;
      const head = await service.eventStore.lastPosition();
      const headers = { 'Surety-Min-Position': String(head ?? 0) };
      const ask = async (): Promise<ApiAnswer | undefined> => {
        const answer = await service.send('GET', path, { key: ADMIN_KEY, headers });
        // Its list is not that far yet.
        return answer.status === 503 ? undefined : answer;
      };
      const answer = await until(ask, () => `the list of mail jobs does not come to ${head}`, WITHIN_MS);
      return answer.json.results;
    },
    later: (milliseconds) => {
      service.clock.now = new Date(Date.parse(service.clock.now) + milliseconds).toISOString();
    },
    quiet: async () => await pause(20 * LOOK_AGAIN_MS),
    stop: async () => {
      await Promise.all(running.map(async ({ stop }) => await stop()));
      await world.mailServer.close();
      await service.stop();
    },
  };
  return world;
}
