import type { EventStore, Position, StoredEvent } from './event-log.ts';

/** A log as it is stored, for its verification: reads return what there is, also of a damaged log. */
export interface RawLogReader extends Pick<EventStore, 'readAll' | 'lastPosition' | 'readAt' | 'close'> {
  /** Positions are 1, 2, 3 …, so that a gap is a missing event. */
  readonly isGapless: boolean;
}

export interface IndexedEvent extends Pick<StoredEvent, 'position' | 'id' | 'stream' | 'revision'> {
  readonly recordedAt: string | undefined;
}

/** An event and the one before it in the stream, in the order of the log; undefined: it is the first one. */
export interface Neighbours {
  readonly event: IndexedEvent;
  readonly previous: Pick<IndexedEvent, 'position' | 'revision' | 'recordedAt'> | undefined;
}

/**
 * Finds what is wrong between events that are far apart in the log. It holds all of them, so it should not be in
 * memory.
 */
export interface EventIndex {
  add(events: readonly IndexedEvent[]): void;
  repeatedIds(): Iterable<{ readonly event: IndexedEvent; readonly earlier: Position }>;
  /**
   * Returns each event whose revision is not the one after its predecessor's in the stream, or that was recorded before
   * it.
   */
  outOfOrder(): Iterable<Neighbours>;
  close(): void;
}
