import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedAtOf } from '../../projections/address.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import type { Moment } from '../event-sourcing/time.ts';
import type { EventStore, Position, StoredEvent, SubscriptionMessage } from '../event-store/event-store.ts';
import type { CollectionDefinition, ReadModels } from '../read-models/read-models.ts';
import { type Fence, WriterFenced } from '../records/records.ts';
import { type Traced, withSpanOfBatch } from '../observability/traces.ts';
import { Collection, definitionOf } from './collection.ts';
import { describeError, originOf } from './describe-error.ts';
import { ReadModelsAhead, SubscriptionEnded } from './failures.ts';
import { LogMark, MARK_DEFINITION } from './log-mark.ts';
import type { ProjectorLog } from './log.ts';
import { Progress } from './progress.ts';
import type { LeadingProjector, ProjectorStatus } from './projector.ts';
import { reachedDefinition, publishReached } from './reached.ts';
import { Reflection } from './reflection.ts';
import { Router } from './routing.ts';

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly log: ProjectorLog;
  readonly now: () => Moment;
  /** Resolves after that many milliseconds; may end early when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Hears whenever it stands still and will try again. */
  readonly onStall?: (() => void) | undefined;
  /** The most events that are reflected at once while catching up. */
  readonly batchSize?: number;
  /** With what token it writes, where several processes may project into the same read models. */
  readonly fence?: Fence | undefined;
  /** Processes of another version of the program may still read the documents of other versions. */
  readonly keepsOtherVersions?: boolean;
  /** The collections were opened before. */
  readonly isOpen?: boolean;
}

const CATCH_UP_BATCH = 1_000;
/** Small, so that requests get their turn in between. */
const LIVE_BATCH = 250;
/** While catching up, documents are held back until there are so many, because most are soon changed again. */
const HELD_DOCUMENTS = 50_000;
/** Collections that nothing concerns store their checkpoint once in so many events: the most that is read twice. */
const FLUSH_EVERY = 2_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** What a projector keeps in the read models: what is to be opened by whoever reads them. */
export function collectionsOf(projections: readonly AnyProjection[]): readonly CollectionDefinition[] {
  return [...projections.map(definitionOf), MARK_DEFINITION, reachedDefinition(projections)];
}

/**
 * Opens the read models and keeps them level with the log until it is stopped. It starts over by itself, from what is
 * stored, whenever a store fails, or another projector has written in between; it ends when it is fenced off.
 * @throws {StoreUnavailable} when the read models cannot be opened at all.
 */
export async function startProjector(options: ProjectorOptions): Promise<LeadingProjector> {
  if (options.isOpen !== true) await options.readModels.open(collectionsOf(options.projections));
  const running = new RunningProjector(options);
  running.start();
  return running;
}

