import { setTimeout as pause } from 'node:timers/promises';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { parseMailAddress, type MailTransport } from '#processes/mails/mail.ts';
import { smtpTransport } from '#processes/mails/smtp-transport.ts';
import type { JobQueues } from '#stores/messaging/messaging.ts';
import { openInMemoryJobQueues } from '#stores/messaging/in-memory/in-memory-job-queues.ts';
import type { Checkpoint } from '#processes/runtime/checkpoint.ts';
import { startMailJobRelay, mailCheckpoint } from '#processes/mails/mail-job-relay.ts';
import { mailSchedulerStarter } from '#processes/mails/mail-scheduler.ts';
import { mailComposer } from '#processes/mails/send-mail.ts';
import { startMailer } from '#processes/mails/mailer.ts';
import type { RunningProcess } from '#processes/runtime/process.ts';
import { type ApiResponse, type ApiService, ADMIN_KEY, startApiService } from './api-service.ts';
import { freePort } from './free-port.ts';
import { type MailServer, startMailServer } from './mail-server.ts';
import { waitUntil } from './wait-until.ts';

export const MINUTE_MS = 60_000;

/** The service with a mail server; the test starts and kills relays, mailers and schedulers. */
export interface MailHarness {
  readonly service: ApiService;
  mailServer: MailServer;
  /** Starts a mailer with a separate connection, as in a separate process. */
  mailer(options?: {
    readonly transport?: (real: MailTransport) => MailTransport;
    readonly eventStore?: EventStore;
  }): RunningProcess;
  relay(options?: { readonly checkpoint?: Checkpoint; readonly queues?: Pick<JobQueues, 'publish'> }): RunningProcess;
  /** Starts the mail scheduler. */
  scheduler(): RunningProcess;
  /** Loses the published jobs: processes started later use an empty queue. */
  loseQueue(): void;
  /** Stops a process without waiting for its work in progress. */
  kill(process: RunningProcess): void;
  register(name?: string): Promise<{ readonly short_code: string; readonly tenant_id: string }>;
  /** Waits for a condition. @throws {Error} with the mail jobs on timeout */
  waitUntil(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Lists the mail jobs of one status, or all, through the admin API. */
  jobs(status?: string): Promise<ApiResponse['json'][]>;
  advanceClock(milliseconds: number): void;
  /** Waits for several polling intervals, to show that nothing happens. */
  waitQuietly(): Promise<void>;
  stop(): Promise<void>;
}

/** Pauses after refused attempts in these tests. */
export const RETRIES = [MINUTE_MS, 5 * MINUTE_MS];

const POLL_INTERVAL_MS = 5;
/** Below jest's timeout for API tests, so that the error names the condition that failed. */
const TIMEOUT_MS = 45_000;

/** Starts the harness. @param openQueues opens the job queues; default: in memory */
export async function startMailHarness(openQueues: () => JobQueues = openInMemoryJobQueues): Promise<MailHarness> {
  const service = await startApiService();
  const { commandPorts, log, pause: pauseUnlessAborted } = service.parts;
  const { now } = commandPorts;
  const running: RunningProcess[] = [];
  let queue = openQueues();
  const startScheduler = mailSchedulerStarter(service.parts, { pollIntervalMs: POLL_INTERVAL_MS });
  const compose = mailComposer({
    now,
    verificationToken: commandPorts.services.verificationToken,
    from: parseMailAddress('Surety <no-reply@surety.example>'),
    supportEmail: 'help@surety.example',
    origin: () => service.url,
  });
  const track = (started: RunningProcess): RunningProcess => {
    running.push(started);
    return started;
  };
  const harness: MailHarness = {
    service,
    // Not an ephemeral port: an outgoing connection could take it while the server is down.
    mailServer: await startMailServer(await freePort()),
    mailer: ({ transport = (real: MailTransport) => real, eventStore = commandPorts.eventStore } = {}) =>
      track(
        startMailer({
          commandPorts: { ...commandPorts, eventStore },
          monotonic: () => performance.now(),
          queues: queue,
          transport: transport(smtpTransport({ url: harness.mailServer.url })),
          compose,
          log,
          pause: pauseUnlessAborted,
          retryAfterMs: RETRIES,
        }),
      ),
    relay: ({ checkpoint = mailCheckpoint(commandPorts.records), queues = queue } = {}) =>
      track(
        startMailJobRelay({
          ...service.parts,
          eventStore: service.eventStore,
          checkpoint,
          queues,
          now,
        }),
      ),
    scheduler: () => track(startScheduler()),
    loseQueue: () => {
      queue = openQueues();
    },
    kill: (process) => {
      running.splice(running.indexOf(process), 1);
      void process.stop().catch(() => undefined);
    },
    register: async (name = 'Acme Bank') =>
      await service.admin('RegisterMerchant', { name, business_email: 'office@acme.example' }),
    waitUntil: async (condition) => {
      const describe = async (): Promise<object> => ({
        attempts: harness.mailServer.attempts(),
        jobs: await harness.jobs(),
      });
      await waitUntil(condition, describe, TIMEOUT_MS);
    },
    jobs: async (status) => {
      const path = `/api/v1/admin/mail-jobs?limit=100${status === undefined ? '' : `&status=${status}`}`;
      const head = await service.eventStore.lastPosition();
      const headers = { 'Surety-Min-Position': String(head ?? 0) };
      const request = async (): Promise<ApiResponse | undefined> => {
        const response = await service.send('GET', path, { key: ADMIN_KEY, headers });
        // The list has not reached the position yet.
        return response.status === 503 ? undefined : response;
      };
      const response = await waitUntil(request, () => `the list of mail jobs has not reached ${head}`, TIMEOUT_MS);
      return response.json.results;
    },
    advanceClock: (milliseconds) => {
      service.clock.now = new Date(Date.parse(service.clock.now) + milliseconds).toISOString();
    },
    waitQuietly: async () => await pause(20 * POLL_INTERVAL_MS),
    stop: async () => {
      await Promise.all(running.map(async ({ stop }) => await stop()));
      await harness.mailServer.close();
      await service.stop();
    },
  };
  return harness;
}
