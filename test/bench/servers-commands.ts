import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { StoredEvent } from '../../src/event-store/event-store.ts';
import { openEventStoreDB } from '../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { Installation } from '../servers/support/installation.ts';
import { makePolicies, type Subject } from './policies.ts';
import { renewals } from './renew.ts';
import { ADMIN_KEY } from './service.ts';
import { median, type Row, rateRow } from './table.ts';

const IN_FLIGHT = 64;
const ROUNDS = 3;

/**
 * `POST` renew with 64 in flight through an api process, against appends of the same events by the bare client, one call each.
 * Nothing else works meanwhile: a projector would take its share of the same cores, and of neither in real life.
 */
export async function benchCommands(on: Installation): Promise<Row> {
  await on.run('projector', 'projector');
  const { service } = await on.run('api', 'api', { ...on.addresses(), SURETY_ADMIN_KEY: ADMIN_KEY });
  const subject: Subject = await makePolicies(service.url);
  await on.kill('projector');
  const store = openEventStoreDB({ url: on.eventStore.url });
  const client = EventStoreDBClient.connectionString(on.eventStore.url);
  const rates: { readonly surety: number[]; readonly bare: number[] } = { surety: [], bare: [] };
  try {
    await renewals(subject, IN_FLIGHT, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await store.lastPosition();
      rates.surety.push(await renewals(subject, IN_FLIGHT, 2));
      const written = await store.readAll({ after: before, limit: 1_000_000 });
      const calls = appendsOf(written);
      rates.bare.push((await appendsPerSecond(client, calls)) * ((subject.policyIds.length * 2) / calls.length));
    }
  } finally {
    await client.dispose();
    await store.close();
    await on.kill('api');
  }
  const what = `durable \`POST\` renew on EventStoreDB (stand-in), ${IN_FLIGHT} in flight, against bare appends of the same events`;
  return rateRow(what, 'requests/s', median(rates.surety), median(rates.bare));
}

/** The events that a command appended to one stream were one call. */
function appendsOf(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const calls = new Map<string, StoredEvent[]>();
  for (const event of events) {
    const { command } = event.metadata as { readonly command: { readonly id: string } };
    const name = `${event.stream} ${command.id}`;
    calls.set(name, [...(calls.get(name) ?? []), event]);
  }
  return [...calls.values()];
}

async function appendsPerSecond(
  client: EventStoreDBClient,
  calls: readonly (readonly StoredEvent[])[],
): Promise<number> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let call = calls[next++]; call !== undefined; call = calls[next++]) {
      const events = call.map(({ type, data, metadata }) =>
        jsonEvent({ type, data: data as Record<string, unknown>, metadata: metadata as Record<string, unknown> }),
      );
      await client.appendToStream(`bare-${randomUUID()}`, events, { expectedRevision: NO_STREAM, batchAppendSize: 0 });
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return calls.length / ((performance.now() - start) / 1_000);
}
