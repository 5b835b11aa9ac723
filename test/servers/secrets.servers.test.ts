import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUp, runSurety, startService, type SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';

const [ONE, TWO] = ['one', 'two'].map((word) => `secret-${word}-of-the-tests-on-servers-0123456789`) as [
  string,
  string,
];
const SURETY_ADMIN_KEY = 'admin-key-of-the-tests-on-servers-0123456789';
const OTHER = /^The secret of this process is not the one .*: set SURETY_SECRET to .* surety setup --change-secret /;

describeOnMongodb(`Several processes with all roles on MongoDB and a stand-in for EventStoreDB`, (server) => {
  const base = temporaryFolder();
  const started: SuretyProcess[] = [];
  let database: TestDatabase;
  let log: StandInProcess;
  beforeAll(async () => {
    database = testDatabase(server);
    log = await StandInProcess.start(join(base, 'log'));
  });
  afterAll(async () => {
    await cleanUp(base, started);
    await Promise.all([log.kill(), database.drop()]);
  });

  const options = (folder: string, settings: Readonly<Record<string, string>>) => ({
    folder: join(base, folder),
    settings: { EVENTSTORE_URL: log.url, MONGODB_URL: database.url, ...settings },
  });
  const run = async (words: readonly string[], folder: string, settings: Readonly<Record<string, string>> = {}) =>
    await runSurety(words, options(folder, settings));

  test('without SURETY_SECRET the first process generates a secret, and a second one with another secret does not start', async () => {
    const first = await startService(options('first', {}));
    started.push(first.process);
    expect(await run(['serve'], 'second')).toMatchObject({ code: 1, stderr: expect.stringMatching(OTHER) });
    expect(existsSync(join(base, 'second'))).toBe(false);
    await first.process.stop();
    const again = await startService(options('first', {}));
    started.push(again.process);
    await again.process.stop();
  });

  test('after surety setup --change-secret processes need the new secret', async () => {
    expect(await run(['setup'], 'third', { SURETY_SECRET: ONE })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(OTHER),
    });
    expect(await run(['setup', '--change-secret'], 'third')).toMatchObject({ code: 1 });
    expect(await run(['setup', '--change-secret'], 'third', { SURETY_SECRET: ONE })).toMatchObject({ code: 0 });
    expect(await run(['setup'], 'third', { SURETY_SECRET: ONE })).toMatchObject({ code: 0 });
    expect(await run(['serve'], 'first')).toMatchObject({ code: 1 });
    expect(await run(['serve'], 'third', { SURETY_SECRET: TWO, SURETY_ADMIN_KEY })).toMatchObject({ code: 1 });
    const third = await startService(options('third', { SURETY_SECRET: ONE, SURETY_ADMIN_KEY }));
    started.push(third.process);
    await third.process.stop();
  });

  test('requires SURETY_ADMIN_KEY when SURETY_SECRET is set', async () => {
    expect(await run(['serve'], 'fourth', { SURETY_SECRET: ONE })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SURETY_SECRET is set, so SURETY_ADMIN_KEY must be set too/),
    });
  });
});
