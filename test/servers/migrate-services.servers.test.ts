import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  cleanUp,
  freePort,
  readyService,
  runSurety,
  type Service,
  SuretyProcess,
  temporaryFolder,
} from '../support/service-process.ts';
import { startStandIn } from './eventstoredb/stand-in.ts';
import { Broker } from './support/broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { describeOwnBroker, titleOwnBroker } from './support/own-broker.ts';

const COMMON = {
  SURETY_SECRET: 'secret-of-the-tests-on-servers-0123456789',
  SURETY_ADMIN_KEY: 'admin-key-of-the-tests-on-servers-0123456789',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

describeOnMongodb('surety migrate, where services run', (server) => {
  describeOwnBroker(titleOwnBroker('on servers'), () => {
    const base = temporaryFolder();
    const [folder, elsewhere, log] = ['folder', 'elsewhere', 'log'].map((name) => join(base, name)) as [
      string,
      string,
      string,
    ];
    let database: TestDatabase;
    let broker: Broker;
    let eventStore: Awaited<ReturnType<typeof startStandIn>>;
    let onServers: Readonly<Record<string, string>>;
    const started: SuretyProcess[] = [];

    const serve = async (data: string, settings: Readonly<Record<string, string>>): Promise<Service> => {
      const options = { folder: data, settings: { ...COMMON, ...settings } };
      const process = new SuretyProcess(['serve'], options);
      started.push(process);
      return await readyService(process, options);
    };
    const events = (): string => {
      try {
        return readFileSync(join(log, 'log.ndjson'), 'utf8');
      } catch {
        return '';
      }
    };

    beforeAll(async () => {
      database = testDatabase(server);
      [broker, eventStore] = await Promise.all([Broker.start(), startStandIn(log)]);
      onServers = {
        ...COMMON,
        EVENTSTORE_URL: eventStore.url,
        MONGODB_URL: database.url,
        KAFKA_BROKERS: broker.options.brokers.join(','),
      };
      const sample = await serve(folder, {});
      await sample.command('RegisterMerchant', { name: 'Acme', business_email: 'a@b.example' });
      await sample.process.stop();
      expect(await runSurety(['setup'], { folder: elsewhere, settings: onServers })).toMatchObject({ code: 0 });
    });
    afterAll(async () => {
      await cleanUp(base, started);
      await Promise.all([broker.dispose(), eventStore.stop(), database.drop()]);
    });

    const migrate = async () => await runSurety(['migrate'], { folder, settings: onServers });
    const apart = async (roles: string): Promise<Service> => {
      const port = String(await freePort());
      const PUBLIC_URL = `http://127.0.0.1:${port}`;
      return await serve(elsewhere, { ...onServers, PORT: port, PUBLIC_URL, SURETY_ROLES: roles });
    };

    test('given a relay that leads there, then nothing is moved, and it goes on', async () => {
      const before = events();
      const relay = await apart('relay');
      const { code, stderr } = await migrate();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^Services run on the servers .*relay.*: stop all of them/),
      ]);
      expect(events()).toBe(before);
      expect(relay.process.isRunning).toBe(true);
      expect(await relay.process.stop()).toMatchObject({ code: 0 });
    });

    test('given an api and a mailer, which lead nothing, then they end, and the folder is moved', async () => {
      const services = [await apart('api'), await apart('mailer')];
      const moving = migrate();
      for (const { process } of services) {
        const { code, stderr } = await process.ended;
        expect([code, stderr]).toEqual([1, expect.stringContaining('A migration to these servers was begun')]);
      }
      expect(await moving).toMatchObject({ code: 0, stderr: '' });
    });
  });
});