class RunningProjector implements LeadingProjector {
  readonly #options: ProjectorOptions;
  readonly #collections: readonly Collection[];
  readonly #router: Router;
  readonly #mark: LogMark;
  readonly #progress: Progress;
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #fenced = Promise.withResolvers<WriterFenced>();
  #run: Promise<void> = Promise.resolve();
  /** Ends the subscription at hand, with the reason. */
  #over = new AbortController();
  /** What was taken in since the last commit. */
  #reflection: Reflection | undefined;
  /** How far others were told that it is. */
  #told: Position | undefined;
  #failures = 0;
  #sinceFlush = 0;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#collections = options.projections.map(
      (projection) => new Collection(projection, options.readModels, options.fence),
    );
    this.#router = new Router(this.#collections, options.log);
    this.#mark = new LogMark(options.readModels, options.eventStore, options.fence);
    this.#progress = new Progress(() => Date.parse(options.now()));
  }

  start(): void {
    this.#run = this.#supervise();
  }

  get fenced(): Promise<WriterFenced> {
    return this.#fenced.promise;
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#progress.waitFor(position, timeoutMs);
  }

  status(): ProjectorStatus {
    const { position, head, lagMs, caughtUp, failure } = this.#progress;
    const collections = this.#collections.map((collection) => collection.progress);
    return { collections, position, head, lagMs, caughtUp, unroutable: this.#router.unroutable, failure };
  }

  restart(reason: Error): void {
    this.#over.abort(reason);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    await this.#run;
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
        if (!signal.aborted) throw new SubscriptionEnded('The subscription has ended');
        await this.#flush();
      } catch (error) {
        if (error instanceof WriterFenced) this.#giveWay(error);
        else await this.#backOff(error, signal);
      }
    }
    this.#progress.end();
  }

  /** Reads on from what is stored until the subscription ends or something fails. */
  async #follow(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    this.#over = over;
    const after = await this.#resume();
    const batch = this.#options.batchSize ?? CATCH_UP_BATCH;
    const ending = AbortSignal.any([signal, over.signal]);
    try {
      for await (const message of this.#options.eventStore.subscribe({ after, batch, signal: ending })) {
        await this.#take(message, ending);
      }
      if (!signal.aborted) over.signal.throwIfAborted();
    } finally {
      // Nothing, when it was reflecting or committing that failed.
      await this.#commit();
    }
  }

  /** Where to read on: the lowest checkpoint. @throws {ReadModelsAhead} @throws {WriterFenced} */
  async #resume(): Promise<Position | undefined> {
    // Before anything is read: nobody else moves a checkpoint any more.
    if (this.#options.fence !== undefined) await this.#fenceCheckpoints(this.#options.fence);
    this.#told = undefined;
    for (const collection of this.#collections) if (await collection.resume()) this.#progress.lost();
    const head = await this.#options.eventStore.lastPosition();
    const checkpoints = this.#collections.map(({ position }) => position);
    if (checkpoints.some((position) => position !== undefined && (head === undefined || position > head))) {
      throw new ReadModelsAhead();
    }
    await this.#mark.check();
    const after = checkpoints.includes(undefined) ? undefined : checkpoints.reduce(lower);
    if (after !== undefined) this.#progress.reached(after);
    if (head === undefined) this.#progress.level();
    return after;
  }

  async #fenceCheckpoints(fence: Fence): Promise<void> {
    const missing = await this.#options.readModels.fenceCheckpoints(fence);
    if (missing.length > 0) this.#options.log.warn({ missing }, 'Read models are missing: all are rebuilt');
  }

  async #take(message: SubscriptionMessage, signal: AbortSignal): Promise<void> {
    if (message.kind === 'events') await this.#reflect(message.events, signal);
    else await this.#level(message.position);
  }

  async #reflect(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const head = events.at(-1)?.position;
    for (let rest = events; rest.length > 0 && !signal.aborted; ) {
      const isLive = this.#progress.caughtUp;
      const batch = isLive ? rest.slice(0, LIVE_BATCH) : rest;
      rest = rest.slice(batch.length);
      const first = batch[0];
      if (head === undefined || first === undefined) return;
      const reflection = this.#reflection ?? new Reflection(this.#collections, this.#router, this.#options);
      this.#reflection = undefined;
      if (reflection.end === undefined) this.#progress.heard(head, this.#timeOf(first));
      const attributes = { 'surety.events': batch.length, 'surety.position': batch.at(-1)?.position.toString() };
      await withSpanOfBatch('project', batch.map(metadataOf), { attributes }, async () => {
        await reflection.take(batch);
        this.#reflection = reflection;
        this.#sinceFlush += batch.length;
        if (isLive || reflection.size >= HELD_DOCUMENTS) await this.#commit();
      });
      if (rest.length > 0) await nextTurn();
    }
  }

  /** Writes what is held back. */
  async #commit(): Promise<void> {
    const reflection = this.#reflection;
    this.#reflection = undefined;
    const end = reflection?.end;
    if (reflection === undefined || end === undefined) return;
    await this.#mark.advance(end);
    await reflection.commit();
    await this.#publishReached(end.position);
    this.#progress.reached(end.position);
    this.#recovered();
    if (this.#sinceFlush >= FLUSH_EVERY) await this.#flush();
  }

  async #level(position: Position): Promise<void> {
    await this.#commit();
    const isFirst = !this.#progress.caughtUp;
    if (isFirst) await this.#flush();
    await this.#publishReached(position);
    if (this.#progress.position === undefined || position > this.#progress.position) this.#progress.reached(position);
    this.#progress.level();
    this.#recovered();
    if (isFirst) await this.#announce(position);
  }

  /** Now nobody needs the documents of older versions. */
  async #announce(position: Position): Promise<void> {
    this.#options.log.info({ position: position.toString() }, 'The read models are level with the log');
    if (this.#options.keepsOtherVersions !== true) await this.#options.readModels.dropOtherVersions();
  }

  async #flush(): Promise<void> {
    for (const collection of this.#collections) await collection.flush();
    this.#sinceFlush = 0;
  }

  /** Other processes ask the store how far it is; in the only one everybody asks this object. */
  async #publishReached(position: Position): Promise<void> {
    const { fence, readModels } = this.#options;
    if (fence === undefined || (this.#told !== undefined && position <= this.#told)) return;
    await publishReached(readModels, position, fence);
    this.#told = position;
  }

  #recovered(): void {
    this.#failures = 0;
    this.#progress.recovered();
  }

  #giveWay(reason: WriterFenced): void {
    this.#progress.failed(reason.message);
    this.#options.log.info({ reason: reason.message }, 'Another projector has taken over');
    this.#stopping.abort();
    this.#fenced.resolve(reason);
  }

  async #backOff(cause: unknown, signal: AbortSignal): Promise<void> {
    const reason = describeError(cause);
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures += 1;
    this.#progress.failed(reason);
    this.#options.onStall?.();
    this.#options.log.error({ reason, at: originOf(cause), pauseMs }, 'The projector stands still and will try again');
    if (signal.aborted) return;
    await Promise.race([this.#options.pause(pauseMs, signal).catch(() => {}), this.#stopped.promise]);
  }

  /** When an event was recorded; now, when it does not say. */
  #timeOf(event: StoredEvent): number {
    const recordedAt = Date.parse(recordedAtOf(event));
    return Number.isNaN(recordedAt) ? Date.parse(this.#options.now()) : recordedAt;
  }
}

function metadataOf({ metadata }: StoredEvent): Traced | null | undefined {
  return metadata as Traced | null | undefined;
}

function lower(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a !== undefined && b !== undefined && a < b ? a : b;
}
