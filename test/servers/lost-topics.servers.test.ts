import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { asAdmin as administered } from '../../src/messaging/kafka/administration.ts';
import { MAIL_QUEUE } from '../../src/processes/mail-jobs/mail-job-of.ts';
import { cleanUp, runSurety, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { until } from '../support/until.ts';
import { Broker } from './support/broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { EVENTSTORE_UNDER_TEST } from './support/named-eventstore.ts';
import { describeOwnBroker, titleOwnBroker } from './support/own-broker.ts';
import { type OwnLog, ownLog } from './support/own-log.ts';
import { firstOccurrences, readTopic } from './support/topic.ts';

const POLICIES = 'surety.policies.v1';
const SECRET = 'secret-of-lost-topics-0123456789abcdef';
const ADMIN_KEY = 'admin-key-of-lost-topics-0123456789abcdef';

describeOnMongodb(`Topics that were lost, with MongoDB and ${EVENTSTORE_UNDER_TEST}`, (server) => {
  describeOwnBroker(titleOwnBroker('on a broker of its own'), () => {
    const base = temporaryFolder();
    let broker: Broker | undefined;
    let log: OwnLog | undefined;
    let database: TestDatabase | undefined;
    let mails: MailServer | undefined;
    let service: Service | undefined;
    beforeAll(async () => {
      database = testDatabase(server);
      [broker, log, mails] = await Promise.all([Broker.start(), ownLog(join(base, 'log')), startMailServer()]);
    });
    afterAll(async () => {
      await cleanUp(base, service === undefined ? [] : [service.process]);
      await Promise.allSettled([broker?.dispose(), log?.dispose(), database?.drop(), mails?.close()]);
    });

    const options = () => ({
      folder: join(base, 'data'),
      settings: {
        ...log?.settings(),
        MONGODB_URL: database?.url ?? '',
        KAFKA_BROKERS: broker?.options.brokers.join(',') ?? '',
        SURETY_SECRET: SECRET,
        SURETY_ADMIN_KEY: ADMIN_KEY,
        SMTP_URL: mails?.url ?? '',
        PUBLIC_URL: 'https://surety.example',
      },
    });
    const setup = async (...words: readonly string[]) => await runSurety(['setup', ...words], options());
    const asAdmin = async <T>(work: (admin: Admin) => Promise<T>): Promise<T> =>
      await administered(broker?.options ?? { brokers: [] }, work);
    const topics = async () => await asAdmin(async (admin) => await admin.listTopics());
    const remove = async (...names: string[]) =>
      await asAdmin(async (admin) => await admin.deleteTopics({ topics: names }));
    const partitionsOf = async (topic: string) =>
      (await asAdmin(async (admin) => await admin.fetchTopicMetadata({ topics: [topic] }))).topics[0]?.partitions
        .length;
    const messages = async (topic: string) => await readTopic(broker?.options ?? { brokers: [] }, topic);
    const read = async (topic: string) => firstOccurrences(await messages(topic));
    const start = async (roles = '') => {
      const settings = { ...options().settings, SURETY_SAMPLE: 'on', SURETY_ROLES: roles };
      service = await startService({ ...options(), settings });
    };
    const isLevel = async () =>
      /^surety_public_events_lag 0$/m.test((await (await service?.ask('/metrics'))?.text()) ?? '');
    const haveAllMailsGone = async () =>
      received().length > 0 &&
      /^surety_mail_jobs_open 0$/m.test((await (await service?.ask('/metrics'))?.text()) ?? '');
    const received = () => (mails?.received ?? []).flatMap(({ to }) => to).toSorted();
    const GONE =
      /^Topics that were set up before are gone, with all they held: surety\.policies\.v1, surety\.jobs\.mail\.v1\. .*--send-again/;

    test('given topics of three parts that are gone, then what they held is sent again only when that is said', async () => {
      expect(await setup('--partitions', '3')).toMatchObject({ code: 0, stderr: '' });
      await start();
      await until(isLevel);
      const held = await read(POLICIES);
      expect(held.size).toBeGreaterThan(0);
      await until(haveAllMailsGone);
      await service?.process.stop();
      const jobs = await messages(MAIL_QUEUE);
      await start('api,projector,relay,scheduler');
      await service?.command('RegisterMerchant', { name: 'In Wait', business_email: 'in@wait.example' });
      await until(isLevel);
      await until(async () => (await messages(MAIL_QUEUE)).length > jobs.length);
      await service?.process.stop();
      const sent = received();

      await remove(POLICIES, MAIL_QUEUE);
      for (const words of [['setup'], ['serve']])
        expect(await runSurety(words, options())).toMatchObject({ code: 1, stderr: expect.stringMatching(GONE) });
      expect(await topics()).not.toContain(POLICIES);

      expect(await setup('--send-again', '--from', 'start')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^The topic surety\.policies\.v1 is made anew.*\nThe topic surety\.jobs\.mail\.v1 is/,
        ),
      });
      for (const topic of [POLICIES, MAIL_QUEUE]) expect(await partitionsOf(topic)).toBe(3);
      await start();
      await until(isLevel);
      expect(await read(POLICIES)).toEqual(held);
      await until(() => received().includes('in@wait.example'));
      expect(received()).toEqual([...sent, 'in@wait.example'].toSorted());
    });

    test('given processes that run, then nothing is sent again before they have stopped', async () => {
      await remove(POLICIES);
      const refusal = { code: 1, stdout: '', stderr: expect.stringMatching(/^A process of the role relay runs: stop/) };
      expect(await setup('--send-again', '--from', 'start')).toMatchObject(refusal);
      expect(await topics()).not.toContain(POLICIES);
      await service?.process.stop();
      expect(await setup('--send-again', '--from', '1')).toMatchObject({
        code: 1,
        stderr: '--from 1 is not the position of an event of the log.\n',
      });
      expect(await topics()).not.toContain(POLICIES);
      expect(await setup('--send-again', '--from', 'start')).toMatchObject({ code: 0 });
      expect(await setup('--send-again', '--from', 'start')).toMatchObject({
        code: 0,
        stdout: 'No topic was lost, so nothing is sent again.\nSurety is set up on its servers.\n',
      });
    });
  });
});
