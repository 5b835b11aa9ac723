import { EventStoreDBClient } from '@eventstore/db-client';

/** Opens a client without the adapter. Its appends are calls `Append`, as those of the adapter. */
export function plainClient(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  client['supports'] = () => Promise.resolve(false);
  return client;
}

/** Closes a client with its connection; `dispose` alone leaves the connection open. */
export async function closeClient(client: EventStoreDBClient): Promise<void> {
  await client.dispose();
  (await client['getChannel']()).close();
}
