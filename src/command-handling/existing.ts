import type { DomainEvent } from '../event-sourcing/event.ts';
import { Refusal, type RefusalCode } from '../domain/refusals.ts';
import type { Loaded } from './command.ts';

/** A stream that is there. */
export type Existing<State, E extends DomainEvent> = Loaded<State, E> & {
  readonly state: State;
  readonly revision: number;
};

/** Goes on only with what exists. @throws {Refusal} `code` when the stream is empty */
export function existing<State, E extends DomainEvent>(
  loaded: Loaded<State, E>,
  code: RefusalCode,
  detail: string,
): Existing<State, E> {
  const { state, revision } = loaded;
  if (state === undefined || revision === undefined) throw new Refusal(code, detail);
  return { ...loaded, state, revision };
}
