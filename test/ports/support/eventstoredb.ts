import { type EventStoreDBOptions, openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import { startStandIn } from '../../servers/eventstoredb/stand-in.ts';
import { freePort } from '../../support/free-port.ts';
import type { EventStoreSubject } from '../event-store/subject.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Time limits for tests of other rules, because a busy machine may take longer than the default limits. */
export const LONG_LIMITS: Omit<EventStoreDBOptions, 'url'> = {
  readTimeoutMs: 30_000,
  attemptTimeoutMs: 20_000,
  appendTimeoutMs: 40_000,
};

/** Opens the log of the server at `url`, which keeps the events of other tests. */
export async function openNamedEventStore(url: string): Promise<EventStoreSubject> {
  let store = openEventStoreDB({ url, ...LONG_LIMITS });
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = openEventStoreDB({ url, ...LONG_LIMITS });
      return store;
    },
    dispose: () => store.close(),
  };
}

/** Opens a store on a separate stand-in in a temporary folder. `reopen` also restarts the server on the same port. */
export async function openStandInEventStore(): Promise<EventStoreSubject> {
  const { folder, remove } = temporaryFolder();
  // Not an ephemeral port: an outgoing connection could take it while the server is down.
  const port = await freePort();
  let server = await startStandIn(folder, port);
  const { url } = server;
  let store = openEventStoreDB({ url, ...LONG_LIMITS });
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      await server.stop();
      server = await startStandIn(folder, port);
      store = openEventStoreDB({ url, ...LONG_LIMITS });
      return store;
    },
    dispose: async () => {
      await store.close();
      await server.stop();
      remove();
    },
  };
}
