import type { AnyProjection } from '../../projections/projection.ts';
import { type FoldOptions, replay, type WorkingDocument } from '../../projections/working-document.ts';
import { decode } from '../domain/events.ts';
import type { EventStore, Position } from '../event-store/event-store.ts';

export type StreamReader = Pick<EventStore, 'readStream'>;

export interface RefoldRequest {
  readonly projection: AnyProjection;
  readonly onFailure: FoldOptions['onFailure'];
  readonly key: string;
  readonly stream: string;
  /** Inclusive. */
  readonly upTo: Position;
}

/** Folds one document from its stream. @throws {StoreUnavailable} */
export async function refold(
  eventStore: StreamReader,
  { projection, onFailure, key, stream, upTo }: RefoldRequest,
): Promise<WorkingDocument> {
  const events = (await eventStore.readStream(stream)).filter(({ position }) => position <= upTo);
  const steps = replay({ projection, decode, onFailure }, key, events);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
