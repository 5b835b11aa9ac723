import type { InputReservation, TaggedEvents } from '../../src/command-handling/command.ts';

/** A resource to which a new policy refers. It exists already, or is registered before the policy. */
export interface Reference<Facts> {
  readonly facts: Facts;
  /** What `register` reserves with the input of the command. */
  readonly reservations: readonly InputReservation[];
  /** What else `register` appends. */
  readonly appends: readonly TaggedEvents[];
  /**
   * Registers the resource unless it exists. Returns the facts of another one if a concurrent command registered it
   * first. Call it after `commitTo`.
   */
  register(): Promise<Facts>;
}

/** Refers to a resource that exists. */
export function existing<Facts>(facts: Facts): Reference<Facts> {
  return { facts, reservations: [], appends: [], register: async () => facts };
}
