import { type LogReader, openSqliteLogReader } from '../event-store/sqlite/sqlite-event-store.ts';
import type { RawLogReader } from '../event-store/unchecked-log.ts';
import type { LogLocation } from './store-locations.ts';

/** Opens the event log for reading, beside the store that writes it, in a worker thread. */
export async function openLogReader(log: LogLocation): Promise<LogReader> {
  if ('file' in log) return openSqliteLogReader(log.file);
  const { openEventStoreDB } = await import('../event-store/eventstoredb/eventstoredb-event-store.ts');
  return openEventStoreDB({ url: log.url });
}

/** Opens the event log for its verification, beside the store that writes it. */
export async function openUncheckedLog(log: LogLocation): Promise<RawLogReader> {
  if ('file' in log) return { ...openSqliteLogReader(log.file, { readsGaps: true }), isGapless: true };
  const { openEventStoreDB } = await import('../event-store/eventstoredb/eventstoredb-event-store.ts');
  return { ...openEventStoreDB({ url: log.url }), isGapless: false };
}
