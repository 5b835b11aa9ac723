import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUp, runSurety, startService, type SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { KAFKA } from './support/kafka-admin.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { describeOnKafka, titleOnKafka } from './support/kafka.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';

const SURETY_SECRET = 'secret-of-the-tests-of-settings-0123456789';
const SURETY_ADMIN_KEY = 'admin-key-of-the-tests-of-settings-0123456789';

/** Each test continues with the installation of the one before it. */
describeOnMongodb('Settings of an installation on MongoDB and a stand-in for EventStoreDB', (server) => {
  describeOnKafka(titleOnKafka('and on Kafka'), () => {
    const base = temporaryFolder();
    const started: SuretyProcess[] = [];
    let database: TestDatabase;
    let log: StandInProcess;
    beforeAll(async () => {
      database = testDatabase(server);
      log = await StandInProcess.start(join(base, 'log'));
    });
    afterAll(async () => {
      await Promise.allSettled([cleanUp(base, started)]);
      await Promise.allSettled([log?.kill(), database?.drop()]);
    });

    const options = (folder: string, additional: Readonly<Record<string, string>>) => ({
      folder: join(base, folder),
      settings: {
        EVENTSTORE_URL: log.url,
        MONGODB_URL: database.url,
        KAFKA_BROKERS: KAFKA.brokers.join(','),
        ...additional,
      },
    });
    const run = async (words: readonly string[], folder: string, additional: Readonly<Record<string, string>> = {}) =>
      await runSurety(words, options(folder, additional));
    const serveAndStop = async (folder: string, additional: Readonly<Record<string, string>>): Promise<void> => {
      const { process } = await startService(options(folder, additional));
      started.push(process);
      await process.stop();
    };
    const leases = async (): Promise<unknown[]> => await database.client.db().collection('leases').find().toArray();
    const fileOf = (name: string, body: object): string => {
      writeFileSync(join(base, name), JSON.stringify(body));
      return join(base, name);
    };

    /** Runs a command on a missing folder and expects a refusal without a change of the folder or the servers. */
    const expectRefused = async (
      words: readonly string[],
      additional: Readonly<Record<string, string>>,
      sentence: RegExp,
    ) => {
      const before = await leases();
      const refused = { code: 1, stdout: '', stderr: expect.stringMatching(sentence) };
      expect(await run(words, 'new', additional)).toMatchObject(refused);
      expect(existsSync(join(base, 'new'))).toBe(false);
      expect(await leases()).toEqual(before);
    };

    test('a separate role is refused before surety setup, which reports a missing secret', async () => {
      const apart = { SURETY_ROLES: 'api', PUBLIC_URL: 'https://surety.example', SURETY_SECRET, SURETY_ADMIN_KEY };
      await expectRefused(['serve'], apart, /^Surety is not set up on these servers: run surety setup first\.\n$/);
      const setUp =
        'Surety is set up on its servers.\n' +
        'SURETY_SECRET is not set, so the first service that starts creates the secret of all of them.\n';
      expect(await run(['setup'], 'new')).toMatchObject({ code: 0, stdout: setUp, stderr: '' });
    });

    test('commands that do not serve create no key, secret or folder, and use no Kafka', async () => {
      expect(await run(['verify'], 'new', { KAFKA_BROKERS: '127.0.0.1:1' })).toMatchObject({ code: 0, stderr: '' });
      const merchant = fileOf('merchant.json', { name: 'Line', business_email: 'line@bank.example' });
      expect(await run(['command', 'RegisterMerchant', merchant], 'new')).toMatchObject({ code: 0, stderr: '' });
      const link = fileOf('link.json', { short_code: 'LIN-0000', token: 'of some mail' });
      const sentence = /^SURETY_SECRET must be set to the secret with which the services sign the links in mails\.\n$/;
      await expectRefused(['command', 'VerifyMerchant', link], {}, sentence);
    });

    test('a second process with another secret than the generated one does not start', async () => {
      await serveAndStop('first', {});
      await expectRefused(['serve'], {}, /^The secret of this process is not the one .* surety setup --change-secret /);
      await serveAndStop('first', {});
    });

    test.each([
      [['serve'], 'EVENTSTORE_URL'],
      [['command', 'RegisterMerchant', join(base, 'merchant.json')], 'EVENTSTORE_URL'],
      [['serve'], 'KAFKA_BROKERS'],
      [['setup'], 'MONGODB_URL'],
    ])('%p without %s creates no embedded store and takes no lease', async (words, missing) => {
      await expectRefused(words, { [missing]: '' }, new RegExp(`^${missing} is not set: `));
    });

    test('after surety setup --change-secret processes need the new secret, and a key', async () => {
      expect(await run(['setup', '--change-secret'], 'third')).toMatchObject({ code: 1 });
      expect(await run(['setup', '--change-secret'], 'third', { SURETY_SECRET })).toMatchObject({ code: 0 });
      expect(await run(['serve'], 'first')).toMatchObject({ code: 1 });
      await expectRefused(['serve'], { SURETY_SECRET }, /^SURETY_SECRET is set, so SURETY_ADMIN_KEY must be set too/);
      await serveAndStop('third', { SURETY_SECRET, SURETY_ADMIN_KEY });
    });
  });
});
