import type { Moment } from '../event-sourcing/time.ts';
import {
  appendInOrder,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type StoredEvent,
} from '../event-store/event-store.ts';
import { withSpan } from '../observability/traces.ts';
import type { BatchEvent } from './batch.ts';

/** Append of events that a command has built. */
export interface BatchAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly BatchEvent[];
}

/** Events of one append. */
export interface AppendedEvents {
  readonly events: readonly StoredEvent[];
  /** The event store has returned these events. */
  readonly areStored: boolean;
}

interface Appended {
  readonly stream: string;
  readonly position: Position;
  /** Of the last event. */
  readonly recordedAt: Moment;
  readonly written: AppendedEvents;
}

/** Appends in order. @throws the error of the first append that is refused; those before it are written */
export async function appendBatches(
  appends: readonly BatchAppend[],
  eventStore: Pick<EventStore, 'append' | 'appendAll'>,
): Promise<readonly Appended[]> {
  const target = appends.at(-1);
  if (target === undefined) return [];
  const attributes = {
    'surety.stream': target.stream,
    'surety.events': appends.reduce((sum, { events }) => sum + events.length, 0),
  };
  const results = await withSpan('append', { attributes }, async () => await appendInOrder(eventStore, appends));
  return appends.flatMap((append, index) => appendedOf(append, results[index]));
}

function appendedOf({ stream, events: batch }: BatchAppend, result: AppendResult | undefined): readonly Appended[] {
  const last = batch.at(-1);
  if (result === undefined || last === undefined) return [];
  const { revision, position, events } = result;
  const first = revision - batch.length + 1;
  const sent = batch.map((event, index) => ({ ...event, stream, revision: first + index, position }));
  const written = { events: events ?? sent, areStored: events !== undefined };
  return [{ stream, position, recordedAt: last.metadata.recordedAt, written }];
}
