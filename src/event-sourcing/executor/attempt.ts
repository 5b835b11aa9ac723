import { type Aggregate, foldState } from '../aggregate.ts';
import type { Actor, DomainEvent, RecordedEvent } from '../event.ts';
import { derivedId } from '../identifiers.ts';
import { Refusal } from '../refusal.ts';
import type { Instant } from '../time.ts';
import type { Environment, ReservedEvent, Services } from './application.ts';
import type { AnyCommand, CommandContext, Decision, WritePlan, LoadedStream, Reservation } from './command.ts';
import type { ExecuteCommand } from './ports.ts';
import { systemRequest } from './request.ts';
import type { StreamCache } from './stream-cache.ts';
import { advanceTo, CommandWrites, findReservation, readHistory, type WritesOptions } from './writes.ts';

/** The target already has an event of this command, so its result is read from there. Caught by `executeCommand`. */
export class AlreadyExecuted extends Error {
  override readonly name = 'AlreadyExecuted';
  readonly stream: string;
  constructor(stream: string) {
    super(`already executed in ${stream}`);
    this.stream = stream;
  }
}

/** What an attempt depends on. Attempts share only the `Progress` of the command. */
interface AttemptOptions extends Pick<WritesOptions, 'command' | 'request' | 'ports' | 'progress'> {
  /** With a cache, the command may write to no other stream than the target. */
  readonly cache: StreamCache | undefined;
  readonly executeOther: ExecuteCommand;
}

/** One attempt to execute a command. */
export class Attempt implements CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  readonly environmentIfAny: Environment | undefined;
  readonly mayBeRepeated: boolean;
  readonly now: Instant;
  readonly services: Services;
  readonly #options: AttemptOptions;
  #hasExecutedOther = false;
  /** The stream that was taken from the cache without reading what follows it. */
  #unverifiedStream: string | undefined;
  readonly #loaded = new Map<string, readonly RecordedEvent[]>();
  /** Undefined before the first write is prepared. */
  #writes: CommandWrites | undefined;

  constructor(options: AttemptOptions) {
    const { request, progress, ports } = options;
    this.commandId = progress.commandId;
    this.actor = request.actor;
    this.environmentIfAny = request.environment;
    this.mayBeRepeated = progress.mayBeRepeated;
    this.now = progress.decidedAt;
    this.services = ports.services;
    this.#options = options;
  }

  /** True when the decision may be based on a stale stream. */
  get mayBeStale(): boolean {
    return this.#unverifiedStream !== undefined;
  }

  get hasCommitted(): boolean {
    return this.#writes !== undefined;
  }

  get environment(): Environment {
    if (this.environmentIfAny === undefined) throw new Error(`${this.#options.command.name} has no environment`);
    return this.environmentIfAny;
  }

  derive(...parts: readonly string[]): string {
    return derivedId(this.commandId, ...parts);
  }

  async load<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<LoadedStream<State, E>> {
    const { ports } = this.#options;
    const events = await readHistory(stream, ports, ports.streamCache.get(stream));
    ports.streamCache.set(stream, events);
    return this.#fold(aggregate, stream, events as readonly RecordedEvent<E>[]);
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
    const events = this.#options.cache?.get(stream);
    // Another process may have executed the same system command, so the cache may be stale.
    if (events === undefined || this.#hasExecutedOther) return undefined;
    this.#unverifiedStream = stream;
    return this.#fold(aggregate, stream, events as readonly RecordedEvent<E>[]);
  }

  #fold<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
    events: readonly RecordedEvent<E>[],
  ): LoadedStream<State, E> {
    this.#loaded.set(stream, events);
    return { stream, state: foldState(aggregate, events), revision: events.at(-1)?.revision, events };
  }

  async findReservation(reservation: Reservation): Promise<RecordedEvent<ReservedEvent> | undefined> {
    return await findReservation(reservation, this.#options.ports);
  }

  checkIfMatch(loaded: Pick<LoadedStream<unknown, never>, 'revision'>): void {
    if (this.#options.command.takesIfMatch !== true)
      throw new Error(`${this.#options.command.name} is not declared to take If-Match`);
    const expected = this.#options.request.ifMatch;
    if (expected === undefined || (loaded.revision !== undefined && expected.includes(loaded.revision))) return;
    throw new Refusal(
      'precondition_failed',
      'The resource has changed since it was read; read it again and decide again',
    );
  }

  async execute(command: AnyCommand, input: object): Promise<void> {
    this.#hasExecutedOther = true;
    const { request, ports, progress, executeOther } = this.#options;
    const { position } = await executeOther(command, systemRequest(command, input, request), ports);
    advanceTo(progress, position);
  }

  commit(plan: WritePlan): CommandWrites {
    this.#writes = CommandWrites.ofPlan(this.#writesOptions, plan);
    return this.#writes;
  }

  async append(decision: Decision): Promise<CommandWrites> {
    this.#writes ??= new CommandWrites(this.#writesOptions, decision);
    await this.#writes.appendDecision(decision);
    return this.#writes;
  }

  get #writesOptions(): WritesOptions {
    return { ...this.#options, loaded: this.#loaded, onlyStream: this.#unverifiedStream };
  }
}
