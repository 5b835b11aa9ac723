import type { DomainEvent, EventDefinition, Recorded, Upcaster } from './event.ts';

/**
 * What the rest of the system needs to know of an aggregate: how its streams are called, which events stand in them, and
 * how they make its state. `evolve` is pure and total over the aggregate's events.
 */
export interface Aggregate<State, E extends DomainEvent> {
  /** First part of its stream names: `policy` of `policy-<uuid>`. */
  readonly category: string;
  /** Every version ever written, the newest included. */
  readonly events: readonly EventDefinition[];
  /** Old type → how it becomes the next version. */
  readonly upcasters: Readonly<Record<string, Upcaster>>;
  readonly evolve: (state: State | undefined, event: Recorded<E>) => State;
}

/** The category of a stream name. */
export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-'));
}

/** What follows the category in a stream name. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
