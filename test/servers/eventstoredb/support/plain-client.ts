import { type AppendExpectedRevision, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { event } from '#test/ports/event-store/subject.ts';

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

/** Six events, of which any are appended again, and two calls on a stream of them. */
export function sixEvents(client: () => EventStoreDBClient, stream: () => string) {
  const six = Array.from({ length: 6 }, (_, n) => event(n));
  return {
    append: async (expectedRevision: AppendExpectedRevision, places: readonly number[]) => {
      const all = places.map((n) => jsonEvent({ id: (six[n] ?? event(n)).id, type: 'Counted.v1', data: { n } }));
      return await client().appendToStream(stream(), all, { expectedRevision });
    },
    length: async (): Promise<number> => {
      let count = 0;
      for await (const _ of client().readStream(stream())) count += 1;
      return count;
    },
  };
}
