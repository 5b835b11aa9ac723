import { expect } from '@jest/globals';

import { appendTo, type EventStore, type StoredEvent } from '#stores/event-log/event-log.ts';
import type { Line } from './store-writer.ts';

/** Attempted and acknowledged appends of writers, over any number of processes. */
export interface History {
  readonly acknowledged: Line[];
  readonly unclear: Line[];
}

/** Adds the output of a process; ignores an incomplete last line. */
export function addOutput(history: History, output: string): void {
  const lines = output
    .split('\n')
    .slice(0, -1)
    .filter((text) => text.startsWith('{'))
    .map((text) => JSON.parse(text) as Line);
  const acknowledged = lines.filter(({ position }) => position !== undefined);
  const known = new Set(acknowledged.map(({ ids }) => ids[0]));
  history.acknowledged.push(...acknowledged);
  history.unclear.push(...lines.filter(({ ids, position }) => position === undefined && !known.has(ids[0])));
}

/**
 * Checks that every acknowledged append is stored once at its position, that streams have no gap, that repeats change
 * nothing, and that each append without a response is stored completely once or not at all.
 */
export async function expectNothingLost(store: EventStore, history: History): Promise<void> {
  const log = await readLog(store);
  const events = eventsById(log);
  for (const { ids, stream, revision = 0, position } of history.acknowledged) {
    const last = events.get(ids.at(-1) ?? '');
    expect([last?.stream, last?.revision, last?.position.toString()]).toEqual([stream, revision, position]);
    expect(ids.map((id) => events.get(id)?.revision)).toEqual(ids.map((_, n) => revision - ids.length + 1 + n));
  }
  for (const { ids } of history.unclear) expect(new Set(ids.map((id) => events.has(id))).size).toBe(1);

  const sample = history.acknowledged.filter((_, n) => n % 7 === 0);
  for (const { stream, expected, ids, revision, position } of sample) {
    const again = await appendTo(store, stream, expected, ids.map(repeatedEvent));
    expect([again.revision, again.position.toString()]).toEqual([revision, position]);
  }
  expect(await store.lastPosition()).toBe(log.at(-1)?.position);
}

/** Retries appends without a response: each is then stored once, or refused because another append came first. */
export async function retryUnclear(store: EventStore, history: History): Promise<void> {
  for (const { stream, expected, ids } of history.unclear.splice(0)) {
    try {
      const { revision, position } = await appendTo(store, stream, expected, ids.map(repeatedEvent));
      history.acknowledged.push({ stream, expected, ids, revision, position: position.toString() });
    } catch (error) {
      expect(error).toMatchObject({ name: 'WrongExpectedRevision' });
    }
  }
}

function repeatedEvent(id: string): { id: string; type: string; data: unknown; metadata: unknown } {
  return { id, type: 'Written.v1', data: { again: 99 }, metadata: {} };
}

async function readLog(store: EventStore): Promise<readonly StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (;;) {
    const page = await store.readAll({ after: log.at(-1)?.position, limit: 1_000 });
    if (page.length === 0) return log;
    log.push(...page);
  }
}

/** Returns the events by id, after checking that each id occurs once and no stream has a gap. */
function eventsById(log: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent> {
  const events = new Map<string, StoredEvent>();
  const lastRevisions = new Map<string, number>();
  for (const event of log) {
    expect(events.has(event.id)).toBe(false);
    events.set(event.id, event);
    expect(event.revision).toBe((lastRevisions.get(event.stream) ?? -1) + 1);
    lastRevisions.set(event.stream, event.revision);
  }
  return events;
}
