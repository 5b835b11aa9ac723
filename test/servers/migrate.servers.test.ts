import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { cleanUp, readyService, type Service, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { Broker } from './support/broker.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The test starts the program twelve times in a row. */
const LIMIT_MS = 5 * 60_000;

interface Migrated {
  readonly events: number;
  readonly sha256: string;
  readonly is_moved: boolean;
  readonly verification: { readonly read_models: { readonly compared: number } };
}

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

describeOnMongodb(`surety migrate to MongoDB, Kafka and a stand-in for EventStoreDB`, (server) => {
  describeOwnServers(['KAFKA_BROKERS'], 'with a separate broker', () => {
    const [folder, elsewhere, logFolder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    let database: TestDatabase;
    let broker: Broker;
    let log: StandInProcess;
    let eventStore: EventStore;
    let onServers: Readonly<Record<string, string>>;

    beforeAll(async () => {
      database = testDatabase(server);
      // One after the other, so that all started servers are known when the next start fails.
      broker = await Broker.start();
      log = await StandInProcess.start(logFolder);
      eventStore = log.openStore();
      onServers = {
        EVENTSTORE_URL: log.url,
        MONGODB_URL: database.url,
        KAFKA_BROKERS: broker.options.brokers.join(','),
      };
    });
    const started: SuretyProcess[] = [];
    afterAll(async () => {
      await Promise.allSettled([eventStore?.close()]);
      await Promise.allSettled([folder, elsewhere].map(async (place) => await cleanUp(place, started)));
      await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop()]);
      await cleanUp(logFolder, []);
    });

    const run = (
      words: readonly string[],
      settings: Readonly<Record<string, string>>,
      data = folder,
    ): SuretyProcess => {
      const process = new SuretyProcess(words, { folder: data, settings });
      started.push(process);
      return process;
    };
    const serve = async (
      settings: Readonly<Record<string, string>>,
      data = folder,
      words: readonly string[] = [],
    ): Promise<Service> => await readyService(run(['serve', ...words], settings, data), { folder: data, settings });
    const get = async (url: string, key: string): Promise<Answer> => {
      const response = await fetch(url, { headers: { 'x-api-key': key } });
      return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
    };
    /** Returns whether the migration has written the given number of events. */
    const hasWritten = async (events: number): Promise<boolean> =>
      (await eventStore.readAll({ after: undefined, limit: events })).length === events;

    test(
      'after a killed and repeated migration, the servers serve what the folder served',
      async () => {
        const sample = await serve({}, folder, ['--sample']);
        const [, key = '', policy = ''] = /X-API-Key: (\S+)" \S+?(\/api\S+)/.exec(sample.process.stdout) ?? [];
        const paths = [policy, `${policy}history/`, '/api/v1/products', '/api/v1/insurers'];
        const wanted = [];
        for (const path of paths) wanted.push(await get(sample.url + path, key));
        expect(wanted.map(({ status }) => status)).toEqual(paths.map(() => 200));
        await sample.process.stop();

        expect(await run(['migrate'], onServers).exited).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('run surety setup first'),
        });
        expect(await run(['setup'], onServers, elsewhere).exited).toMatchObject({ code: 0 });
        const otherSecret = { ...onServers, SURETY_SECRET: 'another-secret-than-that-of-the-folder' };
        expect(await run(['migrate'], otherSecret).exited).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^SURETY_SECRET differs from the secret of the data folder/),
        });

        const secrets = {
          SURETY_ADMIN_KEY: readFileSync(join(folder, 'admin.key'), 'utf8').trim(),
          SURETY_SECRET: readFileSync(join(folder, 'secret'), 'utf8').trim(),
        };
        const startRole = async (SURETY_ROLES: string): Promise<Service> =>
          await serve({ ...onServers, ...secrets, SURETY_ROLES, PUBLIC_URL: 'https://surety.example' }, elsewhere);
        const relay = await startRole('relay');
        expect(await run(['migrate'], onServers).exited).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^Services run on the servers .*relay.*: stop all of them first/),
        });
        expect(await hasWritten(1)).toBe(false);
        expect(await relay.process.stop()).toMatchObject({ code: 0 });

        const killed = run(['migrate'], onServers);
        await waitUntil(async () => !killed.isRunning || (await hasWritten(50)));
        await killed.kill();
        expect(existsSync(join(folder, 'MIGRATED'))).toBe(false);
        expect(await run(['serve'], { ...onServers, ...secrets }, elsewhere).exited).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('run surety migrate again'),
        });

        const { code, stdout, stderr } = await run(['migrate', '--json'], onServers).exited;
        expect([code, stderr]).toEqual([0, '']);
        const migrated = JSON.parse(stdout) as Migrated;
        expect(migrated).toMatchObject({ is_moved: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
        expect(migrated.events).toBeGreaterThan(50);
        expect(migrated.verification.read_models.compared).toBeGreaterThan(50);
        const again = { code: 1, stderr: expect.stringContaining('surety migrate needs empty ones') };
        expect(await run(['migrate'], onServers).exited).toMatchObject(again);

        const mark = readFileSync(join(folder, 'MIGRATED'), 'utf8');
        for (const address of [database.url, onServers['KAFKA_BROKERS'] ?? ''])
          expect(mark).toContain(address.replace(/\?.*$/, '').replace(/^(.*:\/\/).*@/, '$1'));
        const refused = { code: 1, stdout: '', stderr: expect.stringContaining(join(folder, 'MIGRATED')) };
        expect(await run(['serve'], {}).exited).toMatchObject(refused);
        expect(await run(['verify'], {}).exited).toMatchObject({ code: 0, stderr: '' });

        const moved = await serve({ ...onServers, ...secrets }, elsewhere);
        const found = [];
        for (const path of paths) found.push(await get(moved.url + path, key));
        const normalised = (url: string) => (response: Answer) =>
          response.text.replaceAll(url, '').replaceAll(/"position":"\d+"/g, '"position":"…"');
        expect(found.map(normalised(moved.url))).toEqual(wanted.map(normalised(sample.url)));
        expect(found[0]?.etag).toBe(wanted[0]?.etag);
        await moved.process.stop();
      },
      LIMIT_MS,
    );
  });
});
