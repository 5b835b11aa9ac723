import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECTIONS } from '#projections/registry.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { FILES } from '#service/config/data-folder.ts';
import { type StoreLocations, storeLocations } from '#service/config/store-locations.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import type { Records } from '#stores/records/records.ts';
import { openSqliteRecords } from '#stores/records/sqlite/sqlite-records.ts';

export interface SqliteStores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly records: Records;
  readonly locations: StoreLocations;
  /** Closes the stores and deletes their files. */
  remove(): Promise<void>;
}

/** Opens empty stores in a temporary folder. */
export function openSqliteStores(): SqliteStores {
  const dataFolder = mkdtempSync(join(tmpdir(), 'surety-stores-'));
  const file = (name: string): string => join(dataFolder, name);
  const eventStore = openSqliteEventStore({ file: file(FILES.eventLog) });
  const readModels = openSqliteReadModels({ folder: dataFolder, definitions: definitionsOf(PROJECTIONS) });
  const records = openSqliteRecords({ file: file(FILES.records) });
  const remove = async (): Promise<void> => {
    for (const store of [readModels, eventStore, records]) await store.close();
    rmSync(dataFolder, { recursive: true, force: true });
  };
  const locations = storeLocations({ servers: undefined, dataFolder });
  return { eventStore, readModels, records, locations, remove };
}
