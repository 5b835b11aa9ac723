import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withAdmin } from '#stores/messaging/kafka/admin.ts';
import { PUBLIC_TOPICS } from '#public-events/topics.ts';
import { cleanUp, startService, type SuretyProcess, temporaryFolder } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { freePort } from '../../support/free-port.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { Broker } from '../support/broker.ts';
import { MONGODB_URL, type TestDatabase, testDatabase } from '../support/mongodb.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { readTopic } from '../support/topic.ts';

describeOwnServers(['MONGODB_URL', 'KAFKA_BROKERS'], 'A service that starts before its broker', () => {
  const base = temporaryFolder();
  const processes: SuretyProcess[] = [];
  let database: TestDatabase;
  let log: StandInProcess;
  let broker: Broker;
  beforeAll(async () => {
    database = testDatabase(MONGODB_URL ?? '');
    log = await StandInProcess.start(join(base, 'log'));
    broker = await Broker.start();
    await broker.kill();
  });
  afterAll(async () => {
    await cleanUp(base, processes);
    await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop()]);
  });

  const onServers = (more: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    EVENTSTORE_URL: log.url,
    MONGODB_URL: database.url,
    KAFKA_BROKERS: broker.options.brokers.join(),
    ...more,
  });

  test('serves without Kafka and a mail server, also at later starts, and /readyz warns', async () => {
    const settings = onServers({
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'no-reply@surety.example',
    });
    for (const start of ['first', 'second']) {
      const service = await startService({ folder: join(base, 'data'), settings });
      processes.push(service.process);
      await service.run('RegisterMerchant', { name: start, business_email: `office@${start}.example` });
      expect((await service.request('/api/v1/merchants/')).status).toBe(200);
      const expected = ['kafka', 'mailer', 'mail_relay', 'public_events', 'public_topics', 'smtp'];
      await waitUntil(async () => {
        const response = await service.request('/readyz');
        expect(response.status).toBe(200);
        const { checks } = (await response.json()) as { checks: readonly { name: string; severity?: string }[] };
        const warnings = checks.filter(({ severity }) => severity === 'warning').map(({ name }) => name);
        return expected.every((name) => warnings.includes(name));
      });
      const { code, stderr } = await service.process.stop();
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('Kafka does not answer: mails and public events wait'),
      ]);
    }
  });

  test('creates the topics once the broker answers, and sends every public event', async () => {
    const settings = onServers({});
    const service = await startService({ folder: join(base, 'data'), settings });
    processes.push(service.process);
    await broker.start();
    await waitUntil(
      async () => {
        const response = await service.request('/readyz');
        const { checks } = (await response.json()) as { checks: readonly { name: string; severity?: string }[] };
        expect(response.status).toBe(200);
        const ofKafka = ['kafka', 'public_topics', 'public_events', 'mail_relay', 'mailer'];
        return checks.every(({ name, severity }) => severity === undefined || !ofKafka.includes(name));
      },
      () => service.process.stderr,
    );
    await waitUntil(async () => /^surety_public_events_lag 0$/m.test(await (await service.request('/metrics')).text()));
    const topics = await withAdmin(broker.options, async (admin) => await admin.listTopics());
    expect(topics).toEqual(expect.arrayContaining([...PUBLIC_TOPICS]));
    expect((await readTopic(broker.options, 'surety.merchants.v1')).length).toBeGreaterThan(0);
  });
});
