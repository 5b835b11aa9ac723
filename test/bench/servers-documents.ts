import { MongoClient } from 'mongodb';
import { PROJECTIONS } from '#projections/registry.ts';
import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { type DocumentToWrite, type Generation, readerOf } from '#stores/read-models/read-models.ts';
import { testDatabase } from '../servers/support/test-database.ts';
import { appendSamples, policyActivated, policyImported } from '../support/sample-events.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { waitForPosition, startTestProjector } from '../support/test-projector.ts';
import { compareRates, type Row } from './table.ts';

/** The stand-in for MongoDB scans whole collections, so they are small. */
const POLICIES = 400;
const ROUNDS = 7;

/** Measures a rebuild from a log in memory against bulk writes of as many documents of the same size, by `_id`. */
export async function benchDocuments(server: string): Promise<Row> {
  const eventStore = new MemoryEventStore();
  for (let policy = 1; policy <= POLICIES; policy += 1)
    await appendSamples(eventStore, policyImported(policy, policy), policyActivated(policy, policy));
  const what = 'documents of the projector into the server that stands in for MongoDB, against bare bulk writes';
  return await compareRates(what, 'documents/s', { rounds: ROUNDS }, async () => {
    const { batches, seconds } = await projected(eventStore, server);
    const count = batches.reduce((sum, { documents }) => sum + documents.length, 0);
    return { surety: count / seconds, bare: count / (await writtenBare(batches, server)) };
  });
}

interface Batch {
  readonly collection: string;
  readonly documents: readonly DocumentToWrite[];
}

async function projected(eventStore: MemoryEventStore, server: string) {
  const { url, drop } = testDatabase(server);
  const readModels = openMongoReadModels({ url, definitions: definitionsOf(PROJECTIONS) });
  const batches: Batch[] = [];
  // Taken over here, so that the creation of collections and indexes is not measured.
  const generation = await readModels.takeOver(0);
  const write: Generation['write'] = async (steps, checkpoint) => {
    batches.push(...steps.flat());
    await generation.write(steps, checkpoint);
  };
  const opened = {
    ...readModels,
    takeOver: async () => await Promise.resolve({ ...readerOf(async () => await Promise.resolve(generation)), write }),
  };
  const start = performance.now();
  const projector = await startTestProjector({ eventStore, readModels: opened, batchSize: 1_000 });
  await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n);
  const seconds = (performance.now() - start) / 1_000;
  await projector.stop();
  await readModels.close();
  await drop();
  return { batches, seconds };
}

/** Returns the seconds that the work took. */
async function writtenBare(batches: readonly Batch[], server: string): Promise<number> {
  const { url, drop } = testDatabase(server);
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  await client.connect();
  const ready = batches.map(({ collection, documents }) => ({
    collection: client.db().collection<{ _id: string }>(collection),
    operations: documents.map((document) => ({
      insertOne: {
        document: { _id: document.key, ...document, position: String(document.position), replaces: null },
      },
    })),
  }));
  const start = performance.now();
  for (const { collection, operations } of ready) await collection.bulkWrite(operations, { ordered: false });
  const seconds = (performance.now() - start) / 1_000;
  await client.close();
  await drop();
  return seconds;
}
