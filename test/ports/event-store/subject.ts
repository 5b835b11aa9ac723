import { randomUUID } from 'node:crypto';

import type { EventStore, EventToAppend, Position, StoredEvent } from '../../../src/event-store/event-store.ts';

/** A store under test. Others may have written to its log before, and may be writing to it now. */
export interface EventStoreSubject {
  readonly store: EventStore;
  /** Closes the store that is open and opens the same log again. */
  reopen(): Promise<EventStore>;
  dispose(): Promise<void>;
}

export type OpenEventStore = () => Promise<EventStoreSubject>;

/** A stream that nobody else writes to. */
export function newStream(): string {
  return `policy-${randomUUID()}`;
}

/** An event that can be told from every other by its id; `n` is what a test wants to find again. */
export function event(n: number, id: string = randomUUID()): EventToAppend {
  return { id, type: 'Counted.v1', data: { n }, metadata: { recordedAt: '2026-11-01T00:00:00.000Z' } };
}

export function events(count: number): EventToAppend[] {
  return Array.from({ length: count }, (_, n) => event(n));
}

export function ids(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

/** Everything that `readAll` gives after a position, read in pages. */
export async function readRest(store: EventStore, after: Position | undefined, page = 100): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const read = await store.readAll({ after: all.at(-1)?.position ?? after, limit: page });
    if (read.length === 0) return all;
    all.push(...read);
  }
}

/** What a subscription delivers of some streams, until `count` events of them have come. */
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
