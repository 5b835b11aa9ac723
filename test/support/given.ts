import { expect } from '@jest/globals';
import type { CommandDefinition } from '#event-sourcing/executor/command.ts';
import { decode, encode } from '#domain/events.ts';
import { type Aggregate, foldState } from '#event-sourcing/aggregate.ts';
import type { DomainEvent, RecordedEvent } from '#event-sourcing/event.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { Refusal } from '#domain/refusals.ts';

/** An event of a stream in a test; without a business day it gets a default. */
export interface GivenEvent {
  readonly type: string;
  readonly data: object;
}

/** Time at which given events are recorded, and its day. */
export const NOW = '2026-03-01T10:00:00.000Z';
export const DAY = '2026-03-01';

/** What a decider returned or threw. */
class Decided {
  readonly #decide: () => readonly GivenEvent[];

  constructor(decide: () => readonly GivenEvent[]) {
    this.#decide = decide;
  }

  /** Expects exactly these events. Their data is compared as the log stores it. */
  then(...expected: readonly GivenEvent[]): void {
    expect(this.#decide().map(comparable)).toEqual(expected.map(comparable));
  }

  /** Returns what the decider decided, to be given to the next one. */
  events(): readonly GivenEvent[] {
    return this.#decide();
  }

  thenNothing(): void {
    expect(this.#decide()).toEqual([]);
  }

  /** Expects a refusal with this code, and with these fields if they are given. */
  thenRefused(code: string, details: Partial<Pick<Refusal, 'fields' | 'members'>> = {}): void {
    expect(this.error()).toMatchObject({ code, ...details });
    expect(this.error()).toBeInstanceOf(Refusal);
  }

  /** Returns what the decider threw; undefined when it decided. */
  error(): unknown {
    try {
      this.#decide();
    } catch (error) {
      return error;
    }
    return undefined;
  }
}

/**
 * Starts a test of a decider: `given(events).when(definition, command).then(events)`, without executor, store or
 * projection.
 */
export function given(...history: readonly GivenEvent[]) {
  return {
    /** Returns the state that an aggregate folds from the given events. */
    foldedBy: <State, E extends DomainEvent>(aggregate: Aggregate<State, E>): State | undefined =>
      fold(aggregate, history),
    /**
     * Runs the decider of a command, with the members that it reads, on the state that its aggregate folds from the
     * given events.
     */
    when: <State, Command>(
      { aggregate, decide }: Pick<CommandDefinition<never, never, State, Command>, 'aggregate' | 'decide'>,
      command: Partial<Command>,
    ): Decided => new Decided(() => decide(fold(aggregate, history), command as Command)),
  };
}

function fold<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  history: readonly GivenEvent[],
): State | undefined {
  return foldState(
    aggregate,
    history.map((event, revision) => recorded(event, revision) as RecordedEvent<E>),
  );
}

function recorded(event: GivenEvent, revision: number): RecordedEvent {
  const id = derivedId('given', String(revision));
  const command = { name: 'Given', id };
  const metadata = { recordedAt: NOW, actor: { role: 'system' as const, keyId: null }, command };
  return decode({ id, stream: 'given', revision, position: BigInt(revision + 1), ...asStored(event), metadata });
}

/** An event as it is stored is the same whether it had to be decoded or not. */
function comparable(event: GivenEvent) {
  const { decoded: _, ...stored } = asStored(event);
  return stored;
}

function asStored({ type, data }: GivenEvent) {
  return encode({ type, data: { effectiveAt: DAY, ...data } });
}
