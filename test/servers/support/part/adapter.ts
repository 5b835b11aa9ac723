import type { EventStore } from '../../../../src/event-store/event-store.ts';
import {
  type EventStoreDBOptions,
  openEventStoreDB as openWholeLog,
} from '../../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { OwnPartOfTheLog } from '../../../support/own-part-of-the-log.ts';
import { partFromText } from './setting.ts';

/** In place of the adapter's own: the adapter, and before it the part of the log that the setting names. */
export function openEventStoreDB(options: EventStoreDBOptions): EventStore {
  return new OwnPartOfTheLog(openWholeLog(options), partFromText(process.env['PART_OF_THE_LOG'] ?? ''));
}
