import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { inFlight } from './posts.ts';

/** Concurrent appends. */
export const IN_FLIGHT = 64;

/** Appends the events, each to a separate stream, by the client's call `Append`; returns the seconds. */
export async function secondsOfBareAppends(
  client: EventStoreDBClient,
  events: readonly StoredEvent[],
): Promise<number> {
  return await inFlight(events, IN_FLIGHT, async (event) => await append(client, event));
}

/** Like `secondsOfBareAppends`, but reads the stream of each event first, the minimum for a decision. */
export async function secondsOfBareReadsAndAppends(
  client: EventStoreDBClient,
  events: readonly StoredEvent[],
): Promise<number> {
  return await inFlight(events, IN_FLIGHT, async (event) => {
    for await (const _ of client.readStream(event.stream));
    await append(client, event);
  });
}

async function append(client: EventStoreDBClient, { type, data, metadata }: StoredEvent): Promise<void> {
  const event = jsonEvent({
    type,
    data: data as Record<string, unknown>,
    metadata: metadata as Record<string, unknown>,
  });
  await client.appendToStream(`bare-${randomUUID()}`, [event], { expectedRevision: NO_STREAM });
}
