import { idempotencyStream, IdempotencyRecorded, NumberTaken, sequenceStream } from '../system-events.ts';
import type { EncodedEvent } from '../codec.ts';
import type { DomainEvent, EventOf, NewEvent, RecordedEvent, StoredMetadata, Tags } from '../event.ts';
import { reservationStream } from '../identifiers.ts';
import { Refusal } from '../refusal.ts';
import { type Day, dayOf, type Instant, laterOf } from '../time.ts';
import {
  bytesOfJson,
  type EventToAppend,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type StoredEvent,
  WrongExpectedRevision,
} from '#stores/event-log/event-log.ts';
import { withSpan } from '#service/observability/traces.ts';
import type { ReservedEvent } from './application.ts';
import {
  type AnyCommand,
  type Decision,
  type WritePlan,
  eventIdOf,
  type EventReservation,
  type ExecutedCommand,
  type InputReservation,
  type Reservation,
  type ReservationOutcome,
  type TaggedEvents,
  type Writes,
} from './command.ts';
import { foldOn, type LoadedStream, unreadStream } from './loaded-stream.ts';
import { fingerprintOf, type CommandRequest } from './request.ts';
import type { ExecutionPorts } from './ports.ts';

/** The decision repeats the input that a reservation stores, and adds to it. */
const MAX_RESERVATION_BYTES = MAX_APPEND_BYTES / 2;
/** How much larger a decision may be than its plan: a number can have more digits than its first candidate. */
const PLAN_MARGIN_BYTES = 1024;

/**
 * A concurrent command recorded the same idempotency key first. Caught by `executeCommand`, which continues from that
 * record.
 */
export class KeyAlreadyRecorded extends Error {
  override readonly name = 'KeyAlreadyRecorded';
}

export interface Progress {
  readonly commandId: string;
  readonly mayBeRepeated: boolean;
  readonly decidedAt: Instant;
  readonly numbers: Map<string, number>;
  isKeyRecorded: boolean;
  position: bigint | undefined;
}

export interface WritesOptions {
  readonly command: AnyCommand;
  readonly request: CommandRequest;
  readonly ports: ExecutionPorts;
  readonly progress: Progress;
  /** The one stream to which the attempt may write, because its state was cached; undefined: to any. */
  readonly onlyStream: string | undefined;
  /**
   * Assumes that every value is free: reservations, and what else precedes the decision, are appended with it in one
   * call. Where a value is taken, that is a conflict, and the command is tried again.
   */
  readonly assumesFree: boolean;
}

type BatchEvent = EventToAppend & { readonly data: object; readonly metadata: StoredMetadata };

interface Written {
  readonly events: readonly StoredEvent[];
  /** The event store has returned these events. */
  readonly areStored: boolean;
  /** As `LoadedStream` counts it. */
  readonly size: number;
}

/** An event without what differs from one append to another. */
interface MeasuredEvent extends EncodedEvent {
  readonly effectiveAt: Day;
  /** The data as JSON. */
  readonly json: string;
  /** Of type and data. */
  readonly bytes: number;
}

interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly BatchEvent[];
  readonly encoded: readonly MeasuredEvent[];
  readonly metadata: StoredMetadata;
}

/** Writes what one attempt of a command has decided: first the record of its key, and to each stream once. */
export class CommandWrites implements Writes {
  readonly #options: WritesOptions;
  readonly #decision: Decision;
  readonly #written = new Map<string, Written>();
  readonly #encoded = new Map<NewEvent<DomainEvent>, MeasuredEvent>();
  readonly #reservationEvents = new Map<InputReservation, NewEvent<DomainEvent>>();
  /** What the next append writes first. */
  #pending: readonly Append[] = [];

  constructor(options: WritesOptions, decision: Decision) {
    this.#options = options;
    this.#decision = decision;
  }

  static ofPlan(options: WritesOptions, plan: WritePlan): CommandWrites {
    const writes = new CommandWrites(options, plan);
    const { reservations = [], referenced = [] } = plan;
    for (const each of reservations)
      writes.#measure({ events: [writes.#eventOf(each)], tags: each.tags }, MAX_RESERVATION_BYTES);
    for (const each of [...referenced, ...(plan.preceding === undefined ? [] : [plan.preceding])])
      writes.#measure(each, MAX_APPEND_BYTES);
    writes.#measure(plan, MAX_APPEND_BYTES - PLAN_MARGIN_BYTES);
    return writes;
  }

