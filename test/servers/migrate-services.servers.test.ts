import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventStore, StoredEvent } from '../../src/event-store/event-store.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  cleanUp,
  readyService,
  runSurety,
  type Service,
  SuretyProcess,
  temporaryFolder,
} from '../support/service-process.ts';
import { Broker } from './support/broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';
import { freePort } from '../support/free-port.ts';

const COMMON = {
  SURETY_SECRET: 'secret-of-the-tests-on-servers-0123456789',
  SURETY_ADMIN_KEY: 'admin-key-of-the-tests-on-servers-0123456789',
};

describeOnMongodb(
  `surety migrate to MongoDB, Kafka and a stand-in for EventStoreDB while services run there`,
  (server) => {
    describeOwnServers(['KAFKA_BROKERS'], 'with a separate broker', () => {
      const base = temporaryFolder();
      const [folder, elsewhere] = [join(base, 'folder'), join(base, 'elsewhere')];
      let database: TestDatabase;
      let broker: Broker;
      let log: StandInProcess;
      let eventStore: EventStore;
      let mailServer: MailServer;
      let onServers: Readonly<Record<string, string>>;
      const started: SuretyProcess[] = [];

      const serve = async (data: string, settings: Readonly<Record<string, string>>): Promise<Service> => {
        const options = { folder: data, settings: { ...COMMON, ...settings } };
        const process = new SuretyProcess(['serve'], options);
        started.push(process);
        return await readyService(process, options);
      };
      const events = async (): Promise<readonly StoredEvent[]> =>
        await eventStore.readAll({ after: undefined, limit: 10_000 });

      beforeAll(async () => {
        database = testDatabase(server);
        // One after the other, so that all started servers are known when the next start fails.
        broker = await Broker.start();
        log = await StandInProcess.start(join(base, 'log'));
        mailServer = await startMailServer();
        eventStore = log.openStore();
        onServers = {
          ...COMMON,
          EVENTSTORE_URL: log.url,
          MONGODB_URL: database.url,
          KAFKA_BROKERS: broker.options.brokers.join(','),
          SMTP_URL: mailServer.url,
        };
        const sample = await serve(folder, {});
        await sample.command('RegisterMerchant', { name: 'Acme', business_email: 'a@b.example' });
        await sample.process.stop();
        expect(await runSurety(['setup'], { folder: elsewhere, settings: onServers })).toMatchObject({ code: 0 });
      });
      afterAll(async () => {
        await Promise.allSettled([eventStore?.close()]);
        await Promise.allSettled([cleanUp(base, started)]);
        await Promise.allSettled([broker?.dispose(), log?.kill(), database?.drop(), mailServer?.close()]);
      });

      const migrate = async (settings: Readonly<Record<string, string>> = {}) =>
        await runSurety(['migrate'], { folder, settings: { ...onServers, ...settings } });
      const startOnServers = async (roles: string): Promise<Service> => {
        const port = String(await freePort());
        const PUBLIC_URL = `http://127.0.0.1:${port}`;
        return await serve(elsewhere, { ...onServers, PORT: port, PUBLIC_URL, SURETY_ROLES: roles });
      };

      test('moves nothing while a relay leads there, and the relay continues', async () => {
        const before = await events();
        const relay = await startOnServers('relay');
        const { code, stderr } = await migrate();
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/^Services run on the servers .*relay.*: stop all of them/),
        ]);
        expect(await events()).toEqual(before);
        expect(relay.process.isRunning).toBe(true);
        expect(await relay.process.stop()).toMatchObject({ code: 0 });
      });

      test('moves nothing when the secret differs from that of the folder', async () => {
        const before = await events();
        const { code, stderr } = await migrate({ SURETY_SECRET: 'another-secret-than-that-of-the-folder' });
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/^SURETY_SECRET differs from the secret of the data folder/),
        ]);
        expect(await events()).toEqual(before);
      });

      test('stops an api and a mailer, which lead nothing, and moves the folder', async () => {
        const services = [await startOnServers('api'), await startOnServers('mailer')];
        const moved = migrate().then((end) => expect(end).toMatchObject({ code: 0, stderr: '' }));
        const ended = Promise.all(services.map(async ({ process }) => await process.exited));
        // The services stop only if the migration starts; a refused migration fails here.
        await Promise.race([ended, moved]);
        for (const { code, stderr } of await ended)
          expect([code, stderr]).toEqual([1, expect.stringContaining('A migration to these servers has started')]);
        await moved;
      });
    });
  },
);
