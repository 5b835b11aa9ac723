import type { AnyProjection } from '../../projections/projection.ts';
import { mergeStreams, replay } from '../../projections/replay.ts';
import type { FoldOptions, WorkingDocument } from '../../projections/working-document.ts';
import { decode } from '../domain/events.ts';
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';

export type StreamReader = Pick<EventStore, 'readStream'>;

export interface RefoldRequest {
  readonly projection: AnyProjection;
  readonly onFailure: FoldOptions['onFailure'];
  readonly key: string;
  readonly streams: readonly string[];
  /** Inclusive. */
  readonly upTo: Position;
}

/** Folds one document from its streams. @throws {StoreUnavailable} */
export async function refold(eventStore: StreamReader, request: RefoldRequest): Promise<WorkingDocument> {
  const { projection, onFailure, key } = request;
  const steps = replay({ projection, decode, onFailure }, key, await history(eventStore, request));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

async function history(eventStore: StreamReader, { streams, upTo }: RefoldRequest): Promise<readonly StoredEvent[]> {
  const read: StoredEvent[][] = [];
  for (const stream of new Set(streams)) {
    read.push((await eventStore.readStream(stream)).filter(({ position }) => position <= upTo));
  }
  return mergeStreams(read);
}
