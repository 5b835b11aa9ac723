import type { EventReservation, InputReservation, TaggedEvents, Writes } from '#event-sourcing/executor/command.ts';

/** A resource to which a new policy refers. It exists already, or is registered before the policy. */
export interface ReferencedResource<Details> {
  readonly details: Details;
  /** What `register` reserves. */
  readonly reservations: readonly (InputReservation | EventReservation)[];
  /** What else `register` appends. */
  readonly appends: readonly TaggedEvents[];
  /**
   * Registers the resource unless it exists. Returns the details of another one if a concurrent command registered it
   * first.
   */
  register(writes: Writes): Promise<Details>;
}

export function existing<Details>(details: Details): ReferencedResource<Details> {
  return { details, reservations: [], appends: [], register: async () => details };
}
