import type { RawEvent } from '../src/event-sourcing/codec.ts';
import { apply, blank, type Folding, park, type WorkingDocument } from './working-document.ts';

/** The events of several streams, each read from its beginning, in the order of the log. */
export function inOrder<Event extends RawEvent>(streams: readonly (readonly Event[])[]): readonly Event[] {
  return streams.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
}

/** A document while it is folded anew: `working` is one and the same, and goes on with the next step. */
export interface Step<Event extends RawEvent> {
  readonly event: Event;
  readonly working: WorkingDocument;
}

/**
 * Folds one document anew from its events in the order of the log, and shows it after each. The result is what the
 * projector has when it meets the same events one by one: parked at the first event that cannot be read, folded or
 * written, or whose predecessor is missing, if there is one.
 */
export function* replay<Event extends RawEvent>(
  folding: Omit<Folding, 'careful'>,
  key: string,
  events: readonly Event[],
): Generator<Step<Event>, WorkingDocument> {
  const careful: Folding = { ...folding, careful: true };
  const working = blank(key);
  for (const event of events) {
    if (apply(careful, working, event) === 'gap') {
      park(working, event, `an event before revision ${event.revision} of its stream is missing`);
    }
    yield { event, working };
  }
  return working;
}
