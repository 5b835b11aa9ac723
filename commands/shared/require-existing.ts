import type { DomainEvent } from '#event-sourcing/event.ts';
import { Refusal, type RefusalCode } from '#domain/refusals.ts';
import type { LoadedStream } from '#event-sourcing/executor/command.ts';

export type ExistingStream<State, E extends DomainEvent> = LoadedStream<State, E> & { readonly state: State };

export function requireExisting<State, E extends DomainEvent>(
  loaded: LoadedStream<State, E>,
  code: RefusalCode,
  detail: string,
): ExistingStream<State, E> {
  const { state } = loaded;
  if (state === undefined) throw new Refusal(code, detail);
  return { ...loaded, state };
}
