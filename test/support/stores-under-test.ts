import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '#service/config/config.ts';

/** Empty stores that only one test uses. */
export interface StoresUnderTest {
  readonly settings: Pick<Settings, 'dataFolder' | 'servers'>;
  /** Deletes their data, when the service has closed them. */
  remove(): Promise<void>;
}

/**
 * Creates empty stores: a temporary folder, and in the jest project `servers` a stand-in for EventStoreDB and a new
 * database on the server at MONGODB_URL (`jest.config.mjs` omits the suites without that server).
 */
export async function createStoresUnderTest(): Promise<StoresUnderTest> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'surety-stores-'));
  const remove = async (): Promise<void> => await rm(dataFolder, { recursive: true, force: true });
  if (!isOnServers()) return { settings: { dataFolder, servers: undefined }, remove };
  // Most suites do not need them.
  const { testDatabase } = await import('../servers/support/test-database.ts');
  const { startStandIn } = await import('../servers/eventstoredb/stand-in.ts');
  const database = testDatabase(process.env['MONGODB_URL'] ?? '');
  const standIn = await startStandIn(dataFolder);
  const kafka = { brokers: [], security: { tls: false, login: undefined } };
  return {
    settings: { dataFolder, servers: { eventStoreUrl: standIn.url, mongoUrl: database.url, kafka } },
    remove: async () => {
      await database.drop();
      await standIn.stop();
      await remove();
    },
  };
}

/** Returns whether the suites run on servers: true in the jest project `servers` only. */
export function isOnServers(): boolean {
  return (globalThis as { readonly STORES_UNDER_TEST?: string }).STORES_UNDER_TEST === 'servers';
}
