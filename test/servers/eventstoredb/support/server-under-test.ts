import type { EventStoreDBClient } from '@eventstore/db-client';
import { openEventStoreDB } from '#stores/event-log/eventstoredb/eventstoredb-event-store.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { NAMED_EVENTSTORE } from '../../support/named-eventstore.ts';
import { closeClient, plainClient } from './plain-client.ts';
import { StandInHarness } from './stand-in-harness.ts';

/** The server at EVENTSTORE_URL, to which others may write as well, or a stand-in. */
export interface ServerUnderTest {
  readonly url: string;
  /** The adapter. */
  readonly store: EventStore;
  /** The client without the adapter. */
  readonly client: EventStoreDBClient;
  dispose(): Promise<void>;
}

export async function openServerUnderTest(): Promise<ServerUnderTest> {
  if (NAMED_EVENTSTORE === undefined) {
    const harness = await StandInHarness.start();
    const { url } = harness.server;
    return { url, store: harness.store(), client: harness.client(), dispose: async () => await harness.dispose() };
  }
  const store = openEventStoreDB({ url: NAMED_EVENTSTORE });
  const client = plainClient(NAMED_EVENTSTORE);
  const dispose = async (): Promise<void> => {
    await store.close();
    await closeClient(client);
  };
  return { url: NAMED_EVENTSTORE, store, client, dispose };
}
