import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUp, runSurety, startService, type SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { KAFKA } from './support/kafka-admin.ts';
import { MONGODB_URL, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';

const [broker = ''] = KAFKA.brokers;
const missing = [MONGODB_URL === undefined ? 'MONGODB_URL' : [], broker === '' ? 'KAFKA_BROKERS' : []].flat();
const describeThere = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not set)`;

describeThere(`A missing server address, on Kafka, MongoDB and a stand-in for EventStoreDB${why}`, () => {
  const base = temporaryFolder();
  const database: TestDatabase | undefined = missing.length === 0 ? testDatabase(MONGODB_URL ?? '') : undefined;
  const started: SuretyProcess[] = [];
  let log: StandInProcess;
  beforeAll(async () => {
    log = await StandInProcess.start(join(base, 'log'));
    expect(await run(['setup'], 'first')).toMatchObject({ code: 0, stderr: '' });
    // One start that appends the first event and generates the secret.
    const { process } = await startService(options('first', { SURETY_SAMPLE: 'on' }));
    started.push(process);
    await process.stop();
  });
  afterAll(async () => {
    await Promise.allSettled([cleanUp(base, started)]);
    await Promise.allSettled([log?.kill(), database?.drop()]);
  });

  const options = (folder: string, additional: Readonly<Record<string, string>>) => ({
    folder: join(base, folder),
    settings: { EVENTSTORE_URL: log.url, MONGODB_URL: database?.url ?? '', KAFKA_BROKERS: broker, ...additional },
  });
  const run = async (words: readonly string[], folder: string, additional: Readonly<Record<string, string>> = {}) =>
    await runSurety(words, options(folder, additional));
  const leases = async (): Promise<unknown[]> =>
    (await database?.client.db().collection('leases').find().toArray()) ?? [];

  /** Runs a command on a missing folder and expects a refusal without a change of the folder or the servers. */
  const expectRefused = async (
    words: readonly string[],
    additional: Readonly<Record<string, string>>,
    sentence: RegExp,
  ) => {
    const before = await leases();
    expect(await run(words, 'new', additional)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
    expect(existsSync(join(base, 'new'))).toBe(false);
    expect(await leases()).toEqual(before);
  };

  const NO_LOG = /^EVENTSTORE_URL is not set, but .* in MongoDB was set up with its event log in EventStoreDB: set /;
  test.each([[['serve']], [['setup']], [['setup', '--from', 'start']], [['command', 'RegisterMerchant', '-']]])(
    'without EVENTSTORE_URL, %j creates no embedded log and takes no lease',
    async (words) => {
      const input = words[0] === 'command' ? { input: '{"name":"Line","business_email":"line@bank.example"}' } : {};
      const before = await leases();
      const end = await runSurety(words, { ...options('new', { EVENTSTORE_URL: '' }), ...input });
      expect(end).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(NO_LOG) });
      expect(end.stderr).toContain('surety setup --change-stores');
      expect(existsSync(join(base, 'new'))).toBe(false);
      expect(await leases()).toEqual(before);
    },
  );

  const NO_JOBS = /^KAFKA_BROKERS is not set, but .* in MongoDB was set up with Kafka: set KAFKA_BROKERS; /;
  test.each([[['serve']], [['setup']]])(
    'without KAFKA_BROKERS, %j creates no embedded queue and takes no lease',
    async (words) => {
      await expectRefused(words, { KAFKA_BROKERS: '' }, NO_JOBS);
    },
  );

  test('verify does not need KAFKA_BROKERS', async () => {
    expect(await run(['verify'], 'new', { KAFKA_BROKERS: '' })).toMatchObject({ code: 0 });
    expect(existsSync(join(base, 'new'))).toBe(false);
  });

  test.each([[['serve']], [['setup']]])(
    'without MONGODB_URL, %j asks for it before --from and writes nothing',
    async (words) => {
      await expectRefused(words, { MONGODB_URL: '' }, /^[^\n]*MONGODB_URL is not, .*set MONGODB_URL.*--from start/);
    },
  );

  test('refuses to start without SURETY_SECRET in a folder without a secret, and writes no file', async () => {
    await expectRefused(['serve'], {}, /^The secret of this process is not the one /);
  });

  test('refuses records of another format', async () => {
    const values = database?.client.db().collection<{ _id: string; value: string }>('named_values');
    const { value = '{}' } = (await values?.findOne({ _id: 'installation' })) ?? {};
    const { format, ...withoutFormat } = JSON.parse(value) as { readonly format: number };
    expect(format).toBe(1);
    for (const other of [withoutFormat, { ...withoutFormat, format: 2 }]) {
      await values?.updateOne({ _id: 'installation' }, { $set: { value: JSON.stringify(other) } });
      await expectRefused(['serve'], {}, /^These stores hold data in another format than this version/);
    }
    await values?.updateOne({ _id: 'installation' }, { $set: { value } });
  });

  test('after surety setup --change-stores processes need the new stores', async () => {
    const SURETY_SECRET = 'secret-of-the-tests-of-stores-0123456789';
    const without = { KAFKA_BROKERS: '', SURETY_SECRET: '' };
    expect(await run(['setup', '--change-stores'], 'first', without)).toMatchObject({ code: 0 });
    expect(await run(['setup'], 'first', without)).toMatchObject({ code: 0 });
    expect(await run(['setup'], 'first', { SURETY_SECRET })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^KAFKA_BROKERS is set, but .* was set up with no Kafka: unset KAFKA_BROKERS; /),
    });
    expect(await run(['setup', '--change-stores'], 'first')).toMatchObject({ code: 0 });
    expect(await run(['setup'], 'first')).toMatchObject({ code: 0 });
  });
});
