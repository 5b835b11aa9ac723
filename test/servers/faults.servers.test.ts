import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { MailJobState } from '../../src/domain/mail-job.ts';
import { expectDoneOnce, makeDue } from './support/due-policies.ts';
import { CUT, type Fault, FROZEN, late, STOPPED, UNREACHABLE } from './support/failing.ts';
import { Installation, type ServerName } from './support/installation.ts';
import { Load } from './support/load.ts';
import { LogSoFar } from './support/log-so-far.ts';
import { canStartMongodb } from './support/mongodb-process.ts';
import { expectMailed, expectNothingLost } from './support/nothing-lost.ts';
import { LOG_BEHIND_PROXIES } from './support/own-log.ts';
import { expectTold } from './support/telling.ts';

const MINUTE = 60_000;
/** As SMTP tells it. */
const END_OF_A_MAIL = /(^|\r\n)\.\r\n$/;

/** Servers that may be killed are the suite's own; the variables say that servers are tested at all. */
const missing = ['MONGODB_URL', 'KAFKA_BROKERS'].filter((name) => !process.env[name]);
const whyNot =
  missing.length > 0 ? `${missing.join(' and ')} not set` : canStartMongodb ? undefined : 'no ../shared/servers';
const suite = `Roles apart on servers that fail, with ${LOG_BEHIND_PROXIES.name}`;
const describeFaults = whyNot === undefined ? describe : describe.skip;

