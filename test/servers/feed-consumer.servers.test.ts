import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  countFromTopic,
  describeWithPython,
  FeedConsumer,
  type FiguresOfDays,
  hasKcat,
  readPolicyMessages,
} from '../clients/feed/consumer.ts';
import { BOOK_DAYS, expectPortfolio } from '../clients/feed/portfolio.ts';
import { cleanUp, readyService, type Service, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { addVariedProducts, buyVariedPolicies } from '../support/varied-policies.ts';
import { waitUntil } from '../support/wait-until.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';
import { Broker } from './support/broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { describeOwnServers } from './support/own-servers.ts';

/** The suite starts the program six times in a row. */
const LIMIT_MS = 5 * 60_000;

const testWithKcat = hasKcat ? test : test.skip;
const whyNoKcat = hasKcat ? '' : ' (skipped: kcat is not installed)';

type Settings = Readonly<Record<string, string>>;

describeWithPython('A consumer of public events in Python', () => {
  describeOnMongodb('on MongoDB, Kafka and a stand-in for EventStoreDB', (server) => {
    describeOwnServers(['KAFKA_BROKERS'], 'with a separate broker', () => {
      const [folder, elsewhere, logFolder, states] = [1, 2, 3, 4].map(temporaryFolder) as [
        string,
        string,
        string,
        string,
      ];
      const started: SuretyProcess[] = [];
      let database: TestDatabase;
      let broker: Broker;
      let log: StandInProcess;
      let brokers = '';
      let servers: Settings = {};
      let figures: FiguresOfDays = {};
      let moved: Service;

      beforeAll(async () => {
        database = testDatabase(server);
        // One after the other, so that all started servers are known when the next start fails.
        broker = await Broker.start();
        log = await StandInProcess.start(logFolder);
        brokers = broker.options.brokers.join(',');
      });
      afterAll(async () => {
        for (const place of [folder, elsewhere]) await cleanUp(place, started).catch(() => undefined);
        await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop()]);
        for (const place of [logFolder, states]) await cleanUp(place, []);
      });

      const run = (words: readonly string[], settings: Settings, data: string): SuretyProcess => {
        const process = new SuretyProcess(words, { folder: data, settings });
        started.push(process);
        return process;
      };
      const serve = async (settings: Settings, data: string, words: readonly string[] = []): Promise<Service> =>
        await readyService(run(['serve', ...words], settings, data), { folder: data, settings });

      test(
        'continues from its cursor after surety migrate, and counts what the portfolio counts',
        async () => {
          const consumer = new FeedConsumer(join(states, 'state.json'), BOOK_DAYS);
          const sample = await serve({}, folder, ['--sample']);
          const { environment_id: environmentId } = await sample.createEnvironment();
          await addVariedProducts(sample);
          await buyVariedPolicies(sample, environmentId);
          // It is behind when the folder is moved.
          const behind = await consumer.startAndWaitForPages(sample.url, sample.adminKey);
          behind.child.kill('SIGKILL');
          expect((await behind.result).signal).toBe('SIGKILL');
          const whole = new FeedConsumer(join(states, 'whole.json'), BOOK_DAYS);
          await expectPortfolio(sample, async () => await whole.runUntilDone(sample.url, sample.adminKey));
          expect(consumer.state?.start).not.toBe(whole.state?.start);
          await sample.process.stop();

          const secrets = {
            SURETY_ADMIN_KEY: readFileSync(join(folder, 'admin.key'), 'utf8').trim(),
            SURETY_SECRET: readFileSync(join(folder, 'secret'), 'utf8').trim(),
          };
          servers = { EVENTSTORE_URL: log.url, MONGODB_URL: database.url, KAFKA_BROKERS: brokers };
          expect(await run(['setup'], servers, elsewhere).exited).toMatchObject({ code: 0 });
          expect(await run(['migrate'], servers, folder).exited).toMatchObject({ code: 0, stderr: '' });
          servers = { ...servers, ...secrets };
          moved = await serve(servers, elsewhere);
          const { url, adminKey } = moved;
          await expectPortfolio(moved, async () => await consumer.runUntilDone(url, adminKey));
          expect(consumer.state?.policies).toEqual(whole.state?.policies);

          await buyVariedPolicies(moved, environmentId);
          for (const each of [consumer, whole])
            await expectPortfolio(moved, async () => (figures = await each.runUntilDone(url, adminKey)));
          expect(consumer.state).toEqual(whole.state);
        },
        LIMIT_MS,
      );

      testWithKcat(
        `counts the same from the topic, also after surety replay${whyNoKcat}`,
        async () => {
          const count = (): FiguresOfDays => countFromTopic(readPolicyMessages(brokers), BOOK_DAYS);
          await waitUntil(() => isDeepStrictEqual(count(), figures), count);
          const messages = readPolicyMessages(brokers).length;
          await moved.process.stop();
          expect(await run(['replay', '--from', 'start'], servers, elsewhere).exited).toMatchObject({
            code: 0,
            stderr: '',
          });
          await serve(servers, elsewhere);
          await waitUntil(() => readPolicyMessages(brokers).length >= 2 * messages);
          expect(count()).toEqual(figures);
        },
        LIMIT_MS,
      );
    });
  });
});
