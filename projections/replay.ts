import type { RawEvent } from '../src/event-sourcing/codec.ts';
import { addressOf } from './address.ts';
import { applyEvent, emptyDocument, type FoldOptions, parkDocument, type WorkingDocument } from './working-document.ts';

/** One event of a replay. `working` is the same object in every step and changes with the next one. */
export interface ReplayStep<Event extends RawEvent> {
  readonly event: Event;
  readonly working: WorkingDocument;
}

/**
 * Folds one document from the events of its stream and yields it after each. The result is the one that the
 * projector reaches event by event: parked at the first event that cannot be read, folded or stored, or that follows a gap.
 */
export function* replay<Event extends RawEvent>(
  options: Omit<FoldOptions, 'checksStorable'>,
  key: string,
  events: readonly Event[],
): Generator<ReplayStep<Event>, WorkingDocument> {
  const checked: FoldOptions = { ...options, checksStorable: true };
  const working = emptyDocument(key);
  const { projection } = options;
  for (const event of events) {
    if (projection.key(addressOf(event)) !== key) continue;
    if (applyEvent(checked, working, event) === 'gap') {
      parkDocument(working, event, `an event before revision ${event.revision} of its stream is missing`);
    }
    yield { event, working };
  }
  return working;
}
