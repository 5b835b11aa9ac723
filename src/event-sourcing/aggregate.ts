import type { DomainEvent, EventDefinition, RecordedEvent } from './event.ts';

/** An aggregate: the category of its streams, its events and their fold. `evolve` is pure and handles every event. */
export interface Aggregate<State, E extends DomainEvent> {
  readonly category: string;
  /** Every version ever written, the newest included. */
  readonly events: readonly EventDefinition[];
  evolve(this: void, state: State | undefined, event: RecordedEvent<E>): State;
}

export function foldState<State, E extends DomainEvent>(
  { evolve }: Pick<Aggregate<State, E>, 'evolve'>,
  history: readonly RecordedEvent<E>[],
): State | undefined {
  return history.reduce<State | undefined>((state, event) => evolve(state, event), undefined);
}

export function stateOf<State, E extends DomainEvent>(
  aggregate: Pick<Aggregate<State, E>, 'evolve'>,
  history: readonly RecordedEvent<E>[],
): State {
  const state = foldState(aggregate, history);
  if (state === undefined) throw new Error('an empty stream has no state');
  return state;
}

export function categoryOf(stream: string): string {
  return stream.split('-', 1)[0] ?? stream;
}

export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
