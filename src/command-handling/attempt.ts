import type { Aggregate } from '../event-sourcing/aggregate.ts';
import {
  IdempotencyRecorded,
  idempotencyStream,
  NumberTaken,
  sequenceStream,
} from '../event-sourcing/system-events.ts';
import { type Day, dayOf, laterOf, type Moment } from '../event-sourcing/time.ts';
import type { Actor, DomainEvent, StoredMetadata, NewEvent, RecordedEvent, Tags } from '../event-sourcing/event.ts';
import { derivedId } from '../event-sourcing/identifiers.ts';
import { Refusal } from '../event-sourcing/refusal.ts';
import { reservationStream } from '../event-sourcing/reservations.ts';
import { type ExpectedRevision, MAX_APPEND_BYTES, WrongExpectedRevision } from '../event-store/event-store.ts';
import type {
  AnyCommand,
  CommandContext,
  Decision,
  Draft,
  ExecutedCommand,
  InputReservation,
  LoadedStream,
  Reservation,
  ReservationOutcome,
  TaggedEvents,
} from './command.ts';
import { appendBatches, type AppendedEvents, type BatchAppend } from './append-batches.ts';
import { type BatchEvent, batchBuilder, checkSize, eventIdsOf, metadataOf } from './batch.ts';
import { fingerprintOf } from './fingerprint.ts';
import { readExecuted, readHistory } from './history.ts';
import type { CommandPorts, ExecuteCommand } from './ports.ts';
import { type CommandRequest, systemRequest } from './request.ts';
import type { Progress } from './progress.ts';
import { AlreadyExecuted, KeyAlreadyRecorded } from './signals.ts';
import type { StreamCache } from './stream-cache.ts';
import { valueReservedBuilder } from './value-reserved.ts';

/** The decision repeats the input that a reservation stores, and adds to it. */
const MAX_RESERVATION_BYTES = MAX_APPEND_BYTES / 2;
/** How much larger a decision may be than its draft: a number can have more digits than its first candidate. */
const DRAFT_MARGIN_BYTES = 1024;

