import type { Aggregate } from '../event-sourcing/aggregate.ts';
import {
  IdempotencyRecorded,
  idempotencyStream,
  NumberTaken,
  sequenceStream,
} from '../event-sourcing/system-events.ts';
import { decode, encode } from '../domain/events.ts';
import { rawRecordedAt } from '../event-sourcing/codec.ts';
import { type Day, dayOf, laterOf, type Moment } from '../event-sourcing/time.ts';
import type { Actor, DomainEvent, Metadata, NewEvent, Recorded } from '../event-sourcing/event.ts';
import { type Tags, merchantTags } from '../domain/tags.ts';
import { derivedId } from '../event-sourcing/identifiers.ts';
import { type World, worldOf } from '../domain/values/world.ts';
import type { ProductType } from '../domain/product/product.ts';
import { Refusal } from '../domain/refusals.ts';
import { type ReservationEvent, reservationStream, ValueReserved } from '../domain/reservations.ts';
import {
  bytesOf,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type StoredEvent,
  WrongExpectedRevision,
} from '../event-store/event-store.ts';
import { withSpan } from '../observability/traces.ts';
import type {
  ActingEnvironment,
  ExecutedCommand,
  CommandContext,
  Loaded,
  Reservation,
  ReservationOutcome,
} from './command.ts';
import { FINGERPRINT_VERSION, fingerprintOf } from './fingerprint.ts';
import type { CommandPorts, OfferedProduct } from './ports.ts';
import type { CommandRequest } from './request.ts';
import type { Progress } from './progress.ts';
import { AlreadyExecuted, KeyRecordedMeanwhile } from './signals.ts';
import type { StreamCache } from './stream-cache.ts';

/** How often an entry in a sequence is tried when others take numbers at the same time. */
const MOST_TRIES_FOR_A_NUMBER = 200;

