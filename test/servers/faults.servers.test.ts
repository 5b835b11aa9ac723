import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { MailJobState } from '../../src/domain/mail-job.ts';
import { until, untilDespiteErrors } from '../support/until.ts';
import { expectDoneOnce, makeDue } from './support/due-policies.ts';
import { CUT, type Fault, FROZEN, late, STOPPED, trapped, UNREACHABLE } from './support/failing.ts';
import { Installation, type ServerName, SERVERS as SERVER_NAMES } from './support/installation.ts';
import { Load } from './support/load.ts';
import { LogSoFar } from './support/log-so-far.ts';
import { expectMailed, expectNothingLost } from './support/nothing-lost.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { expectTold } from './support/telling.ts';

const MINUTE = 60_000;
/** Above the limits of several waits in a row, each of which tells why it was in vain. */
jest.setTimeout(8 * MINUTE);
/** As SMTP tells it. */
const END_OF_A_MAIL = /(^|\r\n)\.\r\n$/;

/** Every process with its role. */
const PROCESSES = new Map([
  ['api', 'api'],
  ...['projector', 'relay', 'scheduler', 'mailer'].flatMap((role) =>
    [1, 2].map((number): [string, string] => [`${role} ${number}`, role]),
  ),
]);

describeOwnServers(
  ['MONGODB_URL', 'KAFKA_BROKERS'],
  'Roles apart on servers that fail, with a stand-in for EventStoreDB',
  () => {
    let on: Installation;
    let load: Load;
    beforeAll(async () => {
      on = await Installation.start();
      await Promise.all([...PROCESSES].map(async ([name, role]) => await on.run(name, role)));
      load = await Load.on(on.process('api').service);
    });
    afterAll(async () => await on?.dispose());

    /** The next test finds every process, also when this one has failed in the middle. */
    afterEach(async () => {
      on.wake();
      for (const process of on.processes.values()) for (const server of SERVER_NAMES) process[server].release();
      for (const [name, role] of PROCESSES) if (!on.processes.has(name)) await on.run(name, role);
      await load.end();
      await expectNothingLost(on, load.acknowledged);
    });

    /** A server fails under load: who needs it tells so while it lasts, and requests are carried out again when it is back. */
    async function whileIt(
      fault: Fault,
      server: ServerName,
      { how = 'away', milliseconds = 0 }: { readonly how?: 'away' | 'slow'; readonly milliseconds?: number } = {},
    ): Promise<void> {
      load.begin();
      await load.until(5);
      await fault.begin(on, server);
      try {
        const longEnough = pause(milliseconds);
        await expectTold(on, server, how);
        await longEnough;
      } finally {
        await fault.end(on, server);
      }
      await load.until(5);
    }

    // First, so that mails that are refused now are tried again, a minute later, before the suite ends.
    test.each([
      ['is stopped for 10 s', STOPPED, 10_000],
      ['is restarted', STOPPED, 0],
      ['is frozen', FROZEN, 0],
      ['answers after 5 s', late(5_000), 0],
      ['is cut off in the middle of every answer', CUT, 0],
    ] as const)(
      'given a mail server that %s, then the mailers tell it while it lasts, and nothing is lost or done twice',
      async (_what, fault, milliseconds) => {
        const refused = async (): Promise<number> => await sum('surety_mails_total', 'outcome="refused"');
        const before = await refused();
        await whileIt(fault, 'mail', { milliseconds });
        if (milliseconds > 0) expect(await refused()).toBeGreaterThan(before);
      },
    );

    test('given a mailer is killed when the mail server has its mail and has not said so, then others go on, and do not send it again', async () => {
      load.begin();
      const { mail: way } = on.process('mailer 1');
      await trapped(way, END_OF_A_MAIL, () => 'mailer 1 sends no mail');
      way.release();
      await on.kill('mailer 1');
      await load.until(5);
    });

    const SERVERS = [
      ['the event log', 'eventStore'],
      ['MongoDB', 'mongodb'],
      ['Kafka', 'kafka'],
    ] as const;
    const outcome = 'then who needs it tells it while it lasts, and nothing is lost or done twice';

    test.each(SERVERS)(`given %s is killed for 10 s, ${outcome}`, async (_what, server) => {
      const before = await sum('surety_standstills_total');
      await whileIt(STOPPED, server, { milliseconds: 10_000 });
      expect(await sum('surety_standstills_total')).toBeGreaterThan(before);
    });

    test.each(SERVERS)(`given %s is restarted, ${outcome}`, async (_what, server) => await whileIt(STOPPED, server));

    test(`given nobody reaches the event log, ${outcome}`, async () => await whileIt(UNREACHABLE, 'eventStore'));

    test.each(SERVERS)(`given %s is frozen, ${outcome}`, async (_what, server) => await whileIt(FROZEN, server));

    test.each(SERVERS)(
      `given %s answers after 5 s, ${outcome}`,
      async (_what, server) => await whileIt(late(5_000), server),
    );

    test.each(SERVERS)(
      `given %s is cut off in the middle of every answer, ${outcome}`,
      async (_what, server) => await whileIt(CUT, server),
    );

    test.each([...SERVERS, ['the mail server', 'mail'] as const])(
      'given every answer of %s comes half a second late, then who needs it tells that it is slow, and all is done',
      async (_what, server) => {
        const lasted = async (): Promise<number> => await sum('surety_http_request_duration_seconds_sum');
        const before = await lasted();
        await whileIt(late(500), server, { how: 'slow' });
        if (server === 'eventStore') expect(await lasted()).toBeGreaterThan(before + 3);
      },
    );

    test('given single connections are cut in the middle of answers again and again, then it is counted, and nobody has to do anything', async () => {
      load.begin();
      await load.until(5);
      const before = await sum('surety_standstills_total');
      try {
        for (let round = 0; round < 12; round += 1) {
          for (const { eventStore, mongodb, kafka } of on.processes.values())
            for (const proxy of [eventStore, mongodb, kafka]) proxy.cutAnswers(2);
          await load.until(3);
        }
      } finally {
        for (const server of ['eventStore', 'mongodb', 'kafka'] as const) await CUT.end(on, server);
      }
      expect(await sum('surety_standstills_total')).toBeGreaterThan(before);
    });

    test.each([
      ['projector', 'documents', /update[^]{0,9}read_model_checkpoints[^]*claims/],
      ['relay', 'messages', /(update|findAndModify)[^]{0,13}named_values[^]*public-events/],
      ['relay', 'jobs', /(update|findAndModify)[^]{0,13}named_values[^]*mail-requests/],
    ] as const)(
      'given the leading %s is killed between its %s and its checkpoint, then nobody leads until another goes on from the one before',
      async (role, _what, checkpoint) => {
        load.begin();
        await load.until(5);
        const leader = await on.leaderOf(role);
        await trapped(on.process(leader).mongodb, checkpoint, async () => {
          return `${leader} writes no checkpoint, and ${await on.leaderOf(role)} leads`;
        });
        const since = performance.now();
        await on.kill(leader);
        await expectNobodyLeads(role, since);
        const next = await on.leaderOf(role);
        expect(next).not.toBe(leader);
        await load.until(5);
      },
    );

    test('given the leading relay is frozen until another has taken over, when it wakes up, then it writes nothing more', async () => {
      load.begin();
      await load.until(5);
      const leader = await on.leaderOf('relay');
      const since = performance.now();
      on.freeze(leader);
      await expectNobodyLeads('relay', since);
      const next = await on.leaderOf('relay');
      await load.until(5);
      on.wake(leader);
      await load.until(5);
      await standsBy(leader, 'relay');
      expect(await on.leaderOf('relay')).toBe(next);
    });

    test('given both projectors are frozen, then the api tells it; when the one that stood by wakes up, it leads, and the other writes nothing more', async () => {
      load.begin();
      await load.until(5);
      const leader = await on.leaderOf('projector');
      const other = leader === 'projector 1' ? 'projector 2' : 'projector 1';
      on.freeze(leader);
      on.freeze(other);
      let said: unknown;
      await untilDespiteErrors(
        async () => {
          const { checks } = await on.readiness('api');
          said = checks;
          return checks.some(
            ({ name, ok, reason }) => name === 'projector' && !ok && reason?.includes('behind the log'),
          );
        },
        () => said,
      );
      expect(await figure('api', 'surety_projector_lag_seconds')).toBeGreaterThan(5);
      on.wake(other);
      expect(await on.leaderOf('projector')).toBe(other);
      await load.until(5);
      on.wake(leader);
      await load.until(5);
      await standsBy(leader, 'projector');
      expect(await on.leaderOf('projector')).toBe(other);
    });

    test('given policies fall due while schedulers are killed, and frozen in the middle of a renewal, then each is renewed once', async () => {
      const first = await on.leaderOf('scheduler');
      const second = first === 'scheduler 1' ? 'scheduler 2' : 'scheduler 1';
      const { eventStore: way } = on.process(second);
      const since = performance.now();
      await on.kill(first);
      await expectNobodyLeads('scheduler', since);
      // Laid before anything is due: the one that stood by may lead before all of it is written.
      const renewal = trapped(way, /PolicyRenewed/, () => `${second} renews nothing`);
      const [due] = await Promise.all([makeDue(on, 24), renewal]);
      on.freeze(second);
      await on.run(first, 'scheduler');
      await expectDoneOnce(on, due);
      expect(await on.leaderOf('scheduler')).toBe(first);
      on.wake(second);
      // What it had sent arrives now, long after everything was done.
      way.release();
      await standsBy(second, 'scheduler');
      await expectDoneOnce(on, due);
    });

    test('in the end each mail was sent once, but for those of which nobody knows and those that were refused twice', async () => {
      const eventStore = on.eventStore.openStore();
      let mails: readonly MailJobState[];
      try {
        mails = await expectMailed(new LogSoFar(eventStore), on.mail, hasEnded, 4 * MINUTE);
      } finally {
        await eventStore.close();
      }
      const parked = mails.filter(({ situation }) => situation.is === 'parked');
      expect(parked.filter(({ situation }) => situation.is === 'parked' && situation.reason === 'refused')).toEqual([]);
      const taken = on.mail.counts();
      expect(parked.filter(({ job }) => taken.has(job.jobId)).length).toBeGreaterThan(0);
      expect(mails.filter(({ situation }) => situation.is === 'sent').length).toBeGreaterThan(mails.length / 2);
      await untilFigure('scheduler 1', 'surety_mail_jobs', '"parked"', parked.length);
    });

    async function standsBy(name: string, role: string): Promise<void> {
      await untilFigure(name, 'surety_leading', `"${role}"`, 0);
      await on.untilReady(name);
    }

    /** Looked at soon after the one that led was killed or frozen: when its lease has run out, another one leads. */
    async function expectNobodyLeads(role: string, since: number): Promise<void> {
      const leading = await sum('surety_leading', `"${role}"`);
      const seconds = (performance.now() - since) / 1000;
      if (leading !== 0)
        throw new Error(`${leading} lead as ${role} ${seconds.toFixed(1)} s after the leader was stopped`);
    }

    /** A metric of a process, however slowly it answers. */
    async function figure(name: string, metric: string, labels = ''): Promise<number> {
      return await untilDespiteErrors(
        async () => await on.metric(name, metric, labels),
        () => `${name} does not tell ${metric}`,
      );
    }

    async function untilFigure(name: string, metric: string, labels: string, expected: number): Promise<void> {
      let found: number | undefined;
      await until(
        async () => {
          found = await figure(name, metric, labels);
          return found === expected;
        },
        () => `${metric} of ${name} is ${found}, not ${expected}`,
      );
    }

    /** A metric over all processes. */
    async function sum(metric: string, labels = ''): Promise<number> {
      const each = [...on.processes.keys()].map(async (name) => await figure(name, metric, labels));
      return (await Promise.all(each)).reduce((all, one) => all + (Number.isNaN(one) ? 0 : one), 0);
    }
  },
);

/** Whether nothing more becomes of a mail within the next minutes. */
function hasEnded({ situation, attemptsInRow }: MailJobState): boolean {
  return ['sent', 'parked'].includes(situation.is) || (situation.is === 'waiting' && attemptsInRow > 1);
}
