import { join } from 'node:path';
import type { Settings } from './config.ts';
import { FILES } from './data-folder.ts';
import { type LogReader, openSqliteLogReader } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import type { RawLogReader } from '#stores/event-log/unchecked-log.ts';

export type LogLocation = { readonly file: string } | { readonly url: string };

export type DocumentsLocation = { readonly folder: string; readonly recordsFile: string } | { readonly url: string };

export interface StoreLocations {
  readonly log: LogLocation;
  readonly documents: DocumentsLocation;
}

export function storeLocations({ servers, dataFolder }: Pick<Settings, 'servers' | 'dataFolder'>): StoreLocations {
  if (servers !== undefined) return { log: { url: servers.eventStoreUrl }, documents: { url: servers.mongoUrl } };
  const file = (name: string): string => join(dataFolder, name);
  return {
    log: { file: file(FILES.eventLog) },
    documents: { folder: dataFolder, recordsFile: file(FILES.records) },
  };
}

/** Opens the event log for reading, beside the store that writes it, in a worker thread. */
export async function openLogReader(log: LogLocation): Promise<LogReader> {
  if ('file' in log) return openSqliteLogReader(log.file);
  const { openEventStoreDB } = await import('#stores/event-log/eventstoredb/eventstoredb-event-store.ts');
  return openEventStoreDB({ url: log.url });
}

/** Opens the event log for its verification, beside the store that writes it. */
export async function openUncheckedLog(log: LogLocation): Promise<RawLogReader> {
  if ('file' in log) return { ...openSqliteLogReader(log.file, { readsGaps: true }), isGapless: true };
  const { openEventStoreDB } = await import('#stores/event-log/eventstoredb/eventstoredb-event-store.ts');
  return { ...openEventStoreDB({ url: log.url }), isGapless: false };
}
