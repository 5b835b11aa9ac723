import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  cleanUp,
  runSurety,
  startService,
  type SuretyProcess,
  temporaryFolder,
} from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { MONGODB_URL, type TestDatabase, testDatabase } from '../support/mongodb.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { SecureBroker } from '../support/secure-broker.ts';

describeOwnServers(['MONGODB_URL', 'KAFKA_BROKERS'], 'Kafka with TLS and SASL', () => {
  const base = temporaryFolder();
  const folder = join(base, 'data');
  const processes: SuretyProcess[] = [];
  let database: TestDatabase;
  let log: StandInProcess;
  let broker: SecureBroker;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    database = testDatabase(MONGODB_URL ?? '');
    log = await StandInProcess.start(join(base, 'log'));
    broker = await SecureBroker.start();
    settings = {
      EVENTSTORE_URL: log.url,
      MONGODB_URL: database.url,
      KAFKA_BROKERS: broker.address,
      KAFKA_SSL: 'on',
      KAFKA_SASL: 'plain',
      KAFKA_USERNAME: broker.user.username,
      KAFKA_PASSWORD: broker.user.password,
      NODE_EXTRA_CA_CERTS: broker.certificateFile,
      LOG_LEVEL: 'info',
    };
  });
  afterAll(async () => {
    await cleanUp(base, processes);
    await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop()]);
  });
  const setup = async (other: Readonly<Record<string, string>>) =>
    await runSurety(['setup'], { folder, settings: { ...settings, ...other } });

  test.each(['plain', 'scram-sha-512'])('creates topics after authentication by %s', async (KAFKA_SASL) => {
    expect(await setup({ KAFKA_SASL })).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    ['another password', { KAFKA_PASSWORD: 'a wrong one' }, /^Kafka: .*[Aa]uthentication failed/],
    ['no user', { KAFKA_SASL: '', KAFKA_USERNAME: '', KAFKA_PASSWORD: '' }, /^Kafka: /],
    ['no TLS', { KAFKA_SSL: 'off' }, /^Kafka: .*may require TLS/],
    [
      'an unknown certificate authority',
      { NODE_EXTRA_CA_CERTS: '' },
      /^Kafka: the certificate of the server is not trusted/,
    ],
  ])('reports %s in one sentence without the password', async (_case, other, sentence) => {
    const { code, stderr } = await setup(other);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(broker.user.password);
  });

  test('delivers a mail through the queue and logs no password', async () => {
    const service = await startService({ folder, settings });
    processes.push(service.process);
    await service.command('RegisterMerchant', { name: 'Acme', business_email: 'a@b.example' });
    const outbox = join(folder, 'outbox');
    const readMails = (): readonly string[] => {
      try {
        return readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
      } catch {
        return [];
      }
    };
    await waitUntil(
      () => readMails().some((mail) => mail.includes('a@b.example')),
      () =>
        `${readMails().length} mails in the outbox; the service printed:\n${service.process.stdout}${service.process.stderr}`,
    );
    const { stdout, stderr } = await service.process.stop();
    expect(stdout + stderr).not.toContain(broker.user.password);
  });
});
