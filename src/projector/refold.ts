import type { AnyProjection } from '../../projections/projection.ts';
import { decode } from '../domain/codec.ts';
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts';
import { apply, blank, type Folding, park, type WorkingDocument } from './working-document.ts';

/** Which document to fold anew, from which streams, and how far. */
export interface RefoldRequest {
  readonly projection: AnyProjection;
  readonly onFailure: Folding['onFailure'];
  readonly key: string;
  readonly streams: readonly string[];
  /** Inclusive. */
  readonly upTo: Position;
}

/**
 * Folds one document from the streams that make it, in the order of the log. The result is what the projector has when it
 * meets the same events one by one: parked at the first event that cannot be read, folded or written, if there is one.
 * @throws {StoreUnavailable}
 */
export async function refold(eventStore: EventStore, request: RefoldRequest): Promise<WorkingDocument> {
  const { projection, onFailure, key } = request;
  const folding: Folding = { projection, decode, careful: true, onFailure };
  const working = blank(key);
  for (const event of await history(eventStore, request)) {
    if (apply(folding, working, event) === 'gap') {
      park(working, event, `an event before revision ${event.revision} of its stream is missing`);
    }
  }
  return working;
}

async function history(eventStore: EventStore, { streams, upTo }: RefoldRequest): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const stream of new Set(streams)) {
    for (const event of await eventStore.readStream(stream)) if (event.position <= upTo) events.push(event);
  }
  return events.sort((a, b) => (a.position < b.position ? -1 : 1));
}
