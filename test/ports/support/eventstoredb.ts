import { openEventStoreDB } from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { startStandIn } from '../../servers/eventstoredb/stand-in.ts';
import { freePort } from '../../support/free-port.ts';
import type { EventStoreSubject } from '../event-store/subject.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens the log of the server at `url`, which keeps the events of other tests. */
export async function openNamedEventStore(url: string): Promise<EventStoreSubject> {
  let store = openEventStoreDB({ url });
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = openEventStoreDB({ url });
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
  let store = openEventStoreDB({ url });
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      await server.stop();
      server = await startStandIn(folder, port);
      store = openEventStoreDB({ url });
      return store;
    },
    dispose: async () => {
      await store.close();
      await server.stop();
      remove();
    },
  };
}
