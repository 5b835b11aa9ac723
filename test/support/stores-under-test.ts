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
 * Opens empty stores of the test's own: files in a temporary folder, or in the jest project `servers` a stand-in for EventStoreDB
 * and a database on the server that MONGODB_URL names (`tools/jest-servers-environment.mjs` skips what cannot run).
 */
export async function openStoresUnderTest(): Promise<StoresUnderTest> {
  return isOnServers() ? await onServers(process.env['MONGODB_URL'] ?? '') : await embedded();
}

/** Whether the suites run on servers: so it is in the jest project `servers` alone. */
export function isOnServers(): boolean {
  return (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';
}

async function embedded(): Promise<StoresUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
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
async function onServers(server: string): Promise<StoresUnderTest> {
  const { testDatabase } = await import('../servers/support/test-database.ts');
  const { url, drop } = testDatabase(server);
  const { eventStore, stop } = await logOfStandIn();
  const readModels = openMongoReadModels({ url });
  const records = openMongoRecords({ url });
  const remove = async (): Promise<void> => {
    await readModels.close();
    await eventStore.close();
    await records.close();
    await drop();
    await stop();
  };
  return { eventStore, readModels, records, remove };
}

interface OpenedLog {
  readonly eventStore: EventStore;
  /** Ends what was started for it. */
  stop(): Promise<void>;
}

async function logOfStandIn(): Promise<OpenedLog> {
  const { startStandIn } = await import('../servers/eventstoredb/stand-in.ts');
  const folder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
  const standIn = await startStandIn(folder);
  const stop = async (): Promise<void> => {
    await standIn.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { eventStore: openEventStoreDB({ url: standIn.url }), stop };
}
