import { randomUUID } from 'node:crypto';

import type { EventStore, EventToAppend, Position, StoredEvent } from '#stores/event-log/event-log.ts';

/** Store under test. Other writers may have used its log before, and may write concurrently. */
export interface EventStoreSubject {
  readonly store: EventStore;
  /** Closes the store and opens the same log again. */
  reopen(): Promise<EventStore>;
  dispose(): Promise<void>;
}

export type OpenEventStore = () => Promise<EventStoreSubject>;

/** Returns a new stream name. */
export function newStream(): string {
  return `policy-${randomUUID()}`;
}

/** Creates an event with a unique id; `n` identifies it in a test. */
export function event(n: number, id: string = randomUUID()): EventToAppend {
  return { id, type: 'Counted.v1', data: { n }, metadata: { recordedAt: '2026-11-01T00:00:00.000Z' } };
}

export function events(count: number): EventToAppend[] {
  return Array.from({ length: count }, (_, n) => event(n));
}

export function ids(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

/** Reads all events after a position with `readAll`, in pages. */
export async function readRest(store: EventStore, after: Position | undefined, page = 100): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const read = await store.readAll({ after: all.at(-1)?.position ?? after, limit: page });
    if (read.length === 0) return all;
    all.push(...read);
  }
}

/** Collects events of some streams from a subscription, until `count` have arrived. */
export async function collect(
  store: EventStore,
  after: Position | undefined,
  streams: ReadonlySet<string>,
  count: number,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  const stop = new AbortController();
  for await (const message of store.subscribe({ after, batch: 50, signal: stop.signal })) {
    if (message.kind === 'events') found.push(...message.events.filter(({ stream }) => streams.has(stream)));
    if (found.length >= count) stop.abort();
  }
  return found;
}
