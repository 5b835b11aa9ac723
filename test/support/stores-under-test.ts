import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogLocation, StoreLocations } from '#service/config/store-locations.ts';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { openMongoRecords } from '#stores/records/mongodb/mongo-records.ts';
import type { Records } from '#stores/records/records.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';

/** Stores that only one test uses. */
export interface StoresUnderTest {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly records: Records;
  readonly locations: StoreLocations;
  /** Closes the stores and deletes their data. */
  remove(): Promise<void>;
}

/**
 * Opens empty stores: files in a temporary folder, or in the jest project `servers` a stand-in for EventStoreDB and a new
 * database on the server at MONGODB_URL (`jest.config.mjs` omits the suites without that server).
 */
export async function openStoresUnderTest(): Promise<StoresUnderTest> {
  return isOnServers() ? await onServers(process.env['MONGODB_URL'] ?? '') : await embedded();
}

/** Returns whether the suites run on servers: true in the jest project `servers` only. */
export function isOnServers(): boolean {
  return (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';
}

async function embedded(): Promise<StoresUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
  const log = { file: join(folder, 'events.db') };
  const eventStore = openSqliteEventStore(log);
  const documents = { readModelsFile: join(folder, 'read-models.db'), recordsFile: join(folder, 'records.db') };
  const readModels = openSqliteReadModels({ file: documents.readModelsFile });
  const records = openSqliteRecords({ file: documents.recordsFile });
  const remove = async (): Promise<void> => {
    await readModels.close();
    await eventStore.close();
    await records.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { eventStore, readModels, records, locations: { log, documents }, remove };
}

/** Imports the server helpers dynamically: most suites do not need them. */
async function onServers(server: string): Promise<StoresUnderTest> {
  const { testDatabase } = await import('../servers/support/test-database.ts');
  const { url, drop } = testDatabase(server);
  const { eventStore, log, stop } = await openStandIn();
  const readModels = openMongoReadModels({ url });
  const records = openMongoRecords({ url });
  const remove = async (): Promise<void> => {
    await readModels.close();
    await eventStore.close();
    await records.close();
    await drop();
    await stop();
  };
  return { eventStore, readModels, records, locations: { log, documents: { url } }, remove };
}

interface OpenedLog {
  readonly eventStore: EventStore;
  readonly log: LogLocation;
  /** Stops the stand-in. */
  stop(): Promise<void>;
}

async function openStandIn(): Promise<OpenedLog> {
  const { startStandIn } = await import('../servers/eventstoredb/stand-in.ts');
  const folder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
  const standIn = await startStandIn(folder);
  const stop = async (): Promise<void> => {
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const log = { url: standIn.url };
  return { eventStore: openEventStoreDB(log), log, stop };
}
