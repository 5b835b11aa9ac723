import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import {
  cleanUp,
  readyService,
  runSurety,
  type Service,
  startService,
  SuretyProcess,
  temporaryFolder,
} from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { StandInProcess } from '../eventstoredb/support/stand-in-process.ts';
import { MONGODB_URL, type TestDatabase, testDatabase } from '../support/mongodb.ts';
import { describeOwnServers } from '../support/own-servers.ts';
import { type Right, SecureBroker } from '../support/secure-broker.ts';

const GROUP = 'surety.jobs.mail.v1';
const LACKS_TOPICS = 'the user of KAFKA_USERNAME lacks a right on the topics surety.* (docs/runbook.md, Users and TLS)';

/** Returns the rights of a process in the table of docs/runbook.md. */
function rightsOf(process: string): readonly Right[] {
  const pattern = new RegExp(`^\\| \`${process}\` \\| \`(\\S+)\`( \\(prefixed\\))? \\|(.*)\\|(.*)\\|$`, 'm');
  const row = pattern.exec(readFileSync('docs/runbook.md', 'utf8'));
  if (row === null) throw new Error(`docs/runbook.md names no rights of ${process}`);
  const [, name = '', prefix, onTopics = '', onGroup = ''] = row;
  const operationsIn = (cell: string) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, operation]) => operation as Right['operation']);
  return [
    ...operationsIn(onTopics).map((operation) => ({
      operation,
      on: 'TOPIC' as const,
      name,
      isPrefix: prefix !== undefined,
    })),
    ...operationsIn(onGroup).map((operation) => ({ operation, on: 'GROUP' as const, name: GROUP, isPrefix: false })),
  ];
}

const RIGHTS = { setup: rightsOf('surety setup'), relay: rightsOf('relay'), mailer: rightsOf('mailer') };

describeOwnServers(['MONGODB_URL', 'KAFKA_BROKERS'], 'Kafka with TLS, SASL and access lists', () => {
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
    broker = await SecureBroker.start([...Object.keys(RIGHTS), 'all']);
    settings = {
      EVENTSTORE_URL: log.url,
      MONGODB_URL: database.url,
      KAFKA_BROKERS: broker.address,
      KAFKA_SSL: 'on',
      KAFKA_SASL: 'plain',
      KAFKA_USERNAME: broker.user.username,
      KAFKA_PASSWORD: broker.user.password,
      NODE_EXTRA_CA_CERTS: broker.certificateFile,
      SURETY_SECRET: 'secret-of-secure-servers-0123456789abcdef',
      SURETY_ADMIN_KEY: 'admin-key-of-secure-servers-0123456789abcdef',
      LOG_LEVEL: 'info',
    };
  });
  afterAll(async () => {
    await cleanUp(base, processes);
    await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop()]);
  });
  const setup = async (other: Readonly<Record<string, string>>) =>
    await runSurety(['setup'], { folder, settings: { ...settings, ...other } });

  describe('users with the rights of the runbook', () => {
    let mailServer: MailServer;
    let services: Readonly<Record<'relay' | 'mailer' | 'others', Service>>;
    beforeAll(async () => {
      mailServer = await startMailServer();
    });
    afterAll(async () => {
      for (const process of processes) await process.stop();
      await mailServer.close();
    });
    const start = async (roles: string, user: string): Promise<Service> => {
      const options = {
        folder,
        settings: {
          ...settings,
          SURETY_ROLES: roles,
          KAFKA_USERNAME: user,
          SMTP_URL: mailServer.url,
          PUBLIC_URL: 'https://surety.example',
        },
      };
      const process = new SuretyProcess(['serve'], options);
      processes.push(process);
      return await readyService(process, options);
    };
    const reasonsOf = async ({ request }: Service): Promise<string> => {
      const { checks } = (await (await request('/readyz')).json()) as { checks: readonly { reason?: string }[] };
      return checks.map(({ reason = '' }) => reason).join('\n');
    };

    test.each(RIGHTS.setup.map((right) => [right.operation, right] as const))(
      'a set-up without %s ends with a sentence on its rights',
      async (_operation, right) => {
        await broker.grant('setup', RIGHTS.setup);
        await broker.revoke('setup', [right]);
        const { code, stderr } = await setup({ KAFKA_USERNAME: 'setup' });
        expect([code, stderr]).toEqual([1, `Kafka: ${LACKS_TOPICS} (KAFKA_BROKERS: ${broker.address}).\n`]);
      },
    );

    test('set-up, relay and mailer need no others, and the other roles no user', async () => {
      for (const [user, rights] of Object.entries(RIGHTS)) await broker.grant(user, rights);
      expect(await setup({ KAFKA_USERNAME: 'setup' })).toMatchObject({ code: 0, stderr: '' });
      const [relay, mailer, others] = await Promise.all([
        start('relay', 'relay'),
        start('mailer', 'mailer'),
        start('api,projector,scheduler', 'nobody'),
      ]);
      services = { relay, mailer, others };
      await others.run('RegisterMerchant', { name: 'Acme', business_email: 'office@acme.example' });
      await waitUntil(() => mailServer.received.some(({ to }) => to.includes('office@acme.example')));
      await waitUntil(async () =>
        /^surety_public_events_sent_total [1-9]/m.test(await (await relay.request('/metrics')).text()),
      );
    });

    test.each([
      ['relay', 'TOPIC', 'lacks the right Write on the topics surety.*'],
      ['mailer', 'TOPIC', LACKS_TOPICS],
      ['mailer', 'GROUP', `lacks the right Read on the consumer group ${GROUP}`],
    ] as const)(
      'the %s without its right on the %s reports that in /readyz until it has it again',
      async (role, on, reason) => {
        const taken = RIGHTS[role].filter((right) => right.on === on);
        await broker.revoke(role, taken);
        let reasons = '';
        await waitUntil(
          async () => (reasons = await reasonsOf(services[role])).includes(reason),
          () => reasons,
        );
        await broker.grant(role, taken);
        await waitUntil(
          async () => (reasons = await reasonsOf(services[role])).trim() === '',
          () => reasons,
        );
      },
    );
  });

  test('sets up topics after authentication by SCRAM', async () => {
    expect(await setup({ KAFKA_SASL: 'scram-sha-512' })).toMatchObject({ code: 0, stderr: '' });
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

  test('all roles in one process deliver a mail with the rights of all, and log no password', async () => {
    await broker.grant('all', Object.values(RIGHTS).flat());
    const service = await startService({ folder, settings: { ...settings, KAFKA_USERNAME: 'all' } });
    processes.push(service.process);
    await service.command('RegisterMerchant', { name: 'Other', business_email: 'a@b.example' });
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