describeFaults(whyNot === undefined ? suite : `${suite} (skipped: ${whyNot})`, () => {
  let on: Installation;
  let load: Load;
  beforeAll(async () => {
    on = await Installation.start(LOG_BEHIND_PROXIES.open);
    const pairs = ['projector', 'relay', 'scheduler', 'mailer'].flatMap((role) => [
      on.run(`${role} 1`, role),
      on.run(`${role} 2`, role),
    ]);
    await Promise.all([on.run('api', 'api'), ...pairs]);
    load = await Load.on(on.process('api').service);
  }, 2 * MINUTE);
  afterAll(async () => await on.dispose());

  afterEach(async () => {
    await load.end();
    await expectNothingLost(on, load.acknowledged);
  }, 2 * MINUTE);

  /** A server fails under load: who needs it tells so while it lasts, and requests are carried out again when it is back. */
  async function whileIt(
    fault: Fault,
    server: ServerName,
    { how = 'away', milliseconds = 0 }: { readonly how?: 'away' | 'slow'; readonly milliseconds?: number } = {},
  ): Promise<void> {
    load.begin();
    await load.until(5);
    await fault.begin(on, server);
    const longEnough = pause(milliseconds);
    await expectTold(on, server, how);
    await longEnough;
    await fault.end(on, server);
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
    2 * MINUTE,
  );

  test(
    'given a mailer is killed when the mail server has its mail and has not said so, then others go on, and do not send it again',
    async () => {
      load.begin();
      const { mail: way } = on.process('mailer 1');
      await way.trap(END_OF_A_MAIL);
      way.release();
      await on.kill('mailer 1');
      await load.until(5);
      await on.run('mailer 1', 'mailer');
    },
    2 * MINUTE,
  );

  const SERVERS = [
    // One that others use as well goes on: only the processes here do not reach it, or not as they should.
    [LOG_BEHIND_PROXIES.isShared ? 'the way to the event log' : 'the event log', 'eventStore'],
    ['MongoDB', 'mongodb'],
    ['Kafka', 'kafka'],
  ] as const;
  const outcome = 'then who needs it tells it while it lasts, and nothing is lost or done twice';

  test.each(SERVERS)(
    `given %s is killed for 10 s, ${outcome}`,
    async (_what, server) => {
      const before = await sum('surety_standstills_total');
      await whileIt(STOPPED, server, { milliseconds: 10_000 });
      expect(await sum('surety_standstills_total')).toBeGreaterThan(before);
    },
    2 * MINUTE,
  );

  test.each(SERVERS)(
    `given %s is restarted, ${outcome}`,
    async (_what, server) => await whileIt(STOPPED, server),
    2 * MINUTE,
  );

  test(
    `given nobody reaches the event log, ${outcome}`,
    async () => await whileIt(UNREACHABLE, 'eventStore'),
    2 * MINUTE,
  );

  test.each(SERVERS)(
    `given %s is frozen, ${outcome}`,
    async (_what, server) => await whileIt(FROZEN, server),
    2 * MINUTE,
  );

  test.each(SERVERS)(
    `given %s answers after 5 s, ${outcome}`,
    async (_what, server) => await whileIt(late(5_000), server),
    2 * MINUTE,
  );

  test.each(SERVERS)(
    `given %s is cut off in the middle of every answer, ${outcome}`,
    async (_what, server) => await whileIt(CUT, server),
    2 * MINUTE,
  );

  test.each([...SERVERS, ['the mail server', 'mail'] as const])(
    'given every answer of %s comes half a second late, then who needs it tells that it is slow, and all is done',
    async (_what, server) => {
      const lasted = async (): Promise<number> => await sum('surety_http_request_duration_seconds_sum');
      const before = await lasted();
      await whileIt(late(500), server, { how: 'slow' });
      if (server === 'eventStore') expect(await lasted()).toBeGreaterThan(before + 3);
    },
    2 * MINUTE,
  );

  test(
    'given single connections are cut in the middle of answers again and again, then it is counted, and nobody has to do anything',
    async () => {
      load.begin();
      await load.until(5);
      const before = await sum('surety_standstills_total');
      for (let round = 0; round < 12; round += 1) {
        for (const { eventStore, mongodb, kafka } of on.processes.values())
          for (const proxy of [eventStore, mongodb, kafka]) proxy.cutAnswers(2);
        await load.until(3);
      }
      for (const server of ['eventStore', 'mongodb', 'kafka'] as const) CUT.end(on, server);
      expect(await sum('surety_standstills_total')).toBeGreaterThan(before);
    },
    2 * MINUTE,
  );

  test.each([
    ['projector', 'documents', /update[^]{0,9}read_model_checkpoints[^]*claims/],
    ['relay', 'messages', /(update|findAndModify)[^]{0,13}named_values[^]*public-events/],
    ['relay', 'jobs', /(update|findAndModify)[^]{0,13}named_values[^]*mail-jobs/],
  ] as const)(
    'given the leading %s is killed between its %s and its checkpoint, then nobody leads until another goes on from the one before',
    async (role, _what, checkpoint) => {
      const leader = await on.leaderOf(role);
      load.begin();
      await load.until(5);
      await on.process(leader).mongodb.trap(checkpoint);
      await on.kill(leader);
      expect(await sum('surety_leading', `"${role}"`)).toBe(0);
      const next = await on.leaderOf(role);
      expect(next).not.toBe(leader);
      await load.until(5);
      await on.run(leader, role);
    },
    2 * MINUTE,
  );

  test(
    'given the leading relay is frozen until another has taken over, when it wakes up, then it writes nothing more',
    async () => {
      const leader = await on.leaderOf('relay');
      load.begin();
      await load.until(5);
      const wake = asleep(leader);
      expect(await sum('surety_leading', '"relay"')).toBe(0);
      const next = await on.leaderOf('relay');
      await load.until(5);
      wake();
      await load.until(5);
      await standsBy(leader, 'relay');
      expect(await on.leaderOf('relay')).toBe(next);
    },
    2 * MINUTE,
  );

  test(
    'given both projectors are frozen, then the api tells it; when the one that stood by wakes up, it leads, and the other writes nothing more',
    async () => {
      const leader = await on.leaderOf('projector');
      const other = leader === 'projector 1' ? 'projector 2' : 'projector 1';
      load.begin();
      await load.until(5);
      const wakeLeader = asleep(leader);
      const wakeOther = asleep(other);
      await until(async () => {
        const { checks } = await on.readiness('api');
        return checks.some(({ name, ok, reason }) => name === 'projector' && !ok && reason?.includes('behind the log'));
      });
      expect(await on.metric('api', 'surety_projector_lag_seconds')).toBeGreaterThan(5);
      wakeOther();
      expect(await on.leaderOf('projector')).toBe(other);
      await load.until(5);
      wakeLeader();
      await load.until(5);
      await standsBy(leader, 'projector');
      expect(await on.leaderOf('projector')).toBe(other);
    },
    2 * MINUTE,
  );

  test(
    'given policies fall due while schedulers are killed, and frozen in the middle of a renewal, then each is renewed once',
    async () => {
      const first = await on.leaderOf('scheduler');
      const second = first === 'scheduler 1' ? 'scheduler 2' : 'scheduler 1';
      await on.kill(first);
      const due = await makeDue(on, 24);
      expect(await sum('surety_leading', '"scheduler"')).toBe(0);
      const { eventStore: way } = on.process(second);
      await way.trap(/PolicyRenewed/);
      const wake = asleep(second);
      await on.run(first, 'scheduler');
      await expectDoneOnce(on, due);
      expect(await on.leaderOf('scheduler')).toBe(first);
      wake();
      // What it had sent arrives now, long after everything was done.
      way.release();
      await standsBy(second, 'scheduler');
      await expectDoneOnce(on, due);
    },
    2 * MINUTE,
  );

  test(
    'in the end each mail was sent once, but for those of which nobody knows and those that were refused twice',
    async () => {
      const eventStore = on.eventStore.open();
      const mails = await expectMailed(new LogSoFar(eventStore), on.mail, hasEnded);
      await eventStore.close();
      const parked = mails.filter(({ situation }) => situation.is === 'parked');
      expect(parked.filter(({ situation }) => situation.is === 'parked' && situation.reason === 'refused')).toEqual([]);
      const taken = on.mail.counts();
      expect(parked.filter(({ job }) => taken.has(job.jobId)).length).toBeGreaterThan(0);
      expect(mails.filter(({ situation }) => situation.is === 'sent').length).toBeGreaterThan(mails.length / 2);
      await until(async () => (await on.metric('mailer 1', 'surety_mail_jobs_parked')) === parked.length);
    },
    2 * MINUTE,
  );

  /** Freezes a process, which `on` forgets until it is woken up by the function that is returned. */
  function asleep(name: string): () => void {
    const frozen = on.process(name);
    on.processes.delete(name);
    frozen.service.process.child.kill('SIGSTOP');
    return () => {
      frozen.service.process.child.kill('SIGCONT');
      on.processes.set(name, frozen);
    };
  }

  async function standsBy(name: string, role: string): Promise<void> {
    await until(async () => (await on.metric(name, 'surety_leading', `"${role}"`)) === 0);
    await until(async () => (await on.readiness(name)).status === 'ready');
  }

  /** A metric over all processes. */
  async function sum(metric: string, labels = ''): Promise<number> {
    const each = [...on.processes.keys()].map(async (name) => await on.metric(name, metric, labels));
    return (await Promise.all(each)).reduce((all, one) => all + (Number.isNaN(one) ? 0 : one), 0);
  }
});

/** Whether nothing more becomes of a mail within the next minutes. */
function hasEnded({ situation, attemptsInRow }: MailJobState): boolean {
  return ['sent', 'parked'].includes(situation.is) || (situation.is === 'waiting' && attemptsInRow > 1);
}

/** Waits for something that comes by itself; a test that waits in vain ends by its own limit. */
async function until(met: () => Promise<boolean>): Promise<void> {
  while (!(await met())) await pause(100);
}
