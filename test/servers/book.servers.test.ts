import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { collectionsOf } from '../../src/projector/start-projector.ts';
import { readPublishedPosition } from '../../src/projector/published-position.ts';
import { verifyReadModels } from '../../src/projector/verify.ts';
import { openMongoReadModels } from '../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { realBook, SMALL_BOOK } from '../book/books.ts';
import { type ImportAnswer, importBook, importWords, makeEnvironment, type Place } from '../book/import-process.ts';
import { figuresIn, figuresOf } from '../book/stores.ts';
import { cleanUp, runSurety, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { firstPolicies } from './support/book-part.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { ServerProcess } from './eventstoredb/support/server-process.ts';

const POLICIES = 2_000;
const MINUTE = 60_000;
const whole = realBook();

describeOnMongodb(
  `the first ${POLICIES} policies of ${whole === undefined ? 'the small book, for want of the real one,' : 'the real book'} on MongoDB and a stand-in for EventStoreDB`,
  (mongodb) => {
    const base = temporaryFolder();
    const book = firstPolicies(whole ?? SMALL_BOOK, POLICIES, base);
    const onFolder = placeIn(join(base, 'embedded'));
    let database: TestDatabase;
    let log: ServerProcess;
    let eventStore: EventStore;
    let readModels: ReadModels;
    let settings: Readonly<Record<string, string>>;
    let onServers: Place;
    const killed: SuretyProcess[] = [];

    beforeAll(async () => {
      database = testDatabase(mongodb);
      log = await ServerProcess.start(join(base, 'eventstoredb'));
      settings = { EVENTSTORE_URL: log.url, MONGODB_URL: database.url };
      eventStore = log.openStore();
      readModels = openMongoReadModels({ url: database.url });
    });
    afterAll(async () => {
      await Promise.allSettled([readModels?.close(), eventStore?.close()]);
      await Promise.allSettled([log?.kill(), database?.drop()]);
      await cleanUp(base, killed);
    });

    test(
      'given a kill half-way, when it is imported again, then it comes to the figures of the embedded stores',
      async () => {
        const embedded = await placed(onFolder, {});
        const expected = await importBook(book, embedded);
        const place = placeIn(join(base, 'on-servers'));
        expect(await runSurety(['setup'], { folder: place.folder, settings })).toMatchObject({ code: 0 });
        onServers = await placed(place, settings);
        const half = expected.files.reduce((sum, { taken }) => sum + taken, 0) * 1.25;
        await killedAt(half);
        const rest = await importBook(book, onServers);
        expect(rest.files.map(outcome)).toEqual(expected.files.map(outcome));
        expect(rest.files[0]?.already).toBeGreaterThan(100);
        await readModels.open(collectionsOf(PROJECTIONS));
        expect(await figuresIn(readModels, eventStore)).toEqual(await figuresOf(embedded.folder));
        const rows = rest.files.reduce((sum, { taken }) => sum + taken, 0);
        process.stdout.write(
          `Import on servers: ${Math.round(rows / rest.seconds)} rows a second taken after the kill\n`,
        );
      },
      10 * MINUTE,
    );

    test('then its read models are those of a fresh fold, byte for byte', async () => {
      const publishedPosition = await readPublishedPosition(readModels);
      expect(publishedPosition).toBe(await eventStore.lastPosition());
      const found = await verifyReadModels({ eventStore, readModels, projections: PROJECTIONS, publishedPosition });
      expect(found).toMatchObject({ differences: [], advancedCount: 0 });
      expect(found.compared).toBeGreaterThan(POLICIES / 4);
    });

    test(
      'given the same files once more, then nothing is written',
      async () => {
        const before = await eventStore.lastPosition();
        const again = await importBook(book, onServers);
        expect(again.files.map(({ taken }) => taken)).toEqual([0, 0]);
        expect(await eventStore.lastPosition()).toBe(before);
      },
      5 * MINUTE,
    );

    /** Begins the import and kills it when the log has about so many events. */
    async function killedAt(events: number): Promise<void> {
      const started = new SuretyProcess(importWords(book, onServers), { folder: onServers.folder, settings });
      killed.push(started);
      let after: bigint | undefined;
      for (let seen = 0; started.isRunning && seen < events; await pause(20)) {
        const page = await eventStore.readAll({ after, limit: 1_000 });
        seen += page.length;
        after = page.at(-1)?.position ?? after;
      }
      const { signal, stderr } = await started.kill();
      if (signal !== 'SIGKILL') throw new Error(`the import was over before it was killed:\n${stderr}`);
    }
  },
);

function placeIn(folder: string): Omit<Place, 'environmentId'> {
  return { folder, refusedFolder: `${folder}-refused` };
}

async function placed(where: Omit<Place, 'environmentId'>, settings: Place['settings']): Promise<Place> {
  return { ...where, settings, environmentId: await makeEnvironment(where.folder, settings) };
}

/** What became of the rows, whether taken now or before. */
function outcome({ read, taken, already, refused }: ImportAnswer['files'][number]): object {
  return { read, there: taken + already, refused };
}
