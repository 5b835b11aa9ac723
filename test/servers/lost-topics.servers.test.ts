import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { withAdmin as useAdmin } from '#stores/messaging/kafka/admin.ts';
import {
  cleanUp,
  runSurety,
  type Service,
  startService,
  SuretyProcess,
  temporaryFolder,
} from '../support/service-process.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { Broker } from './support/broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';
import { firstOccurrences, readTopic } from './support/topic.ts';

const POLICIES = 'surety.policies.v1';
const SECRET = 'secret-of-lost-topics-0123456789abcdef';
const ADMIN_KEY = 'admin-key-of-lost-topics-0123456789abcdef';

/** A response of `/readyz`. */
interface Readiness {
  readonly status: number;
  /** Name → reason of the checks that fail. */
  readonly failing: Readonly<Record<string, string>>;
  /** Name → reason of the checks that warn. */
  readonly warnings: Readonly<Record<string, string>>;
}

async function readiness(url: string): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`, { headers: { 'x-api-key': ADMIN_KEY } });
  const { checks } = (await response.json()) as {
    checks: readonly { name: string; severity?: string; reason?: string }[];
  };
  const withSeverity = (wanted: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      checks.filter(({ severity }) => severity === wanted).map(({ name, reason = '' }) => [name, reason]),
    );
  return { status: response.status, failing: withSeverity('failure'), warnings: withSeverity('warning') };
}

describeOnMongodb(`Missing public topics, with MongoDB and a stand-in for EventStoreDB`, (server) => {
  describeOwnServers(['KAFKA_BROKERS'], 'on a separate broker', () => {
    const base = temporaryFolder();
    let broker: Broker | undefined;
    let log: StandInProcess | undefined;
    let database: TestDatabase | undefined;
    let mails: MailServer | undefined;
    const started: SuretyProcess[] = [];
    beforeAll(async () => {
      database = testDatabase(server);
      [broker, log, mails] = await Promise.all([
        Broker.start(),
        StandInProcess.start(join(base, 'log')),
        startMailServer(),
      ]);
    });
    afterAll(async () => {
      await cleanUp(base, started);
      await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop(), mails?.close()]);
    });

    const onServers = (settings: Readonly<Record<string, string>> = {}) => ({
      folder: join(base, 'data'),
      settings: {
        EVENTSTORE_URL: log?.url ?? '',
        MONGODB_URL: database?.url ?? '',
        KAFKA_BROKERS: broker?.options.brokers.join(',') ?? '',
        SURETY_SECRET: SECRET,
        SURETY_ADMIN_KEY: ADMIN_KEY,
        SMTP_URL: mails?.url ?? '',
        PUBLIC_URL: 'https://surety.example',
        ...settings,
      },
    });
    const run = async (...words: readonly string[]) => await runSurety(words, onServers());
    const withAdmin = async <T>(work: (admin: Admin) => Promise<T>): Promise<T> =>
      await useAdmin(broker?.options ?? { brokers: [] }, work);
    const topics = async () => await withAdmin(async (admin) => await admin.listTopics());
    const remove = async (...names: string[]) =>
      await withAdmin(async (admin) => await admin.deleteTopics({ topics: names }));
    const partitionsOf = async (topic: string) =>
      (await withAdmin(async (admin) => await admin.fetchTopicMetadata({ topics: [topic] }))).topics[0]?.partitions
        .length;
    const messages = async (topic: string) => await readTopic(broker?.options ?? { brokers: [] }, topic);
    const start = async (options: ReturnType<typeof onServers>): Promise<Service> => {
      const service = await startService(options);
      started.push(service.process);
      return service;
    };
    /** Starts a process without waiting for readiness; resolves with its address once it serves. */
    const launch = async (settings: Readonly<Record<string, string>> = {}) => {
      const process = new SuretyProcess(['serve'], onServers(settings));
      started.push(process);
      const url = await waitUntil(
        () => /^Surety serves (\S+) \(.*\)$/m.exec(process.stdout)?.[1],
        () => process.stderr,
      );
      return { process, url };
    };
    const waitUntilAllSent = async (service: Service) =>
      await waitUntil(async () =>
        /^surety_public_events_lag 0$/m.test(await (await service.request('/metrics')).text()),
      );
    const register = async (url: string, name: string) =>
      await fetch(`${url}/api/v1/admin/commands/RegisterMerchant`, {
        method: 'POST',
        headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ name, business_email: `${name}@bank.example` }),
      });
    const waitForMail = async (name: string) =>
      await waitUntil(() => (mails?.received ?? []).some(({ to }) => to.includes(`${name}@bank.example`)));

    const MISSING =
      /^Public events cannot be sent to surety\.policies\.v1, because the topic is missing: stop the relay and run surety setup --create-topics --from start, /;
    let held: ReturnType<typeof firstOccurrences>;

    test('when a public topic is missing, every role starts, an api warns, and only a relay alone is not ready', async () => {
      expect(await run('setup', '--partitions', '3')).toMatchObject({ code: 0, stderr: '' });
      const first = await start(onServers({ SURETY_SAMPLE: 'on' }));
      await waitUntilAllSent(first);
      held = firstOccurrences(await messages(POLICIES));
      expect(held.size).toBeGreaterThan(0);
      await first.process.stop();
      await remove(POLICIES);

      const all = await launch();
      let ready = await readiness(all.url);
      await waitUntil(async () => {
        ready = await readiness(all.url);
        return ready.status === 200 && 'public_topics' in ready.warnings;
      });
      expect(ready.warnings['public_topics']).toMatch(MISSING);
      expect(all.process.stderr).toContain('Public events cannot be sent to surety.policies.v1');
      expect((await register(all.url, 'one')).status).toBe(201);
      await waitForMail('one');
      await all.process.stop();

      const others = await start(onServers({ SURETY_ROLES: 'api,projector,mailer,scheduler' }));
      const relay = await launch({ SURETY_ROLES: 'relay' });
      await waitUntil(async () => 'public_topics' in (await readiness(relay.url)).failing);
      expect((await register(others.url, 'two')).status).toBe(201);
      await waitForMail('two');
      expect(await readiness(others.url)).toMatchObject({ status: 200, failing: {} });
      expect(await topics()).not.toContain(POLICIES);
    });

    test('neither a replay nor the creation of topics resets a running relay', async () => {
      for (const words of [
        ['replay', '--from', 'start'],
        ['setup', '--create-topics', '--from', 'start'],
      ]) {
        expect(await run(...words)).toMatchObject({
          code: 1,
          stdout: '',
          stderr: 'A relay runs: stop every process that has the role relay first.\n',
        });
      }
      expect(await topics()).not.toContain(POLICIES);
      await Promise.all(started.filter(({ isRunning }) => isRunning).map(async (process) => await process.stop()));
    });

    test('creating the topic explicitly publishes its events again', async () => {
      expect(await run('setup')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(MISSING) });
      expect(await run('setup', '--create-topics', '--from', '1')).toMatchObject({
        code: 1,
        stderr: '--from 1 is not the position of an event of the log.\n',
      });
      expect(await topics()).not.toContain(POLICIES);
      const created =
        'Created surety.policies.v1. All public events are sent again once a relay runs.\nSurety is set up on its servers.\n';
      expect(await run('setup', '--create-topics', '--from', 'start')).toMatchObject({ code: 0, stdout: created });
      expect(await partitionsOf(POLICIES)).toBe(3);
      const service = await start(onServers());
      await waitUntilAllSent(service);
      expect(firstOccurrences(await messages(POLICIES))).toEqual(held);
      await service.process.stop();
      const nothing = 'No public topic was missing, so the relay was not set back.\nSurety is set up on its servers.\n';
      expect(await run('setup', '--create-topics', '--from', 'start')).toMatchObject({ code: 0, stdout: nothing });
    });

    test('a replay on servers publishes all public events again, in their order', async () => {
      const before = await messages(POLICIES);
      const again = 'All public events are sent again once a relay runs.\n';
      expect(await run('replay', '--from', 'start')).toMatchObject({ code: 0, stdout: again, stderr: '' });
      expect(await messages(POLICIES)).toHaveLength(before.length);
      const service = await start(onServers());
      await waitUntilAllSent(service);
      const after = await messages(POLICIES);
      expect(after).toHaveLength(2 * before.length);
      expect(firstOccurrences(after)).toEqual(held);
      await service.process.stop();
    });
  });
});
