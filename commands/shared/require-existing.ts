import type { DomainEvent } from '#event-sourcing/event.ts';
import type { Refusal } from '#domain/refusals.ts';
import type { LoadedStream } from '#event-sourcing/executor/command.ts';

export type ExistingStream<State, E extends DomainEvent> = LoadedStream<State, E> & { readonly state: State };

/** Returns the stream if it exists. @throws {Refusal} the given one otherwise */
export function requireExisting<State, E extends DomainEvent>(
  loaded: LoadedStream<State, E>,
  refusal: () => Refusal,
): ExistingStream<State, E> {
  const { state } = loaded;
  if (state === undefined) throw refusal();
  return { ...loaded, state };
}