/** One attempt to execute a command. Attempts share only the `Progress` of the command. */
export class Attempt implements CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  readonly mayBeRepeated: boolean;
  readonly now: Moment;
  readonly #command: AnyCommand;
  readonly #request: CommandRequest;
  readonly #ports: CommandPorts;
  readonly #progress: Progress;
  readonly #cache: StreamCache | undefined;
  readonly #executeOther: ExecuteCommand;
  #hasExecutedOther = false;
  /** The stream that was read from the cache. */
  #cachedStream: string | undefined;
  /** Events by stream, as loaded. */
  readonly #loaded = new Map<string, readonly RecordedEvent[]>();
  /** Appended events by stream, as they are stored. */
  readonly #written = new Map<string, AppendedEvents>();
  readonly #valueReserved: ReturnType<typeof valueReservedBuilder>;
  readonly #build: ReturnType<typeof batchBuilder>;
  readonly #lastRecordedAt = new Map<string, Moment>();
  /** Undefined until the decision, or its draft, has been measured. */
  #committed: Decision | undefined;

  /** With a cache, the command may write to no other stream than the target. */
  constructor(
    command: AnyCommand,
    request: CommandRequest,
    ports: CommandPorts,
    progress: Progress,
    cache: StreamCache | undefined,
    executeOther: ExecuteCommand,
  ) {
    this.commandId = progress.commandId;
    this.actor = request.actor;
    this.mayBeRepeated = progress.mayBeRepeated;
    this.now = progress.decidedAt;
    this.#command = command;
    this.#request = request;
    this.#ports = ports;
    this.#progress = progress;
    this.#cache = cache;
    this.#executeOther = executeOther;
    this.#build = batchBuilder(ports.codec);
    const { environment, input } = request;
    this.#valueReserved = valueReservedBuilder({ decidedAt: this.now, actor: this.actor, environment, input });
  }

  /** True when the decision may be based on a stale stream. */
  get usedCache(): boolean {
    return this.#cachedStream !== undefined;
  }

  get hasCommitted(): boolean {
    return this.#committed !== undefined;
  }

  get environment(): object {
    if (this.#request.environment === undefined) throw new Error(`${this.#command.name} has no environment`);
    return this.#request.environment;
  }

  get environmentIfAny(): object | undefined {
    return this.#request.environment;
  }

  get services(): unknown {
    return this.#ports.services;
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

  async load<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<LoadedStream<State, E>> {
    const events = await readHistory(stream, this.#ports, this.#ports.streamCache.get(stream));
    return this.#fold(aggregate, stream, events as readonly RecordedEvent<E>[]);
  }

  #fold<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
    events: readonly RecordedEvent<E>[],
  ): LoadedStream<State, E> {
    const state = events.reduce<State | undefined>((folded, event) => aggregate.evolve(folded, event), undefined);
    this.#loaded.set(stream, events);
    const last = events.at(-1);
    if (last !== undefined) this.#lastRecordedAt.set(stream, last.metadata.recordedAt);
    return { stream, state, revision: last?.revision, events };
  }

  async loadTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<LoadedStream<State, E>> {
    const loaded = this.#loadCached(aggregate, stream) ?? (await this.load(aggregate, stream));
    if (loaded.events.some((event) => event.metadata.command.id === this.commandId)) throw new AlreadyExecuted(stream);
    return loaded;
  }

  #loadCached<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): LoadedStream<State, E> | undefined {
    const events = this.#cache?.get(stream);
    // Another process may have executed the same system command, so the cache may be stale.
    if (events === undefined || this.#hasExecutedOther) return undefined;
    this.#cachedStream = stream;
    return this.#fold(aggregate, stream, events as readonly RecordedEvent<E>[]);
  }

  async loadFreeTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    candidateTarget: (commandId: string, candidate: number) => string,
  ): Promise<LoadedStream<State, E>> {
    for (let candidate = 0; ; candidate++) {
      const loaded = await this.loadTarget(aggregate, candidateTarget(this.commandId, candidate));
      if (loaded.state === undefined) return loaded;
    }
  }

  checkIfMatch(loaded: Pick<LoadedStream<unknown, never>, 'revision'>): void {
    if (this.#command.takesIfMatch !== true) throw new Error(`${this.#command.name} is not declared to take If-Match`);
    const expected = this.#request.ifMatch;
    if (expected === undefined || (loaded.revision !== undefined && expected.includes(loaded.revision))) return;
    throw new Refusal(
      'precondition_failed',
      'The resource has changed since it was read; read it again and decide again',
    );
  }

  async saveBlob(bytes: Uint8Array): Promise<string> {
    return await this.#ports.records.putBlob(bytes);
  }

  async revokeKey(keyId: string): Promise<void> {
    await this.#ports.records.revokeKey(keyId);
  }

  commitTo({ decision, reservations = [], referenced = [] }: Draft): void {
    for (const reservation of reservations) {
      const event = this.#valueReserved(reservation);
      this.#measure({ events: [event], tags: reservation.tags }, MAX_RESERVATION_BYTES);
    }
    for (const each of referenced) this.#measure(each, MAX_APPEND_BYTES);
    this.#measure(decision, MAX_APPEND_BYTES - DRAFT_MARGIN_BYTES);
    this.#committed = decision;
  }

  #measure({ events, tags }: TaggedEvents, maxBytes: number): void {
    const metadata = this.#metadata(this.now, tags);
    checkSize(
      this.#build(events, () => this.commandId, metadata),
      maxBytes,
    );
  }

  /** Appends the decision of the handler. Call it once. */
  async append(decision: Decision): Promise<void> {
    this.#committed ??= decision;
    await this.appendReferenced(decision.target, decision.events, decision.tags);
  }

  /**
   * Returns the append of the key, if it is not recorded yet. It belongs before the first write and after its size is checked: a refused
   * command must leave no record.
   */
  #keyRecord(decision: Decision): readonly BatchAppend[] {
    const key = this.#request.idempotency;
    if (key === undefined || this.#progress.keyRecorded) return [];
    const data = {
      fingerprint: fingerprintOf(key.request),
      target: this.#recordedTarget(decision),
      decidedAt: this.now,
    };
    const event: DomainEvent = { type: IdempotencyRecorded.type, data };
    const stream = this.#keyStream;
    const batch = this.#batch(stream, [event], this.#ports.tagsOf(this.environmentIfAny), () => this.#ports.randomId());
    return [{ stream, expected: 'no_stream', events: batch }];
  }

  get #keyStream(): string {
    return idempotencyStream(this.commandId);
  }

  /** Returns the stream from which a retry finds the target. */
  #recordedTarget(decision: Decision): string {
    const { numberedTarget, candidateTarget } = this.#command;
    if (numberedTarget !== undefined) return sequenceStream(numberedTarget.sequence);
    return candidateTarget?.(this.commandId, 0) ?? targetStreamOf(decision);
  }

  async execute(command: AnyCommand, input: object): Promise<void> {
    this.#hasExecutedOther = true;
    const { position } = await this.#executeOther(command, systemRequest(input, this.#request), this.#ports);
    this.#progress.advanceTo(position);
  }

  async findReservation(reservation: Reservation): Promise<RecordedEvent | undefined> {
    const stream = reservationStream(reservation.kind, reservation.scope, reservation.value);
    const [first] = await this.#ports.eventStore.readStream(stream, { limit: 1 });
    return first && this.#ports.codec.decode(first);
  }

  async reserve(reservation: InputReservation): Promise<ReservationOutcome> {
    return await this.reserveWith(reservation, this.#valueReserved(reservation), reservation.tags);
  }

  async reserveWith(reservation: Reservation, event: NewEvent<DomainEvent>, tags: Tags): Promise<ReservationOutcome> {
    const stream = reservationStream(reservation.kind, reservation.scope, reservation.value);
    try {
      await this.#write(stream, 'no_stream', [event], tags);
      return { kind: 'ours' };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      const by = await this.findReservation(reservation);
      if (by === undefined) throw new Error(`${stream} is reserved but cannot be read`, { cause: error });
      return by.metadata.command.id === this.commandId ? { kind: 'ours' } : { kind: 'taken', by };
    }
  }

  async takeNumber(sequence: string): Promise<number> {
    const stream = sequenceStream(sequence);
    const known = this.#progress.numbers.get(stream);
    if (known !== undefined) return known;
    const number = (await this.#revisionInSequence(stream)) + 1;
    this.#progress.numbers.set(stream, number);
    return number;
  }

  async appendReferenced<E extends DomainEvent>(
    target: string | Pick<LoadedStream<unknown, never>, 'stream' | 'revision'>,
    events: readonly NewEvent<E>[],
    tags: Tags,
    commandId = this.commandId,
  ): Promise<void> {
    const { stream, revision } = typeof target === 'string' ? { stream: target, revision: undefined } : target;
    await this.#write(stream, revision ?? 'no_stream', events, tags, eventIdsOf(commandId, stream));
  }

  /**
   * Returns the target. Reads it again when only that shows what is stored: the event store ignores the data of an append whose event
   * ids it knows, which those of a new command are not.
   */
  async executed(stream: string, isNewCommand: boolean): Promise<ExecutedCommand> {
    const written = this.#written.get(stream);
    if (written === undefined) throw new Error(`${this.#command.name} did not write to its target ${stream}`);
    const loaded = this.#loaded.get(stream);
    if (!written.areStored && !isNewCommand)
      return await readExecuted(stream, this.commandId, this.#ports, loaded, written.events.at(-1)?.position);
    const events = written.events.map((event) => this.#ports.codec.decode(event));
    return { history: [...(loaded ?? []), ...events], events };
  }

  /** Returns the revision of the command's entry in a sequence: an earlier one of this command, or a new one at the end. */
  async #revisionInSequence(stream: string): Promise<number> {
    await this.#append(this.#keyRecord(this.#requireCommitted(stream)));
    const { revision, position } = await this.#ports.sequences.append(this.#ports.eventStore, stream, {
      commandId: this.commandId,
      mayBeRepeated: this.mayBeRepeated,
      build: (notBefore) => this.#sequenceEntry(stream, notBefore),
    });
    if (position !== undefined) this.#progress.advanceTo(position);
    return revision;
  }

  #sequenceEntry(stream: string, notBefore: Moment): readonly BatchEvent[] {
    const event: DomainEvent = { type: NumberTaken.type, data: { commandId: this.commandId } };
    const recordedAt = laterOf(this.#ports.now(), notBefore);
    const metadata = this.#metadata(recordedAt, this.#ports.tagsOf(this.environmentIfAny));
    return this.#build([event], eventIdsOf(this.commandId, stream), metadata);
  }

  /** Checks what an append to the stream may count on. */
  #requireCommitted(stream: string): Decision {
    if (this.#committed === undefined) throw new Error(`${this.#command.name} writes before commitTo`);
    // Only an append to the cached stream itself detects that the cache is stale.
    if (this.#cachedStream !== undefined && stream !== this.#cachedStream)
      throw new Error(`${this.#command.name} has changesOneStream but writes to ${stream} too`);
    return this.#committed;
  }

  async #write(
    stream: string,
    expected: ExpectedRevision,
    events: readonly DomainEvent[],
    tags: Tags,
    idOf: (index: number) => string = eventIdsOf(this.commandId, stream),
  ): Promise<void> {
    const committed = this.#requireCommitted(stream);
    // Event ids derive from the stream and the index in its batch, so a second batch would repeat them.
    if (this.#written.has(stream)) throw new Error(`${this.#command.name} writes twice to ${stream}`);
    const batch = this.#batch(stream, events, tags, idOf);
    checkSize(batch, MAX_APPEND_BYTES);
    await this.#append([...this.#keyRecord(committed), { stream, expected, events: batch }]);
  }

  #batch(
    stream: string,
    events: readonly DomainEvent[],
    tags: Tags,
    idOf: (index: number) => string,
  ): readonly BatchEvent[] {
    const recordedAt = laterOf(this.#ports.now(), this.#lastRecordedAt.get(stream) ?? '');
    return this.#build(events, idOf, this.#metadata(recordedAt, tags));
  }

  #metadata(recordedAt: Moment, tags: Tags): StoredMetadata {
    return metadataOf({ name: this.#command.name, id: this.commandId }, this.#request, recordedAt, tags);
  }

  /** @throws {KeyAlreadyRecorded} @throws {WrongExpectedRevision} after the key was recorded */
  async #append(appends: readonly BatchAppend[]): Promise<void> {
    for (const { stream } of appends) this.#ports.streamCache.delete(stream);
    const results = await appendBatches(appends, this.#ports.eventStore).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (error.stream === this.#keyStream) throw new KeyAlreadyRecorded();
      this.#progress.keyRecorded = true;
      throw error;
    });
    this.#progress.keyRecorded = true;
    for (const { stream, position, recordedAt, written } of results) {
      this.#progress.advanceTo(position);
      this.#lastRecordedAt.set(stream, recordedAt);
      this.#written.set(stream, written);
    }
  }
}

/** Returns the name of the stream to which a decision is appended. */
export function targetStreamOf({ target }: Decision): string {
  return typeof target === 'string' ? target : target.stream;
}
