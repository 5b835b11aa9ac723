import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStoreDB } from '../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';
import { openMongoReadModels } from '../../src/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { openSqliteReadModels } from '../../src/read-models/sqlite/sqlite-read-models.ts';
import { openMongoRecords } from '../../src/records/mongodb/mongo-records.ts';
import type { Records } from '../../src/records/records.ts';
import { openSqliteRecords } from '../../src/records/sqlite/sqlite-records.ts';

/** The stores that a service of a suite works on: nobody else writes there, and `remove` leaves nothing behind. */
export interface StoresUnderTest {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly records: Records;
  /** Closes them and takes away what they keep. */
  remove(): Promise<void>;
}

/**
 * Empty stores of the test's own: files in a temporary folder, or in the jest project `servers` a stand-in for EventStoreDB
 * and a database on the server that MONGODB_URL names (`tools/jest-servers-environment.mjs` tells which, and skips what cannot run).
 */
export async function openStoresUnderTest(): Promise<StoresUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
  return isOnServers() ? await onServers(folder, process.env['MONGODB_URL'] ?? '') : embedded(folder);
}

/** Whether the suites run on servers: so it is in the jest project `servers` alone. */
export function isOnServers(): boolean {
  return (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';
}

function embedded(folder: string): StoresUnderTest {
  const eventStore = openSqliteEventStore({ file: join(folder, 'events.db') });
  const readModels = openSqliteReadModels({ file: join(folder, 'read-models.db') });
  const records = openSqliteRecords({ file: join(folder, 'records.db') });
  const remove = async (): Promise<void> => {
    await readModels.close();
    await eventStore.close();
    await records.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { eventStore, readModels, records, remove };
}

/** Loaded only where it is needed: most suites do without these servers. */
async function onServers(folder: string, server: string): Promise<StoresUnderTest> {
  const { startStandIn } = await import('../servers/eventstoredb/stand-in.ts');
  const { testDatabase } = await import('../servers/support/test-database.ts');
  const standIn = await startStandIn(folder);
  const database = testDatabase(server);
  const eventStore = openEventStoreDB({ url: standIn.url });
  const readModels = openMongoReadModels({ url: database.url });
  const records = openMongoRecords({ url: database.url });
  const remove = async (): Promise<void> => {
    await readModels.close();
    await eventStore.close();
    await records.close();
    await database.drop();
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { eventStore, readModels, records, remove };
}
