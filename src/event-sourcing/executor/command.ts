import type { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { Instant } from '../time.ts';
import type { Actor, DomainEvent, NewEvent, RecordedEvent, Tags } from '../event.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { derivedId } from '../identifiers.ts';
import type { Environment, ReservedEvent, Rights, Services } from './application.ts';
import type { LoadedStream } from './loaded-stream.ts';

export interface Reservation {
  readonly kind: string;
  readonly scope: string;
  readonly value: string;
}

/** A reservation that stores the input of its command, so that the command can be completed from it. */
export interface InputReservation extends Reservation {
  /** Stream of the resource that gets the value. */
  readonly target: string;
  readonly tags: Tags;
  /** Stored in place of the input of the command. */
  readonly input?: z.core.util.JSONType;
}

/** A reservation with an event of the application instead of `ValueReserved`. */
export interface EventReservation extends Reservation {
  readonly event: NewEvent<ReservedEvent>;
  readonly tags: Tags;
}

/** `ours`: this command has the value. `taken`: another command reserved it before. */
export type ReservationOutcome =
  | { readonly kind: 'ours' }
  | { readonly kind: 'taken'; readonly by: RecordedEvent<ReservedEvent> };

export interface TaggedEvents {
  readonly events: readonly NewEvent<DomainEvent>[];
  readonly tags: Tags;
}

/** The events that a command decides. The executor appends them; without any, nothing is recorded. */
export interface Decision extends TaggedEvents {
  /**
   * The stream as it was loaded, to which the events are appended at its revision; or the name of a stream that must
   * not exist. On a conflict the whole command is tried again.
   */
  readonly target: LoadedStream<unknown> | string;
  /**
   * Events of another stream, appended in the same call right before those of the target, which has some too. The call
   * is not atomic: they may be appended alone. A repetition of the command must then find them in that stream, and not
   * return them again.
   */
  readonly preceding?: TaggedEvents & { readonly target: LoadedStream<unknown> };
  /** Returns members of the result that are returned once and never stored. */
  unstored?(executed: ExecutedCommand): Readonly<Record<string, unknown>>;
}

/**
 * Everything that a command is going to write when it writes to more than one stream: the decision, with the first
 * candidate of every value that is not reserved or numbered yet. Its target is where a repetition looks for the
 * command; that of a numbered target is the stream of the sequence.
 */
export interface WritePlan extends Decision {
  readonly reservations?: readonly (InputReservation | EventReservation)[];
  readonly referenced?: readonly TaggedEvents[];
}

/**
 * What a committed command may write. The record of its idempotency key is appended right before the first write. On a
 * conflict the whole command is tried again, so never catch the error. The first time it is appended with the decision,
 * or before the next read, and every value is taken to be free.
 */
export interface Writes {
  reserve(reservation: InputReservation | EventReservation): Promise<ReservationOutcome>;
  /** Takes the next number of a sequence, from 1. A repeated command gets the same number again. */
  takeNumber(sequence: string): Promise<number>;
  /**
   * Appends to another stream than the target: to one that was loaded, at its revision, or to a new one of this name.
   * It is a conflict if another command appended meanwhile; a repetition of this command is not. To complete the work
   * of another command, pass its id: the event ids derive from it.
   */
  append<E extends DomainEvent>(
    target: string | LoadedStream<unknown>,
    events: readonly NewEvent<E>[],
    tags: Tags,
    commandId?: string,
  ): Promise<void>;
}

/**
 * Everything that a command may read and do. Time and ids derive from the command id and its idempotency record, so a
 * repeated command creates the same ids and is decided as of the same time.
 */
export interface CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  /** @throws {Error} unless the definition has `inEnvironment` */
  readonly environment: Environment;
  /** Undefined when the platform runs the command outside any environment. */
  readonly environmentIfAny: Environment | undefined;
  /** Undefined: nothing limits the command. */
  readonly rights: Rights | undefined;
  /** True when a command of this id may have run before, so that its streams may exist. */
  readonly mayBeRepeated: boolean;
  readonly now: Instant;
  readonly services: Services;
  derive(...parts: readonly string[]): string;

  load<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<LoadedStream<State>>;
  /**
   * Like `load`, for the target of the decision. If this command may have run before, the whole stream is read: if it
   * already has an event of the command, the handler stops here and the command returns its recorded result.
   */
  loadTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<LoadedStream<State>>;
  /** Reads all events of a stream, those that were loaded and those that follow. */
  read(stream: string): Promise<readonly RecordedEvent[]>;
  findReservation(reservation: Reservation): Promise<RecordedEvent<ReservedEvent> | undefined>;
  /**
   * Checks the `If-Match` of the client. Only for commands with `takesIfMatch`.
   * @throws {Refusal} `precondition_failed` when it does not name this revision
   */
  checkIfMatch(loaded: Pick<LoadedStream<unknown>, 'revision'>): void;
  /**
   * Executes a system command first, for example one that is due on the target. Load the target again afterwards. What
   * it records stays, also if this command is refused.
   * @throws {Refusal}
   */
  execute(command: AnyCommand, input: object): Promise<void>;
  /**
   * Measures everything that the command is going to write, so that an event that is too large leaves nothing behind,
   * and returns what it may write. Only for commands that write to other streams than their target.
   * @throws {Refusal} `event_too_large`
   */
  commit(plan: WritePlan): Writes;
}

