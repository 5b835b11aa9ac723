import { EventStoreDBClient } from '@eventstore/db-client';
import { openEventStoreDB } from '../../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '../../../../src/event-store/event-store.ts';
import { NAMED_EVENTSTORE } from '../../support/named-eventstore.ts';
import { closeClient, World } from './world.ts';

/** The server that EVENTSTORE_URL names, with whatever others write there, or a stand-in. */
export interface AnyServer {
  readonly url: string;
  /** The adapter on it. */
  readonly store: EventStore;
  /** The bare client. */
  readonly client: EventStoreDBClient;
  dispose(): Promise<void>;
}

export async function anyServer(): Promise<AnyServer> {
  if (NAMED_EVENTSTORE === undefined) {
    const world = await World.start();
    const { url } = world.server;
    return { url, store: world.store(), client: world.client(), dispose: async () => await world.dispose() };
  }
  const store = openEventStoreDB({ url: NAMED_EVENTSTORE });
  const client = EventStoreDBClient.connectionString(NAMED_EVENTSTORE);
  const dispose = async (): Promise<void> => {
    await store.close();
    await closeClient(client);
  };
  return { url: NAMED_EVENTSTORE, store, client, dispose };
}
