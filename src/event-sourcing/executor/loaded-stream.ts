import type { Aggregate } from '../aggregate.ts';
import type { DomainEvent, RecordedEvent } from '../event.ts';
import type { Instant } from '../time.ts';

/** A stream up to the last event that was read, and its state then. */
export interface LoadedStream<State> {
  readonly aggregate: Aggregate<State, never>;
  readonly stream: string;
  /**
   * Undefined when the stream does not exist, like `revision`, `position` and `recordedAt`, which are those of the last
   * event.
   */
  readonly state: State | undefined;
  readonly revision: number | undefined;
  readonly position: bigint | undefined;
  readonly recordedAt: Instant | undefined;
  /** Characters of the data of its events as JSON: about as many bytes as the state takes. */
  readonly size: number;
}

/** Returns a stream of which no event was read. */
export function unreadStream<State>(aggregate: Aggregate<State, never>, stream: string): LoadedStream<State> {
  const none = { state: undefined, revision: undefined, position: undefined, recordedAt: undefined, size: 0 };
  return { aggregate, stream, ...none };
}

/**
 * Folds the events that follow in the stream.
 * @param size of these events, where it is known
 */
export function foldOn<State>(
  loaded: LoadedStream<State>,
  events: readonly RecordedEvent[],
  size = sizeOf(events),
): LoadedStream<State> {
  const last = events.at(-1);
  if (last === undefined) return loaded;
  const { aggregate, stream } = loaded;
  const { evolve } = aggregate as Aggregate<State, DomainEvent>;
  const { revision, position, metadata } = last;
  return {
    aggregate,
    stream,
    state: events.reduce<State | undefined>((state, event) => evolve(state, event), loaded.state),
    revision,
    position,
    recordedAt: metadata.recordedAt,
    size: loaded.size + size,
  };
}

function sizeOf(events: readonly RecordedEvent[]): number {
  return events.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
}