type ReadStream = (stream: string, options?: { readonly limit: number }) => Promise<readonly StoredEvent[]>;

/** The target with the events that a command has recorded in it. */
export interface ExecutedCommand<E extends DomainEvent = DomainEvent, State = unknown> extends LoadedStream<State> {
  readonly state: State;
  readonly events: readonly RecordedEvent<E>[];
}

type CommandRole = Exclude<Actor['role'], 'system'>;

/**
 * A use case of the write side. `commands/registry.ts` lists those that clients can send. Its functions are methods, so
 * that a list can hold commands of different inputs.
 */
export interface CommandDefinition<
  Schema extends z.ZodType = z.ZodType,
  E extends DomainEvent = DomainEvent,
  State = unknown,
  Command = never,
> {
  readonly name: string;
  readonly summary: string;
  readonly input: Schema;
  /**
   * `merchant` when a public operation runs it; the others run it as a command of the platform. Empty for system
   * commands.
   */
  readonly roles: readonly CommandRole[];
  /**
   * Name of the process to which a system command belongs: the label of the actor of its events, also where another
   * command executes it first.
   */
  readonly process?: string;
  /** Set when it acts in one environment. Administrators then add `environment_id` to the body. */
  readonly inEnvironment?: true;
  /** Set when it creates a resource (201, else 200). */
  readonly creates?: true;
  /** Set when `If-Match` is compared; the API reference documents it and 412 for these commands. */
  readonly takesIfMatch?: true;
  /**
   * Returns the parts from which the command id derives, for commands that are identified by their input (imports, due
   * changes). Such a command needs no idempotency record: its target shows whether it ran.
   */
  identity?(input: z.output<Schema>, environment: Environment | undefined): readonly string[];
  /**
   * Returns the target of a command that ran before, where the record of its idempotency key does not name it;
   * undefined as long as the command has none.
   */
  findTarget?(commandId: string, readStream: ReadStream): Promise<string | undefined>;
  /**
   * Set when the command appends to its target and has no other effect. Its first attempt may then use the cached
   * state: if the stream has changed, the append fails and the command decides again.
   */
  readonly changesOneStream?: true;
  readonly aggregate: Aggregate<State, E>;
  /**
   * Decides what happens: pure, from the state of the target and a command that holds everything that was looked up,
   * such as the day, new ids and details of other resources. A decider of a new resource takes no state, another one
   * never an undefined state.
   * @throws {Refusal}
   */
  decide(this: void, state: State | undefined, command: Command): readonly NewEvent<DomainEvent>[];
  /**
   * Looks up what `decide` needs, and calls it. It may run several times and has no effects but through its context.
   * @throws {Refusal}
   */
  handle(input: z.output<Schema>, context: CommandContext): Promise<Decision>;
  /**
   * Does what remains after the append, before the command responds, and again before a repetition responds: a second
   * time it changes nothing.
   * @returns what the result is made from
   * @throws {Refusal} which is the response, although the events of the command stay
   */
  finish?(executed: ExecutedCommand<E, State>, context: FinishContext): Promise<ExecutedCommand<E, State>>;
  /**
   * Returns the result, without the method `{}`. It depends on stored events alone, so that a repetition returns the
   * same; `services` are those of the context.
   */
  result?(executed: ExecutedCommand<E, State>, services: Services): Readonly<Record<string, unknown>>;
}

/** What `finish` may do: execute system commands, and read. */
export interface FinishContext {
  execute(command: AnyCommand, input: object): Promise<void>;
  /** Reads a stream again. */
  read(stream: string): Promise<readonly RecordedEvent[]>;
}

export type AnyCommand = CommandDefinition;

/** Returns the id of the command that wrote a stored event; undefined when its metadata has none. */
export function commandIdOf({ metadata }: Pick<StoredEvent, 'metadata'>): string | undefined {
  return (metadata as { command?: { id?: string } } | null)?.command?.id;
}

/**
 * Returns the id of the event that a command appends to a stream as its n-th. A retry derives the same ids, so the
 * event store recognises it.
 */
export function eventIdOf(commandId: string, stream: string, index: number): string {
  return derivedId(commandId, 'event', stream, String(index));
}
