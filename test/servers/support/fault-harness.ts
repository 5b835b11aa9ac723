import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { MailJobState } from '#domain/mail-job/mail-job.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import type { Fault } from './faults.ts';
import { expectHealthReports, type ReportedState } from './health-reports.ts';
import { Installation, type ServerName, SERVERS } from './installation.ts';
import { FeedFollower } from './feed-follower.ts';
import { Load } from './load.ts';
import { CachedLog } from './cached-log.ts';
import { expectMailed, expectNothingLost } from './expect-nothing-lost.ts';
import { describeOwnServers } from './own-servers.ts';

const MINUTE = 60_000;

const ROLES = ['projector', 'relay', 'scheduler', 'mailer'] as const;
type ProcessRole = (typeof ROLES)[number];

/**
 * Declares a suite on a separate installation with two api processes and one of each other role, two of those in
 * `pairs`. After each test the load ends, everything that failed is repaired, and nothing may be lost.
 */
export function describeFaults(
  title: string,
  pairs: readonly ProcessRole[],
  suite: (harness: FaultHarness) => void,
): void {
  describeOwnServers(['MONGODB_URL', 'KAFKA_BROKERS'], `${title}, with a stand-in for EventStoreDB`, () => {
    // Above the timeouts of several waits in a row, whose errors give the reason.
    jest.setTimeout(8 * MINUTE);
    const harness = new FaultHarness(pairs);
    beforeAll(async () => await harness.start());
    afterEach(async () => await harness.recover());
    afterAll(async () => await harness.dispose());
    suite(harness);
  });
}

/** An installation under load, with access to the metrics of its processes. */
export class FaultHarness {
  /** Name of each process and its role. */
  readonly #processes: ReadonlyMap<string, string>;
  #installation: Installation | undefined;
  #load: Load | undefined;
  #follower: FeedFollower | undefined;

  /** @param pairs roles with two processes, of which one stands by or shares the work */
  constructor(pairs: readonly ProcessRole[]) {
    const names = ROLES.flatMap((role) =>
      (pairs.includes(role) ? [1, 2] : [1]).map((number): [string, string] => [`${role} ${number}`, role]),
    );
    // The feed is read from the second one by turns.
    this.#processes = new Map([['api', 'api'], ['api 2', 'api'], ...names]);
  }

  get installation(): Installation {
    if (this.#installation === undefined) throw new Error('The installation has not started');
    return this.#installation;
  }

  get load(): Load {
    if (this.#load === undefined) throw new Error('The processes have not started');
    return this.#load;
  }

  async start(): Promise<void> {
    const installation = await Installation.start();
    this.#installation = installation;
    await Promise.all([...this.#processes].map(async ([name, role]) => await installation.run(name, role)));
    this.#load = await Load.create(installation.process('api').service);
    this.#follower = new FeedFollower(['api', 'api 2'].map((name) => () => installation.process(name).service));
  }

  /**
   * Restores every process and connection, also after a failed test, and checks that nothing was lost, and that the
   * feed was served in order.
   */
  async recover(): Promise<void> {
    const { installation, load } = this;
    installation.wake();
    for (const process of installation.processes.values()) for (const server of SERVERS) process[server].release();
    for (const [name, role] of this.#processes)
      if (!installation.processes.has(name)) await installation.run(name, role);
    await load.end();
    await this.#follower?.expectAllOf(await expectNothingLost(installation, load.acknowledged));
  }

  async dispose(): Promise<void> {
    this.#follower?.end();
    await this.#installation?.dispose();
  }

  /**
   * Injects a fault under load until every process that needs the server reports it, and for at least `milliseconds`.
   * Then requests must succeed again.
   */
  async failUnderLoad(
    fault: Fault,
    server: ServerName,
    { reported = 'away', milliseconds = 0 }: { readonly reported?: ReportedState; readonly milliseconds?: number } = {},
  ): Promise<void> {
    const { installation, load } = this;
    await this.startLoad();
    await fault.begin(installation, server);
    try {
      const minimum = pause(milliseconds);
      await expectHealthReports(installation, server, reported);
      await minimum;
    } finally {
      await fault.end(installation, server);
    }
    await load.waitForClaims(5);
  }

  /** Starts the load and waits for the first claims; the load continues until the test ends. */
  async startLoad(): Promise<void> {
    this.load.start();
    await this.load.waitForClaims(3);
  }

  /** Waits until a process is ready and does not lead. */
  async waitForStandby(name: string, role: string): Promise<void> {
    await this.waitForMetric(name, 'surety_leading', `"${role}"`, 0);
    await this.installation.waitUntilReady(name);
  }

  /** Checks that no process leads. Call it right after the leader is killed or frozen, before its lease expires. */
  async expectNoLeader(role: string, since: number): Promise<void> {
    const leaders = await this.sum('surety_leading', `"${role}"`);
    const seconds = (performance.now() - since) / 1000;
    if (leaders !== 0)
      throw new Error(`${leaders} processes lead as ${role} ${seconds.toFixed(1)} s after the leader was stopped`);
  }

  /**
   * Waits until every mail was sent, was parked, or was refused twice, and checks that none was delivered twice and
   * that most were sent.
   * @returns the ids of the mails that were parked because their outcome is unknown
   */
  async expectMailsSentOnce(): Promise<readonly string[]> {
    const { eventStore, mail } = this.installation;
    const store = eventStore.openStore();
    let mails: readonly MailJobState[];
    try {
      mails = await expectMailed(new CachedLog(store), mail, isSettled, 4 * MINUTE);
    } finally {
      await store.close();
    }
    const parked = mails.flatMap(({ job, delivery }) => (delivery.status === 'parked' ? { ...job, ...delivery } : []));
    expect(parked.filter(({ reason }) => reason === 'refused')).toEqual([]);
    expect(mails.filter(({ delivery }) => delivery.status === 'sent').length).toBeGreaterThan(mails.length / 2);
    await this.waitForMetric('scheduler 1', 'surety_mail_jobs', '"parked"', parked.length);
    return parked.map(({ jobId }) => jobId);
  }

  /** Reads a metric of a process; retries while the process does not respond. */
  async metric(name: string, metric: string, labels = ''): Promise<number> {
    return await waitUntilIgnoringErrors(
      async () => await this.installation.metric(name, metric, labels),
      () => `${name} does not return ${metric}\n${this.installation.endOfStderr(name)}`,
    );
  }

  async waitForMetric(name: string, metric: string, labels: string, expected: number): Promise<void> {
    let found: number | undefined;
    await waitUntil(
      async () => {
        found = await this.metric(name, metric, labels);
        return found === expected;
      },
      () => `${metric} of ${name} is ${found}, not ${expected}`,
    );
  }

  /** Sums a metric over all processes. */
  async sum(metric: string, labels = ''): Promise<number> {
    const names = [...this.installation.processes.keys()];
    const values = await Promise.all(names.map(async (name) => await this.metric(name, metric, labels)));
    return values.filter((value) => !Number.isNaN(value)).reduce((total, value) => total + value, 0);
  }
}

/** Returns whether the mail has no more attempts within the next minutes. */
function isSettled({ delivery, attemptsInRow }: MailJobState): boolean {
  return ['sent', 'parked'].includes(delivery.status) || (delivery.status === 'waiting' && attemptsInRow > 1);
}
