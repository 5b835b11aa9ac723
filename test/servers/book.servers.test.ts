import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { collectionsOf } from '../../src/projector/start-projector.ts';
import { readPublishedPosition } from '../../src/projector/published-progress.ts';
import { verifyDocuments } from '../../src/composition/verify.ts';
import { openMongoReadModels } from '../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { realBook, SMALL_BOOK } from '../book/books.ts';
import {
  createEnvironment,
  type ImportReport,
  importBook,
  importWords,
  type ImportTarget,
} from '../book/import-process.ts';
import { computeTotals, readTotals } from '../book/stores.ts';
import { cleanUp, runSurety, SuretyProcess, temporaryFolder } from '../support/service-process.ts';
import { firstPolicies } from './support/book-part.ts';
import { describeOnMongodb, type TestDatabase, testDatabase } from './support/mongodb.ts';
import { StandInProcess } from './eventstoredb/support/stand-in-process.ts';

const POLICIES = 1_000;
const MINUTE = 60_000;
const whole = realBook();

describeOnMongodb(
  `Import of the first ${POLICIES} policies of the ${whole === undefined ? 'small book (the real one is missing)' : 'real book'} on MongoDB and a stand-in for EventStoreDB`,
  (mongodb) => {
    const base = temporaryFolder();
    const book = firstPolicies(whole ?? SMALL_BOOK, POLICIES, base);
    const onFolder = foldersOf(join(base, 'embedded'));
    let database: TestDatabase;
    let log: StandInProcess;
    let eventStore: EventStore;
    let readModels: ReadModels;
    let settings: Readonly<Record<string, string>>;
    let onServers: ImportTarget;
    const killed: SuretyProcess[] = [];

    beforeAll(async () => {
      database = testDatabase(mongodb);
      log = await StandInProcess.start(join(base, 'eventstoredb'));
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
      'a repeated import after a kill halfway gives the same totals as the embedded stores',
      async () => {
        const embedded = await withEnvironment(onFolder, {});
        const expected = await importBook(book, embedded);
        const place = foldersOf(join(base, 'on-servers'));
        expect(await runSurety(['setup'], { folder: place.folder, settings })).toMatchObject({ code: 0 });
        onServers = await withEnvironment(place, settings);
        const half = expected.files.reduce((sum, { taken }) => sum + taken, 0) * 1.25;
        await killImportAt(half);
        const rest = await importBook(book, onServers);
        expect(rest.files.map(outcome)).toEqual(expected.files.map(outcome));
        expect(rest.files[0]?.already).toBeGreaterThan(100);
        await readModels.open(collectionsOf(PROJECTIONS));
        expect(await computeTotals(readModels, eventStore)).toEqual(await readTotals(embedded.folder));
        const rows = rest.files.reduce((sum, { taken }) => sum + taken, 0);
        process.stdout.write(
          `Import on servers: ${Math.round(rows / rest.seconds)} rows a second accepted after the kill\n`,
        );
      },
      10 * MINUTE,
    );

    test('its read models equal those of a fresh fold, byte for byte', async () => {
      const publishedPosition = await readPublishedPosition(readModels);
      expect(publishedPosition).toBe(await eventStore.lastPosition());
      const found = await verifyDocuments({ eventStore, readModels, projections: PROJECTIONS, publishedPosition });
      expect(found).toMatchObject({ differences: [], moved_on: 0 });
      expect(found.compared).toBeGreaterThan(POLICIES / 4);
    });

    test(
      'importing the same files again writes nothing',
      async () => {
        const before = await eventStore.lastPosition();
        const again = await importBook(book, onServers);
        expect(again.files.map(({ taken }) => taken)).toEqual([0, 0]);
        expect(await eventStore.lastPosition()).toBe(before);
      },
      5 * MINUTE,
    );

    /** Starts the import and kills it when the log has about the given number of events. */
    async function killImportAt(events: number): Promise<void> {
      const started = new SuretyProcess(importWords(book, onServers), { folder: onServers.folder, settings });
      killed.push(started);
      let after: bigint | undefined;
      for (let seen = 0; started.isRunning && seen < events; await pause(20)) {
        const page = await eventStore.readAll({ after, limit: 1_000 });
        seen += page.length;
        after = page.at(-1)?.position ?? after;
      }
      const { signal, stderr } = await started.kill();
      if (signal !== 'SIGKILL') throw new Error(`the import finished before it was killed:\n${stderr}`);
    }
  },
);

function foldersOf(folder: string): Omit<ImportTarget, 'environmentId'> {
  return { folder, refusedFolder: `${folder}-refused` };
}

async function withEnvironment(
  folders: Omit<ImportTarget, 'environmentId'>,
  settings: ImportTarget['settings'],
): Promise<ImportTarget> {
  return { ...folders, settings, environmentId: await createEnvironment(folders.folder, settings) };
}

/** Returns the counts of rows, whether they were accepted now or before. */
function outcome({ read, taken, already, refused }: ImportReport['files'][number]): object {
  return { read, there: taken + already, refused };
}
