import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { Day } from '#event-sourcing/time.ts';

/** A resource as of a day while its events are folded in the order of the log. */
export interface AsOfState<Document> {
  readonly document: Document;
  /** Whether the business day of an event is not after the day. Until then the resource has not taken effect. */
  readonly hasTakenEffect: boolean;
}

/** An event with its business day. */
export interface EffectiveEvent extends RecordedEvent {
  readonly data: { readonly effectiveAt: Day };
}

/**
 * Folds an event into a resource as of a day. The first event makes the resource; any other event counts when its
 * business day is not after the day. To cut at an instant as well (`known_at`), end before the first event that was
 * recorded later.
 */
export function foldAsOf<Document, Event extends EffectiveEvent>(
  fold: (document: Document | undefined, event: Event) => Document,
  state: AsOfState<Document> | undefined,
  event: Event,
  day: Day,
): AsOfState<Document> {
  const counts = event.data.effectiveAt <= day;
  if (state === undefined) return { document: fold(undefined, event), hasTakenEffect: counts };
  return counts ? { document: fold(state.document, event), hasTakenEffect: true } : state;
}

/** Returns the resource as of the day; undefined when it has not taken effect by then. */
export function documentAsOf<Document>(state: AsOfState<Document> | undefined): Document | undefined {
  return state?.hasTakenEffect === true ? state.document : undefined;
}