/** One attempt at a command. A new one is made for every retry, but for what `progress` remembers. */
export class Attempt implements CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  readonly mayBeRepeated: boolean;
  readonly now: Moment;
  readonly #commandName: string;
  readonly #request: CommandRequest;
  readonly #ports: CommandPorts;
  readonly #progress: Progress;
  readonly #memory: StreamCache | undefined;
  /** The stream that was taken from memory. */
  #recalled: string | undefined;
  /** Stream → what it held when it was loaded. */
  readonly #loaded = new Map<string, readonly Recorded[]>();
  /** Stream → what this attempt appended to it, behind what it had read of it. */
  readonly #written = new Map<string, ExecutedCommand>();
  readonly #lastRecordedAt = new Map<string, Moment>();
  /** The target of the record of the key, once the decision is yes. */
  #target: string | undefined;

  /** With `memory`, the target is what the memory knows of it, and nothing but the target may be written. */
  constructor(
    commandName: string,
    request: CommandRequest,
    ports: CommandPorts,
    progress: Progress,
    memory: StreamCache | undefined,
  ) {
    this.commandId = progress.commandId;
    this.actor = request.actor;
    this.mayBeRepeated = progress.mayBeRepeated;
    this.now = progress.decidedAt;
    this.#commandName = commandName;
    this.#request = request;
    this.#ports = ports;
    this.#progress = progress;
    this.#memory = memory;
  }

  /** Whether what was decided hangs on what the log may have gone beyond. */
  get hasRecalled(): boolean {
    return this.#recalled !== undefined;
  }

  /** Whether the decision was yes. */
  get hasCommitted(): boolean {
    return this.#target !== undefined;
  }

  get environment(): ActingEnvironment {
    if (this.#request.environment === undefined) throw new Error(`${this.#commandName} was run without an environment`);
    return this.#request.environment;
  }

  get environmentIfAny(): ActingEnvironment | undefined {
    return this.#request.environment;
  }

  get world(): World {
    return worldOf(this.environment.testMode);
  }

  get today(): Day {
    return dayOf(this.now);
  }

  derive(...parts: readonly string[]): string {
    return derivedId(this.commandId, ...parts);
  }

  random(bytes: number): Uint8Array {
    return this.#ports.randomBytes(bytes);
  }

  async load<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, stream: string): Promise<Loaded<State, E>> {
    const raw = await this.#ports.eventStore.readStream(stream);
    return this.#fold(
      aggregate,
      stream,
      raw.map((event) => decode(event) as Recorded<E>),
    );
  }

  #fold<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
    events: readonly Recorded<E>[],
  ): Loaded<State, E> {
    const state = events.reduce<State | undefined>((folded, event) => aggregate.evolve(folded, event), undefined);
    this.#loaded.set(stream, events);
    const last = events.at(-1);
    if (last !== undefined) this.#lastRecordedAt.set(stream, last.metadata.recordedAt);
    return { stream, state, revision: last?.revision, events };
  }

  async loadTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<Loaded<State, E>> {
    const loaded = this.#recall(aggregate, stream) ?? (await this.load(aggregate, stream));
    if (loaded.events.some((event) => event.metadata.command.id === this.commandId)) throw new AlreadyExecuted(stream);
    return loaded;
  }

  #recall<State, E extends DomainEvent>(aggregate: Aggregate<State, E>, stream: string): Loaded<State, E> | undefined {
    const events = this.#memory?.recall(stream);
    if (events === undefined) return undefined;
    this.#recalled = stream;
    return this.#fold(aggregate, stream, events as readonly Recorded<E>[]);
  }

  async loadFreeTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    targetInRow: (commandId: string, place: number) => string,
  ): Promise<Loaded<State, E>> {
    for (let place = 0; ; place++) {
      const loaded = await this.loadTarget(aggregate, targetInRow(this.commandId, place));
      if (loaded.state === undefined) return loaded;
    }
  }

  async liveProducts(type: ProductType): Promise<readonly OfferedProduct[]> {
    return await this.#ports.catalogue.liveProducts(type, this.world);
  }

  verificationToken(tenantId: string, serial: number): string {
    return this.#ports.verificationToken(tenantId, serial);
  }

  async findBlob(sha256: string): Promise<Uint8Array | undefined> {
    return await this.#ports.records.getBlob(sha256);
  }

  checkIfMatch(loaded: Pick<Loaded<unknown, never>, 'revision'>): void {
    const wanted = this.#request.ifMatch;
    if (wanted === undefined || (loaded.revision !== undefined && wanted.includes(loaded.revision))) return;
    throw new Refusal(
      'precondition_failed',
      'The resource has changed since it was read; read it again and decide anew',
    );
  }

  async saveBlob(bytes: Uint8Array): Promise<string> {
    return await this.#ports.records.putBlob(bytes);
  }

  async revokeKey(keyId: string): Promise<void> {
    await this.#ports.records.revokeKey(keyId);
  }

  async commitTo(target: string): Promise<void> {
    this.#target = target;
    await Promise.resolve();
  }

  /** Before anything else is written; not sooner, because what is too large to be written is a refusal and leaves nothing. */
  async #recordKey(): Promise<void> {
    const key = this.#request.idempotency;
    if (this.#target === undefined || key === undefined || this.#progress.keyRecorded) return;
    const data = {
      fingerprint: fingerprintOf(key.request, FINGERPRINT_VERSION),
      fingerprintVersion: FINGERPRINT_VERSION,
      target: this.#target,
      decidedAt: this.now,
    };
    const event: DomainEvent = { type: IdempotencyRecorded.type, data };
    const stream = idempotencyStream(this.commandId);
    const batch = this.#batch(stream, [event], merchantTags(this.environmentIfAny), () => this.#ports.randomId());
    try {
      await this.#append(stream, 'no_stream', batch);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) throw new KeyRecordedMeanwhile();
      throw error;
    }
    this.#progress.keyRecorded = true;
  }

  async findReservation(reservation: Reservation): Promise<Recorded<ReservationEvent> | undefined> {
    const stream = reservationStream(reservation.kind, reservation.scope, reservation.value);
    const [first] = await this.#ports.eventStore.readStream(stream, { limit: 1 });
    return first && (decode(first) as Recorded<ReservationEvent>);
  }

  async reserve(reservation: Parameters<CommandContext['reserve']>[0]): Promise<ReservationOutcome> {
    const { kind, scope, value, target, tags, input = this.#request.input as Record<string, never> } = reservation;
    const environment = this.environmentIfAny ?? null;
    const data = { kind, scope, value, target, decidedAt: this.now, actor: this.actor, environment, input };
    return await this.reserveWith({ kind, scope, value }, { type: ValueReserved.type, data }, tags);
  }

  async reserveWith(
    reservation: Reservation,
    event: NewEvent<ReservationEvent>,
    tags: Tags,
  ): Promise<ReservationOutcome> {
    const stream = reservationStream(reservation.kind, reservation.scope, reservation.value);
    try {
      // What it carries is written once more, and more with it, when the command is carried out to its end.
      const ids = eventIdsOf(this.commandId, stream);
      await this.#write(stream, 'no_stream', [event], tags, ids, MAX_APPEND_BYTES / 2);
      return { kind: 'ours' };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      const by = await this.findReservation(reservation);
      if (by === undefined) throw new Error(`${stream} is taken, and yet it is not there`, { cause: error });
      return by.metadata.command.id === this.commandId ? { kind: 'ours' } : { kind: 'taken', by };
    }
  }

  async takeNumber(sequence: string): Promise<number> {
    const stream = sequenceStream(sequence);
    const known = this.#progress.numbers.get(stream);
    if (known !== undefined) return known;
    const number = (await this.#enter(stream)) + 1;
    this.#progress.numbers.set(stream, number);
    return number;
  }

  async append<E extends DomainEvent>(
    loaded: Loaded<unknown, E>,
    events: readonly NewEvent<E>[],
    tags: Tags,
  ): Promise<void> {
    await this.#write(loaded.stream, loaded.revision ?? 'no_stream', events, tags);
  }

  async create<E extends DomainEvent>(
    stream: string,
    events: readonly NewEvent<E>[],
    tags: Tags,
    madeBy = this.commandId,
  ): Promise<void> {
    await this.#write(stream, 'no_stream', events, tags, eventIdsOf(madeBy, stream));
  }

  /** What this attempt did to the stream, without reading it again: only for ids that were never used before. */
  executed(stream: string): ExecutedCommand {
    const written = this.#written.get(stream);
    if (written === undefined) throw new Error(`${this.#commandName} did not write to its target ${stream}`);
    return written;
  }

  /** Revision of the command's own entry in a sequence: the one it made before, or a new one behind the last. */
  async #enter(stream: string): Promise<number> {
    let last = this.mayBeRepeated ? undefined : await this.#ports.eventStore.readLast(stream);
    for (let tries = 1; ; tries++) {
      if (this.mayBeRepeated || tries > 1) {
        const news = await this.#ports.eventStore.readStream(stream, { from: (last?.revision ?? -1) + 1 });
        const own = news.find((raw) => commandIdOf(raw) === this.commandId);
        if (own !== undefined) return own.revision;
        last = news.at(-1) ?? last;
      }
      // Of a sequence only the place counts, so an entry that cannot be read takes a number and stops nobody.
      if (last !== undefined) this.#lastRecordedAt.set(stream, rawRecordedAt(last) ?? '');
      const event: DomainEvent = { type: NumberTaken.type, data: { commandId: this.commandId } };
      try {
        await this.#write(stream, last?.revision ?? 'no_stream', [event], merchantTags(this.environmentIfAny));
        return (last?.revision ?? -1) + 1;
      } catch (error) {
        // Nothing that was decided hangs on the number, so only the entry is tried again.
        if (!(error instanceof WrongExpectedRevision) || tries === MOST_TRIES_FOR_A_NUMBER) throw error;
      }
    }
  }

  async #write(
    stream: string,
    expected: ExpectedRevision,
    events: readonly DomainEvent[],
    tags: Tags,
    idOf: (index: number) => string = eventIdsOf(this.commandId, stream),
    most = MAX_APPEND_BYTES,
  ): Promise<void> {
    if (this.#target === undefined) throw new Error(`${this.#commandName} writes before it has accepted`);
    // Only an append to the recalled stream itself is refused when the memory is behind.
    if (this.#recalled !== undefined && stream !== this.#recalled)
      throw new Error(`${this.#commandName} writes to ${stream}, and not only to what it has recalled`);
    // The ids of a second write would be those of the first.
    if (this.#written.has(stream)) throw new Error(`${this.#commandName} writes twice to ${stream}`);
    const batch = this.#batch(stream, events, tags, idOf);
    refuseTooLarge(batch, most);
    await this.#recordKey();
    await this.#append(stream, expected, batch);
  }

  #batch(
    stream: string,
    events: readonly DomainEvent[],
    tags: Tags,
    idOf: (index: number) => string,
  ): readonly EventOfBatch[] {
    const recordedAt = laterOf(this.#ports.now(), this.#lastRecordedAt.get(stream) ?? '');
    const metadata = this.#metadata(recordedAt, tags);
    return events.map((event, index) => {
      const data = { effectiveAt: dayOf(recordedAt), ...(event.data as object) };
      return { id: idOf(index), ...encode({ type: event.type, data }), metadata };
    });
  }

  async #append(stream: string, expected: ExpectedRevision, batch: readonly EventOfBatch[]): Promise<void> {
    this.#ports.memory.forget(stream);
    const attributes = { 'surety.stream': stream, 'surety.events': batch.length };
    const { revision, position } = await withSpan(
      'append',
      { attributes },
      async () => await this.#ports.eventStore.append(stream, expected, batch),
    );
    this.#progress.wrote(position);
    const last = batch.at(-1)?.metadata.recordedAt;
    if (last !== undefined) this.#lastRecordedAt.set(stream, last);
    const first = revision - batch.length + 1;
    const own = batch.map((event, index) => decode({ ...event, stream, revision: first + index, position }));
    this.#written.set(stream, { history: [...(this.#loaded.get(stream) ?? []), ...own], own });
  }

  #metadata(recordedAt: Moment, tags: Tags): Metadata {
    const { requestId, traceparent, given } = this.#request;
    return {
      recordedAt,
      $correlationId: given?.correlationId ?? requestId ?? this.commandId,
      $causationId: given?.causationId ?? this.commandId,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(requestId === undefined ? {} : { requestId }),
      actor: this.actor,
      ...tags,
      command: { name: this.#commandName, id: this.commandId },
    };
  }
}

/** An event of one append. */
type EventOfBatch = EventToAppend & { readonly data: object; readonly metadata: Metadata };

/** @throws {Refusal} `event_too_large` */
function refuseTooLarge(batch: readonly EventToAppend[], most: number): void {
  const bytes = batch.reduce((sum, event) => sum + bytesOf(event), 0);
  if (bytes <= most) return;
  throw new Refusal('event_too_large', `This would record ${bytes} bytes, and at most ${most} can be kept at once`);
}

/** The command that wrote a stored event, as far as its metadata tells. */
export function commandIdOf(raw: StoredEvent): string | undefined {
  return (raw.metadata as { command?: { id?: string } } | null)?.command?.id;
}

/** Event ids of a command in one of its streams: the same command makes the same ids, so a retry is recognised by place. */
function eventIdsOf(commandId: string, stream: string): (index: number) => string {
  return (index) => derivedId(commandId, 'event', stream, String(index));
}
