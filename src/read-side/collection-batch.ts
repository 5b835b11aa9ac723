import type { RawEvent } from '#event-sourcing/codec.ts';
import { firstFramesOf } from '#service/observability/describe-error.ts';
import type { DocumentToWrite, Generation, ReplacedState, StoredDocument } from '#stores/read-models/read-models.ts';
import type { ProjectorLog } from './projector.ts';
import type { Delivery } from './routing.ts';
import type { StreamReader } from './stored-documents.ts';

export interface BatchPorts {
  readonly documents: Pick<Generation, 'getMany'>;
  readonly eventStore: StreamReader;
  readonly log: ProjectorLog;
}

/** What a batch changes in one collection. */
export interface CollectionChanges {
  readonly collection: string;
  readonly documents: readonly DocumentToWrite[];
  readonly parkedDelta: number;
}

/** What the events of a batch do to one collection. */
export interface CollectionBatch {
  /** Number of documents that are held. */
  readonly size: number;
  apply(delivery: Delivery): Promise<void> | undefined;
  changes(): CollectionChanges | Promise<CollectionChanges>;
}

export function stateOf(stored: StoredDocument | undefined): ReplacedState | null {
  return stored === undefined ? null : { position: stored.position, isParked: stored.parked !== undefined };
}

export function logParked(
  log: ProjectorLog,
  collection: string,
  error: unknown,
  { id, type, position }: RawEvent,
  key: string,
): void {
  const event = { event_id: id, event_type: type, position: position.toString() };
  log.error(
    { collection, key, ...event, at: firstFramesOf(error) },
    'Parked a document at an event that cannot be folded',
  );
}
