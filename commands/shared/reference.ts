import type { ReservationEvent } from '../../src/domain/reservations.ts';
import type { EventReservation, InputReservation, TaggedEvents, Writes } from '../../src/command-handling/command.ts';

/** A resource to which a new policy refers. It exists already, or is registered before the policy. */
export interface Reference<Facts> {
  readonly facts: Facts;
  /** What `register` reserves. */
  readonly reservations: readonly (InputReservation | EventReservation)[];
  /** What else `register` appends. */
  readonly appends: readonly TaggedEvents[];
  /**
   * Registers the resource unless it exists. Returns the facts of another one if a concurrent command registered it
   * first.
   */
  register(writes: Writes<ReservationEvent>): Promise<Facts>;
}

/** Refers to a resource that exists. */
export function existing<Facts>(facts: Facts): Reference<Facts> {
  return { facts, reservations: [], appends: [], register: async () => facts };
}
