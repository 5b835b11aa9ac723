import type { Aggregate } from '../aggregate.ts';
import type { Actor, DomainEvent, RecordedEvent } from '../event.ts';
import { derivedId } from '../identifiers.ts';
import { Refusal } from '../refusal.ts';
import type { Instant } from '../time.ts';
import type { Environment, ReservedEvent, Rights, Services } from './application.ts';
import type { AnyCommand, CommandContext, Decision, WritePlan, Reservation } from './command.ts';
import { foldOn, type LoadedStream, unreadStream } from './loaded-stream.ts';
import type { ExecuteCommand } from './ports.ts';
import { systemRequest } from './request.ts';
import type { StateCache } from './state-cache.ts';
import { advanceTo, CommandWrites, findReservation, readEvents, type WritesOptions } from './writes.ts';

/** The target already has an event of this command, so its result is read from there. Caught by `executeCommand`. */
export class AlreadyExecuted extends Error {
  override readonly name = 'AlreadyExecuted';
  readonly stream: string;
  constructor(stream: string) {
    super(`already executed in ${stream}`);
    this.stream = stream;
  }
}

/** The attempt needs a state that is not stale. `executeCommand` makes another one, which reads the log. */
class MayBeStale extends Error {
  override readonly name = 'MayBeStale';
}

/** What an attempt depends on. Attempts share only the `Progress` of the command. */
interface AttemptOptions extends Omit<WritesOptions, 'onlyStream'> {
  /** With a cache, the command may write to no other stream than the target. */
  readonly cache: StateCache | undefined;
  readonly executeOther: ExecuteCommand;
}

/** One attempt to execute a command. */
export class Attempt implements CommandContext {
  readonly commandId: string;
  readonly actor: Actor;
  readonly environmentIfAny: Environment | undefined;
  readonly rights: Rights | undefined;
  readonly mayBeRepeated: boolean;
  readonly now: Instant;
  readonly services: Services;
  readonly #options: AttemptOptions;
  #hasExecutedOther = false;
  /** The stream whose state was taken from the cache, without reading what follows it. */
  #unverifiedStream: string | undefined;
  /** Undefined before the first write is prepared. */
  #writes: CommandWrites | undefined;

  constructor(options: AttemptOptions) {
    const { request, progress, ports } = options;
    this.commandId = progress.commandId;
    this.actor = request.actor;
    this.environmentIfAny = request.environment;
    this.rights = request.rights;
    this.mayBeRepeated = progress.mayBeRepeated;
    this.now = progress.decidedAt;
    this.services = ports.services;
    this.#options = options;
  }

  /** True when the decision may be based on a stale state. */
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
  ): Promise<LoadedStream<State>> {
    await this.flush();
    const { ports } = this.#options;
    const known = ports.stateCache.get(aggregate, stream) ?? unreadStream(aggregate, stream);
    return this.#foldOn(known, await readEvents(stream, ports, { from: (known.revision ?? -1) + 1 }));
  }

  async loadTarget<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): Promise<LoadedStream<State>> {
    // An append to one of two streams does not detect that the state of the other is stale.
    if (this.mayBeStale && stream !== this.#unverifiedStream)
      throw new MayBeStale(`the decision may not rest on a cached state besides ${stream}`);
    const { progress, request } = this.#options;
    // Another process that finds the record of the key may execute the command too.
    const isRepeatable = this.mayBeRepeated || (request.idempotency !== undefined && progress.isKeyRecorded);
    if (!isRepeatable) return this.#loadCached(aggregate, stream) ?? (await this.load(aggregate, stream));
    const events = await this.read(stream);
    if (events.some(({ metadata }) => metadata.command.id === this.commandId)) throw new AlreadyExecuted(stream);
    return this.#foldOn(unreadStream(aggregate, stream), events);
  }

  async read(stream: string): Promise<readonly RecordedEvent[]> {
    await this.flush();
    return await readEvents(stream, this.#options.ports);
  }

  #loadCached<State, E extends DomainEvent>(
    aggregate: Aggregate<State, E>,
    stream: string,
  ): LoadedStream<State> | undefined {
    const cached = this.#options.cache?.get(aggregate, stream);
    // Another process may have executed the same system command, so the cache may be stale.
    if (cached === undefined || this.#hasExecutedOther) return undefined;
    this.#unverifiedStream = stream;
    return cached;
  }

  #foldOn<State>(known: LoadedStream<State>, events: readonly RecordedEvent[]): LoadedStream<State> {
    const loaded = foldOn(known, events);
    this.#options.ports.stateCache.set(loaded);
    return loaded;
  }

  async findReservation(reservation: Reservation): Promise<RecordedEvent<ReservedEvent> | undefined> {
    await this.flush();
    return await findReservation(reservation, this.#options.ports);
  }

  checkIfMatch(loaded: Pick<LoadedStream<unknown>, 'revision'>): void {
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
    // What it records stays, and no later append detects that `If-Match` was compared with a stale revision.
    if (this.mayBeStale) throw new MayBeStale(`${command.name} may not follow from a cached state`);
    await this.flush();
    this.#hasExecutedOther = true;
    const { request, ports, progress, executeOther } = this.#options;
    const { position } = await executeOther(command, systemRequest(command, input, request), ports);
    advanceTo(progress, position);
  }

  commit(plan: WritePlan): CommandWrites {
    this.#writes = CommandWrites.ofPlan(this.#writesOptions, plan);
    return this.#writes;
  }

  /** Appends what was prepared, so that a read after it finds it. @throws {WrongExpectedRevision} */
  async flush(): Promise<void> {
    await this.#writes?.flush();
  }

  async append(decision: Decision): Promise<CommandWrites> {
    this.#writes ??= new CommandWrites(this.#writesOptions, decision);
    await this.#writes.appendDecision(decision);
    return this.#writes;
  }

  get #writesOptions(): WritesOptions {
    return { ...this.#options, onlyStream: this.#unverifiedStream };
  }
}