  async reserve(reservation: InputReservation | EventReservation): Promise<ReservationOutcome> {
    const { commandId } = this.#options.progress;
    const stream = streamOf(reservation);
    try {
      await this.append(stream, [this.#eventOf(reservation)], reservation.tags);
      return { kind: 'ours' };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      const by = await findReservation(reservation, this.#options.ports);
      if (by === undefined) throw new Error(`${stream} is reserved but cannot be read`, { cause: error });
      return by.metadata.command.id === commandId ? { kind: 'ours' } : { kind: 'taken', by };
    }
  }

  async takeNumber(sequence: string): Promise<number> {
    const { ports, progress, request } = this.#options;
    const stream = sequenceStream(sequence);
    const known = progress.numbers.get(stream);
    if (known !== undefined) return known;
    this.#checkStream(stream);
    await this.#append();
    const event = { type: NumberTaken.type, data: { commandId: progress.commandId } };
    const tags = ports.tagsOf(request.environment);
    const { revision, position } = await ports.sequences.append(ports.eventStore, stream, {
      commandId: progress.commandId,
      mayBeRepeated: progress.mayBeRepeated,
      build: (notBefore) => this.#batch(stream, { events: [event], tags }, laterOf(ports.now(), notBefore)).events,
    });
    if (position !== undefined) advanceTo(progress, position);
    progress.numbers.set(stream, revision + 1);
    return revision + 1;
  }

  async append<E extends DomainEvent>(
    target: string | LoadedStream<unknown>,
    events: readonly NewEvent<E>[],
    tags: Tags,
    commandId?: string,
  ): Promise<void> {
    this.#pending = [...this.#pending, this.#prepare(target, { events, tags }, commandId)];
    if (!this.#options.assumesFree) await this.#append();
  }

  /** Appends what was prepared. @throws {WrongExpectedRevision} */
  async flush(): Promise<void> {
    if (this.#pending.length > 0) await this.#append();
  }

  async appendDecision({ target, preceding, ...tagged }: Decision): Promise<void> {
    const first = preceding === undefined ? [] : [this.#prepare(preceding.target, preceding)];
    await this.#append(...first, this.#prepare(target, tagged));
  }

  #prepare(target: string | LoadedStream<unknown>, tagged: TaggedEvents, commandId?: string): Append {
    const { command, ports } = this.#options;
    const { stream, revision, recordedAt: notBefore } = loadedOf(target, command);
    this.#checkStream(stream);
    // Event ids derive from the stream and the index in its batch, so a second batch would repeat them.
    if (this.#written.has(stream) || this.#pending.some((pending) => pending.stream === stream))
      throw new Error(`${command.name} writes twice to ${stream}`);
    const recordedAt = laterOf(ports.now(), notBefore ?? '');
    const { events, encoded, metadata, bytes } = this.#batch(stream, tagged, recordedAt, commandId);
    checkSize(bytes, MAX_APPEND_BYTES);
    return { stream, expected: revision ?? 'no_stream', events, encoded, metadata };
  }

  /**
   * Returns what the command has recorded in its target. Reads it again when only that shows what is stored: the event
   * store ignores the data of an append whose event ids it knows, which those of a new command are not.
   */
  async executed({ target, preceding }: Decision, isNewCommand: boolean): Promise<ExecutedCommand> {
    const { command, ports, progress } = this.#options;
    if (preceding !== undefined && this.#written.get(preceding.target.stream)?.areStored === true)
      this.#foldWritten(preceding.target);
    const before = loadedOf(target, command);
    const written = this.#written.get(before.stream);
    if (written === undefined) throw new Error(`${command.name} did not write to its target ${before.stream}`);
    if (written.areStored || isNewCommand) return this.#foldWritten(before);
    return await readExecuted(before, progress.commandId, ports, written.events.at(-1)?.position);
  }

  /** Caches the state of a stream after the events that were appended to it. */
  #foldWritten(before: LoadedStream<unknown>): ExecutedCommand {
    const { ports } = this.#options;
    const { events: stored = [], size } = this.#written.get(before.stream) ?? {};
    const events = stored.map((event) => ports.codec.decode(event));
    const after = foldOn(before, events, size);
    ports.stateCache.set(after);
    return { ...after, events };
  }

  #eventOf(reservation: InputReservation | EventReservation): NewEvent<DomainEvent> {
    if ('event' in reservation) return reservation.event;
    const known = this.#reservationEvents.get(reservation);
    if (known !== undefined) return known;
    const { actor, environment = null, input: sent } = this.#options.request;
    const { kind, scope, value, target, input = sent } = reservation;
    const { decidedAt } = this.#options.progress;
    const data = { kind, scope, value, target, decidedAt, actor, environment, input };
    const event = { type: 'ValueReserved', data };
    this.#reservationEvents.set(reservation, event);
    return event;
  }

  #measure(tagged: TaggedEvents, maxBytes: number): void {
    checkSize(this.#encodeAll(tagged, this.#options.progress.decidedAt).bytes, maxBytes);
  }

  /** Builds the events of one append. */
  #batch(stream: string, tagged: TaggedEvents, recordedAt: Instant, commandId = this.#options.progress.commandId) {
    const measured = this.#encodeAll(tagged, recordedAt);
    const { encoded, metadata, metadataJson } = measured;
    const events: readonly BatchEvent[] = encoded.map(({ type, data, json }, index) => {
      const id = eventIdOf(commandId, stream, index);
      return { id, type, data, metadata, json: { data: json, metadata: metadataJson } };
    });
    return { ...measured, events };
  }

  /** Returns what an append of these events has. Their business day is the day of recording unless they name one. */
  #encodeAll({ events, tags }: TaggedEvents, recordedAt: Instant) {
    const { command, progress, request } = this.#options;
    const metadata = metadataOf({ name: command.name, id: progress.commandId }, request, recordedAt, tags);
    const encoded = events.map((event) => this.#encode(event, dayOf(recordedAt)));
    const metadataJson = JSON.stringify(metadata);
    const metadataBytes = bytesOfJson({ metadata: metadataJson });
    const bytes = encoded.reduce((sum, event) => sum + event.bytes + metadataBytes, 0);
    return { encoded, metadata, metadataJson, bytes };
  }

  /** Encodes an event once, although it is measured before it is written. */
  #encode(event: NewEvent<DomainEvent>, effectiveAt: Day): MeasuredEvent {
    const known = this.#encoded.get(event);
    if (known?.effectiveAt === effectiveAt) return known;
    const data = { effectiveAt, ...(event.data as object) };
    const stored = this.#options.ports.codec.encode({ type: event.type, data });
    const json = JSON.stringify(stored.data);
    const encoded = { ...stored, effectiveAt, json, bytes: bytesOfJson({ type: stored.type, data: json }) };
    this.#encoded.set(event, encoded);
    return encoded;
  }

  /** Returns the append of the key, if it is not recorded yet. */
  #keyRecord(): readonly Append[] {
    const { command, ports, progress, request } = this.#options;
    if (request.idempotency === undefined || progress.isKeyRecorded) return [];
    const recordedAt = ports.now();
    const data: EventOf<typeof IdempotencyRecorded>['data'] = {
      effectiveAt: dayOf(recordedAt),
      fingerprint: fingerprintOf(request.idempotency.request),
      target: targetStreamOf(this.#decision),
      decidedAt: progress.decidedAt,
    };
    const tags = ports.tagsOf(request.environment);
    const metadata = metadataOf({ name: command.name, id: progress.commandId }, request, recordedAt, tags);
    // The id is random, so that a concurrent command with the same key is a conflict. What the executor makes itself
    // needs no check by a schema.
    const event = { id: ports.randomId(), type: IdempotencyRecorded.wireName, data, metadata };
    const stream = idempotencyStream(progress.commandId);
    return [{ stream, expected: 'no_stream', events: [event], encoded: [], metadata }];
  }

  /** Only an append to the stream itself detects that its cached state is stale. */
  #checkStream(stream: string): void {
    const { command, onlyStream } = this.#options;
    if (onlyStream === undefined || stream === onlyStream) return;
    throw new Error(`${command.name} has changesOneStream but writes to ${stream} too`);
  }

  /**
   * Appends the record of the key, what is pending, and these.
   * @throws {KeyAlreadyRecorded}
   * @throws {WrongExpectedRevision} after the key was recorded
   */
  async #append(...last: readonly Append[]): Promise<void> {
    const appends = [...this.#keyRecord(), ...this.#pending, ...last];
    this.#pending = [];
    const target = appends.at(-1);
    if (target === undefined) return;
    const { ports, progress } = this.#options;
    const count = appends.reduce((sum, { events }) => sum + events.length, 0);
    const attributes = { 'surety.stream': target.stream, 'surety.events': count };
    const append = async () => await ports.eventStore.append(appends);
    const results = await withSpan('append', { attributes }, append).catch((error: unknown) => {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (error.stream === idempotencyStream(progress.commandId)) throw new KeyAlreadyRecorded();
      progress.isKeyRecorded = true;
      throw error;
    });
    progress.isKeyRecorded = true;
    for (const [index, { stream, events, encoded, metadata }] of appends.entries()) {
      const result = results[index];
      if (result === undefined) throw new Error(`the append to ${stream} has no result`);
      const { revision, position } = result;
      const first = revision - events.length + 1;
      const sent = () => events.map((event, offset) => ({ ...event, stream, revision: first + offset, position }));
      const written = result.events ?? sent();
      ports.codec.keepDecoded(written, encoded, metadata);
      advanceTo(progress, position);
      const size = encoded.reduce((sum, { bytes }) => sum + bytes, 0);
      this.#written.set(stream, { events: written, areStored: result.events !== undefined, size });
    }
  }
}

export function advanceTo(progress: Progress, position: bigint): void {
  if (progress.position === undefined || position > progress.position) progress.position = position;
}

export function targetStreamOf({ target }: Decision): string {
  return typeof target === 'string' ? target : target.stream;
}

export async function findReservation(
  reservation: Reservation,
  { eventStore, codec }: Pick<ExecutionPorts, 'eventStore' | 'codec'>,
): Promise<RecordedEvent<ReservedEvent> | undefined> {
  const [first] = await eventStore.readStream(streamOf(reservation), { limit: 1 });
  return first && (codec.decode(first) as RecordedEvent<ReservedEvent>);
}

function streamOf({ kind, scope, value }: Reservation): string {
  return reservationStream(kind, scope, value);
}

/** Returns the target of a decision as it was loaded; a new one is that of the command. */
function loadedOf(target: Decision['target'], { aggregate }: AnyCommand): LoadedStream<unknown> {
  return typeof target === 'string' ? unreadStream(aggregate, target) : target;
}

/**
 * Reads what a command has recorded in its target, and caches the state of then. Later events of other commands are not
 * part of it.
 * @param before the target as it was before those events
 * @param until position of the command's append, if known
 */
export async function readExecuted(
  before: LoadedStream<unknown>,
  commandId: string,
  ports: Pick<ExecutionPorts, 'eventStore' | 'codec' | 'stateCache'>,
  until?: bigint,
): Promise<ExecutedCommand> {
  const read = await readEvents(before.stream, ports, { from: (before.revision ?? -1) + 1, until });
  const last = read.findLastIndex(({ metadata }) => metadata.command.id === commandId);
  if (last < 0) throw new Error(`${before.stream} has no event of the command ${commandId}`);
  const after = foldOn(before, read.slice(0, last + 1));
  ports.stateCache.set(after);
  return { ...after, events: read.filter(({ metadata }) => metadata.command.id === commandId) };
}

export async function readEvents(
  stream: string,
  { eventStore, codec }: Pick<ExecutionPorts, 'eventStore' | 'codec'>,
  options?: { readonly from?: number; readonly until?: bigint | undefined },
): Promise<readonly RecordedEvent[]> {
  return (await eventStore.readStream(stream, options)).map((event) => codec.decode(event));
}

/** Builds the metadata of the events of a command, without the ids that the codec fills in. */
function metadataOf(
  command: { readonly name: string; readonly id: string },
  { requestId, traceparent, identity, actor }: CommandRequest,
  recordedAt: Instant,
  tags: Tags,
): StoredMetadata {
  const { correlationId, causationId } = identity ?? {};
  const isCorrelated = correlationId !== undefined && correlationId !== (requestId ?? command.id);
  const isCaused = causationId !== undefined && causationId !== command.id;
  return {
    recordedAt,
    ...(isCorrelated ? { $correlationId: correlationId } : {}),
    ...(isCaused ? { $causationId: causationId } : {}),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(requestId === undefined ? {} : { requestId }),
    actor,
    ...tags,
    command,
  };
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new Refusal('event_too_large', `The request would record ${bytes} bytes; one append has at most ${maxBytes}`);
}
