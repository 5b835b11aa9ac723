import type { Refusal } from '#domain/refusals.ts';
import type { LoadedStream } from '#event-sourcing/executor/loaded-stream.ts';

export type ExistingStream<State> = LoadedStream<State> & { readonly state: State };

/** Returns the stream if it exists. @throws {Refusal} the given one otherwise */
export function requireExisting<State>(loaded: LoadedStream<State>, refusal: () => Refusal): ExistingStream<State> {
  const { state } = loaded;
  if (state === undefined) throw refusal();
  return { ...loaded, state };
}
