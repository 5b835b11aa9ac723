import { join } from 'node:path';

import type { EventStore } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';
import type { EventStoreSubject } from '../event-store/subject.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens a new event log in a temporary folder. */
export async function openTemporaryEventStore(): Promise<EventStoreSubject> {
  const { folder, remove } = temporaryFolder();
  const open = (): EventStore => openSqliteEventStore({ file: join(folder, 'events.db') });
  let store = open();
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
    dispose: async () => {
      await store.close();
      remove();
    },
  };
}
