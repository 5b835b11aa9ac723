import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { MailJobState } from '../../../src/domain/mail-job/mail-job.ts';
import { until, untilDespiteErrors } from '../../support/until.ts';
import type { Fault } from './failing.ts';
import { expectReported, type Reported } from './health-reports.ts';
import { Installation, type ServerName, SERVERS } from './installation.ts';
import { Load } from './load.ts';
import { LogSoFar } from './log-so-far.ts';
import { expectMailed, expectNothingLost } from './nothing-lost.ts';
import { describeOwnServers } from './own-servers.ts';

const MINUTE = 60_000;

/** The processes of an installation under test, each with its role. */
const PROCESSES = new Map([
  ['api', 'api'],
  ...['projector', 'relay', 'scheduler', 'mailer'].flatMap((role) =>
    [1, 2].map((number): [string, string] => [`${role} ${number}`, role]),
  ),
]);

/**
 * Declares a suite on an installation of its own, with one api and two processes of each other role. After each test the load
 * ends, everything that failed is repaired, and nothing may be lost.
 */
export function describeFaults(title: string, suite: (scene: FaultScene) => void): void {
  describeOwnServers(['MONGODB_URL', 'KAFKA_BROKERS'], `${title}, with a stand-in for EventStoreDB`, () => {
    // Above the limits of several waits in a row, each of which reports why it was in vain.
    jest.setTimeout(8 * MINUTE);
    const scene = new FaultScene();
    beforeAll(async () => await scene.start());
    afterEach(async () => await scene.recover());
    afterAll(async () => await scene.dispose());
    suite(scene);
  });
}

/** An installation under load, and what is read from the metrics of its processes. */
export class FaultScene {
  #installation: Installation | undefined;
  #load: Load | undefined;

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
    await Promise.all([...PROCESSES].map(async ([name, role]) => await installation.run(name, role)));
    this.#load = await Load.on(installation.process('api').service);
  }

  /** Restores every process and connection, also after a test that failed half-way, and checks that nothing was lost. */
  async recover(): Promise<void> {
    const { installation, load } = this;
    installation.wake();
    for (const process of installation.processes.values()) for (const server of SERVERS) process[server].release();
    for (const [name, role] of PROCESSES) if (!installation.processes.has(name)) await installation.run(name, role);
    await load.end();
    await expectNothingLost(installation, load.acknowledged);
  }

  async dispose(): Promise<void> {
    await this.#installation?.dispose();
  }

  /**
   * Lets a server fail under load until every process that needs it reports so, and for so many milliseconds at least. Then
   * requests must succeed again.
   */
  async failUnderLoad(
    fault: Fault,
    server: ServerName,
    { reported = 'away', milliseconds = 0 }: { readonly reported?: Reported; readonly milliseconds?: number } = {},
  ): Promise<void> {
    const { installation, load } = this;
    await this.beginLoad();
    await fault.begin(installation, server);
    try {
      const longEnough = pause(milliseconds);
      await expectReported(installation, server, reported);
      await longEnough;
    } finally {
      await fault.end(installation, server);
    }
    await load.until(5);
  }

  /** Resolves when the first requests have succeeded; the load goes on until the test ends. */
  async beginLoad(): Promise<void> {
    this.load.begin();
    await this.load.until(5);
  }

  /** Waits until a process is ready and does not lead. */
  async untilStandby(name: string, role: string): Promise<void> {
    await this.untilMetric(name, 'surety_leading', `"${role}"`, 0);
    await this.installation.untilReady(name);
  }

  /** Call it right after the leader was killed or frozen: another process leads as soon as the leader's lease expires. */
  async expectNoLeader(role: string, since: number): Promise<void> {
    const leaders = await this.sum('surety_leading', `"${role}"`);
    const seconds = (performance.now() - since) / 1000;
    if (leaders !== 0)
      throw new Error(`${leaders} processes lead as ${role} ${seconds.toFixed(1)} s after the leader was stopped`);
  }

  /**
   * Waits until every mail was sent, was parked, or was refused twice, and checks that none was delivered twice and that most
   * were sent.
   * @returns the ids of the mails that were parked because their outcome is unknown
   */
  async expectMailsSentOnce(): Promise<readonly string[]> {
    const { eventStore, mail } = this.installation;
    const store = eventStore.openStore();
    let mails: readonly MailJobState[];
    try {
      mails = await expectMailed(new LogSoFar(store), mail, isSettled, 4 * MINUTE);
    } finally {
      await store.close();
    }
    const parked = mails.flatMap(({ job, situation }) =>
      situation.status === 'parked' ? { ...job, ...situation } : [],
    );
    expect(parked.filter(({ reason }) => reason === 'refused')).toEqual([]);
    expect(mails.filter(({ situation }) => situation.status === 'sent').length).toBeGreaterThan(mails.length / 2);
    await this.untilMetric('scheduler 1', 'surety_mail_jobs', '"parked"', parked.length);
    return parked.map(({ jobId }) => jobId);
  }

  /** A metric of a process, however slowly the process answers. */
  async metric(name: string, metric: string, labels = ''): Promise<number> {
    return await untilDespiteErrors(
      async () => await this.installation.metric(name, metric, labels),
      () => `${name} does not answer with ${metric}`,
    );
  }

  async untilMetric(name: string, metric: string, labels: string, expected: number): Promise<void> {
    let found: number | undefined;
    await until(
      async () => {
        found = await this.metric(name, metric, labels);
        return found === expected;
      },
      () => `${metric} of ${name} is ${found}, not ${expected}`,
    );
  }

  /** A metric over all processes. */
  async sum(metric: string, labels = ''): Promise<number> {
    const names = [...this.installation.processes.keys()];
    const values = await Promise.all(names.map(async (name) => await this.metric(name, metric, labels)));
    return values.filter((value) => !Number.isNaN(value)).reduce((total, value) => total + value, 0);
  }
}

/** Whether nothing more happens to a mail within the next minutes. */
function isSettled({ situation, attemptsInRow }: MailJobState): boolean {
  return ['sent', 'parked'].includes(situation.status) || (situation.status === 'waiting' && attemptsInRow > 1);
}
