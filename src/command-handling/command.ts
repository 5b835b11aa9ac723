import type { z } from 'zod';
import type { Aggregate } from '../event-sourcing/aggregate.ts';
import type { Day, Moment } from '../event-sourcing/time.ts';
import type { Actor, DomainEvent, NewEvent, Recorded } from '../event-sourcing/event.ts';
import type { Tags } from '../domain/tags.ts';
import type { World } from '../domain/values/world.ts';
import type { ProductType } from '../domain/product/product.ts';
import type { ReservationEvent, ReservationKind } from '../domain/reservations.ts';
import type { OfferedProduct } from './ports.ts';

/** The environment a command acts in: a merchant's key brings it, the back office names it (`environment_id`). */
export interface ActingEnvironment {
  readonly environmentId: number;
  /** Tenant id of the merchant. */
  readonly merchantId: string;
  readonly testMode: boolean;
}

/** A stream as it was read: the state, and what the next append needs. */
export interface Loaded<State, E extends DomainEvent> {
  readonly stream: string;
  /** Undefined when the stream does not exist. */
  readonly state: State | undefined;
  /** Undefined when the stream does not exist. */
  readonly revision: number | undefined;
  readonly events: readonly Recorded<E>[];
}

/** A value to be reserved. */
export interface Reservation {
  readonly kind: ReservationKind;
  readonly scope: string;
  readonly value: string;
}

/** How a reservation ended: it is this command's, or it was another's before. */
export type ReservationOutcome =
  | { readonly kind: 'ours' }
  | { readonly kind: 'taken'; readonly by: Recorded<ReservationEvent> };

/**
 * Everything a command may know and do besides its input. Time and ids come from here, so the same command id makes the
 * same ids, and a command that is carried out later is judged at the time of its record.
 */
export interface CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  /** Only where the definition says `inEnvironment`; otherwise reading it is an error. */
  readonly environment: ActingEnvironment;
  /** As `environment`, for commands that the platform runs too: undefined when it does. */
  readonly environmentIfAny: ActingEnvironment | undefined;
  readonly world: World;
  /** Whether this command id may have been here before: then what it left behind is looked for. */
  readonly mayBeRepeated: boolean;
  /** The time the command is judged at. */
  readonly now: Moment;
  readonly today: Day;
  /** An id derived from the command id and these parts. */
  derive(...parts: readonly string[]): string;
  /** `bytes` random bytes, for secrets only. */
  random(bytes: number): Uint8Array;

  /** Reads and folds a stream. */
  load<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<Loaded<State, E>>;
  /**
   * As `load`, for the stream in which the command's own event will stand. When the event is there already, the command is
   * over and answered from it: this call does not return then.
   */
  loadTarget<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<Loaded<State, E>>;
  /**
   * As `loadTarget`, for the first stream of a row that is free (`targetInRow`): its state is undefined.
   */
  loadFreeTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    targetInRow: (commandId: string, place: number) => string,
  ): Promise<Loaded<State, E>>;
  /** The products of a type that quotes may be made of now, as their own world sees them, oldest first. */
  liveProducts(type: ProductType): Promise<readonly OfferedProduct[]>;
  /** The token of a merchant's verification link (`decisions`: Merchants). */
  verificationToken(tenantId: string, serial: number): string;
  /** Bytes that were kept before; undefined when they are not there. */
  findBlob(sha256: string): Promise<Uint8Array | undefined>;
  /** @throws {Refusal} `precondition_failed` when the client's `If-Match` does not name the revision that was read. */
  checkIfMatch(loaded: Pick<Loaded<unknown, never>, 'revision'>): void;

  /** Keeps bytes in records by content hash before the decision; returns their lower-case hex SHA-256. */
  saveBlob(bytes: Uint8Array): Promise<string>;
  /** The key no longer opens anything, from the moment this resolves. */
  revokeKey(keyId: string): Promise<void>;

  /**
   * The decision is "yes": `target` is where it will show. Must be called before anything is written; with an idempotency
   * key the record is then appended before the first thing that is, once that is known to be small enough.
   */
  commitTo(target: string): Promise<void>;
  /** Who has the value, if anybody. Needs no `accept`. */
  findReservation(reservation: Reservation): Promise<Recorded<ReservationEvent> | undefined>;
  /** Reserves a value for `target`. The reservation keeps the command's input, or what is given in its place. */
  reserve(
    reservation: Reservation & {
      readonly target: string;
      readonly tags: Tags;
      readonly input?: z.core.util.JSONType;
    },
  ): Promise<ReservationOutcome>;
  /** Reserves with an event of one's own (the customer's e-mail, which carries the customer). */
  reserveWith(reservation: Reservation, event: NewEvent<ReservationEvent>, tags: Tags): Promise<ReservationOutcome>;
  /** The next number of a sequence, from 1; the same one again for the same command. */
  takeNumber(sequence: string): Promise<number>;
  /**
   * Appends to a stream at the revision at which it was loaded. A conflict ends this attempt and the command is run again
   * from the start: never catch it.
   */
  append<E extends DomainEvent>(loaded: Loaded<unknown, E>, events: readonly NewEvent<E>[], tags: Tags): Promise<void>;
  /**
   * Makes a new stream. Another one's stream there is a conflict like any other; this command's own earlier one is fine. With
   * `madeBy`, ids are those of the command that reserved the value, so that a rival can complete what it began.
   */
  create<E extends DomainEvent>(
    stream: string,
    events: readonly NewEvent<E>[],
    tags: Tags,
    madeBy?: string,
  ): Promise<void>;
}

