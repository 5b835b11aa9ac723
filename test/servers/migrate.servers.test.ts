import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { startStandIn } from './eventstoredb/stand-in.ts';
import { Broker } from './support/broker.ts';
import { describeOwnBroker, titleOwnBroker } from './support/own-broker.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';

interface Migrated {
  readonly events: number;
  readonly copied: number;
  readonly read_models: { readonly compared: number; readonly differences: readonly unknown[] };
}

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

describeOnMongodb('surety migrate', (server) => {
  describeOwnBroker(titleOwnBroker('to servers'), () => {
    const [folder, elsewhere, log] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    let database: TestDatabase;
    let broker: Broker;
    let eventStore: Awaited<ReturnType<typeof startStandIn>>;
    let onServers: Readonly<Record<string, string>>;

    beforeAll(async () => {
      database = testDatabase(server);
      [broker, eventStore] = await Promise.all([Broker.start(), startStandIn(log)]);
      onServers = {
        EVENTSTORE_URL: eventStore.url,
        MONGODB_URL: database.url,
        KAFKA_BROKERS: broker.options.brokers.join(','),
      };
    });
    const started: SuretyProcess[] = [];
    afterAll(async () => {
      await Promise.all(started.filter(({ isRunning }) => isRunning).map(async (one) => await one.kill()));
      await Promise.all([broker.dispose(), eventStore.stop(), database.drop()]);
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
    const served = async (service: SuretyProcess): Promise<string> => {
      for (;;) {
        const url = /Surety serves (\S+)/.exec(service.stdout)?.[1];
        if (url !== undefined) return url;
        if (!service.isRunning) throw new Error(service.stderr);
        await pause(20);
      }
    };
    const get = async (url: string, key: string): Promise<Answer> => {
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() };
    };
    /** Appends of the migration, as the stand-in has written them. */
    const appended = (): number => {
      try {
        return readFileSync(join(log, 'log.ndjson'), 'utf8').split('\n').length;
      } catch {
        return 0;
      }
    };

    test('given a folder, when its migration is killed and run again, then the servers serve what the folder did', async () => {
      const sample = run(['serve', '--sample'], {});
      const before = await served(sample);
      const [, key = '', policy = ''] = /X-API-Key: (\S+)" \S+?(\/api\S+)/.exec(sample.stdout) ?? [];
      const paths = [policy, `${policy}history/`, '/api/v1/products', '/api/v1/insurers'];
      const wanted = [];
      for (const path of paths) wanted.push(await get(before + path, key));
      expect(wanted.map(({ status }) => status)).toEqual(paths.map(() => 200));
      await sample.stop();

      expect(await run(['migrate'], onServers).ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('run surety setup first'),
      });
      expect(await run(['setup'], onServers, elsewhere).ended).toMatchObject({ code: 0 });

      const killed = run(['migrate'], onServers);
      while (appended() < 50 && killed.isRunning) await pause(5);
      await killed.kill();
      expect(await run(['serve'], onServers, elsewhere).ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('run surety migrate again'),
      });

      const { code, stdout, stderr } = await run(['migrate', '--json'], onServers).ended;
      expect([code, stderr]).toEqual([0, '']);
      const migrated = JSON.parse(stdout) as Migrated;
      expect(migrated.read_models.differences).toEqual([]);
      expect(migrated.read_models.compared).toBeGreaterThan(50);
      expect(migrated.copied).toBeLessThan(migrated.events);
      expect(await run(['migrate'], onServers).ended).toMatchObject({ code: 1 });

      const secrets = {
        SURETY_ADMIN_KEY: readFileSync(join(folder, 'admin.key'), 'utf8').trim(),
        SURETY_SECRET: readFileSync(join(folder, 'secret'), 'utf8').trim(),
      };
      const moved = run(['serve'], { ...onServers, ...secrets }, elsewhere);
      const after = await served(moved);
      const found = [];
      for (const path of paths) found.push(await get(after + path, key));
      const said = (url: string) => (answer: Answer) =>
        answer.text.replaceAll(url, '').replaceAll(/"position":"\d+"/g, '"position":"…"');
      expect(found.map(said(after))).toEqual(wanted.map(said(before)));
      expect(found[0]?.etag).toBe(wanted[0]?.etag);
      await moved.stop();
    });
  });
});