/** The events of a command, with everything its stream held up to them. */
export interface ExecutedCommand<E extends DomainEvent = DomainEvent> {
  /** The target stream from its beginning up to the command's last event. */
  readonly history: readonly Recorded<E>[];
  /** The command's own events. */
  readonly own: readonly Recorded<E>[];
}

/** How a handler ends. */
export interface Handled {
  /** The target stream. */
  readonly stream: string;
  /** Members of the result that are told this once and stored nowhere. */
  readonly once?: Readonly<Record<string, unknown>>;
}

export type CommandRole = 'merchant' | 'admin';

/**
 * A use case of the write side. `commands/registry.ts` lists them all; its functions are methods, so that a list can hold
 * commands of different inputs.
 */
export interface CommandDefinition<Schema extends z.ZodType = z.ZodType, E extends DomainEvent = DomainEvent> {
  /** As in `POST /api/v1/admin/commands/{name}`. */
  readonly name: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly input: Schema;
  /** Who may: `merchant` where a public operation runs it too, `admin` always (the back office). */
  readonly roles: readonly CommandRole[];
  /** Acts in one environment: the back office adds `environment_id` to the body. */
  readonly inEnvironment: boolean;
  /** Whether it makes something new (201) or not (200). */
  readonly creates: boolean;
  /**
   * For commands whose id always derives from their input (imports): the parts it derives from. They are looked for in their
   * target, without an idempotency record.
   */
  identity?(input: z.output<Schema>, environment: ActingEnvironment | undefined): readonly string[];
  /**
   * For commands whose target is named by a number that they take after `accept`: they accept with the sequence's stream, and
   * their event is looked for where their entry in it leads.
   */
  readonly numberedTarget?: (taken: number) => string;
  /**
   * For commands that make the first free stream of a row derived from their id: they accept with the first of the row, and
   * their event is looked for along it. Such a stream is never written to by two commands.
   */
  readonly targetInRow?: (commandId: string, place: number) => string;
  /**
   * Appends to the one stream that it loads as its target, and does nothing else. It may be decided by what this process last
   * knew of that stream: when the stream has moved on, the append is refused and the command decides anew.
   */
  readonly changesOneStream?: true;
  /** Reads, decides, then writes, the event in the target last. May be run several times; pure but for its context. @throws {Refusal} */
  handle(input: z.output<Schema>, context: CommandContext): Promise<Handled>;
  /** What the caller is told, folded from stored events alone. */
  result(executed: ExecutedCommand<E>): Readonly<Record<string, unknown>>;
}

/** Declares a command; the type parameters follow from the schema. */
export function defineCommand<Schema extends z.ZodType, E extends DomainEvent>(
  definition: CommandDefinition<Schema, E>,
): CommandDefinition<Schema, E> {
  return definition;
}

/** Any command, as the registry holds it. */
export type AnyCommand = CommandDefinition<z.ZodType, never>;

/** Folds the events of a stream to its state. @throws {Error} on an empty history. */
export function stateOf<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  history: readonly Recorded<E>[],
): State {
  const state = history.reduce<State | undefined>((folded, event) => aggregate.evolve(folded, event), undefined);
  if (state === undefined) throw new Error('an empty stream has no state');
  return state;
}
