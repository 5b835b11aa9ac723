import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AnyProjection, recordedAtOf } from '#projections/projection.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import type { Position, StoredEvent, SubscriptionMessage } from '#stores/event-log/event-log.ts';
import { LogMismatch } from '#stores/event-log/log-identity.ts';
import type { CollectionDefinition } from '#stores/read-models/read-models.ts';
import { type Fence, WriterFenced } from '#stores/read-models/fence.ts';
import { type Traced, withSpanOfBatch } from '#service/observability/traces.ts';
import { Collection, definitionOf, writeCollections } from './collection.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { backOff } from '#stores/shared/timing.ts';
import { LogMark, MARK_DEFINITION } from './log-mark.ts';
import { ProjectorProgress } from './progress.ts';
import type { BuildProgress, LeadingProjector, ProjectorStatus, ProjectorOptions } from './projector.ts';
import { publishedPositionDefinition, publishPosition, readPublishedPosition } from './published-progress.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { Rebuilds } from './rebuilds.ts';
import { Router } from './routing.ts';
import { SafeError } from '#stores/shared/errors.ts';

const CATCH_UP_BATCH = 1_000;
/** Small, so that requests are served in between. */
const LIVE_BATCH = 250;
const MAX_HELD_DOCUMENTS = 50_000;
/** Collections that no event changes store their checkpoint after this many events, so that a restart repeats few. */
const FLUSH_EVERY = 2_000;

/** Returns the definitions of all collections of a projector; readers must open them too. */
export function collectionsOf(projections: readonly AnyProjection[]): readonly CollectionDefinition[] {
  return [...projections.map(definitionOf), MARK_DEFINITION, publishedPositionDefinition(projections)];
}

/**
 * Opens the read models and projects the log into them until it is stopped. After an error, or when another projector
 * has written, it subscribes again after the stored checkpoints; it stops when a write is rejected because of a greater
 * fencing token.
 * @throws {StoreUnavailable} when the read models cannot be opened
 */
export async function startProjector(options: ProjectorOptions): Promise<LeadingProjector> {
  if (options.isOpen !== true) await options.readModels.open(collectionsOf(options.projections));
  const running = new RunningProjector(options);
  running.start();
  return running;
}

/** Ends a subscription so that an action runs between two batches. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Interruption {
  readonly run: () => Promise<void>;
  readonly cancel: () => void;
}

class RunningProjector implements LeadingProjector {
  readonly #options: ProjectorOptions;
  readonly #collections: readonly Collection[];
  readonly #router: Router;
  readonly #mark: LogMark;
  readonly #progress: ProjectorProgress;
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #fenced = Promise.withResolvers<WriterFenced>();
  #run: Promise<void> = Promise.resolve();
  #restarting = new AbortController();
  #batch: ProjectionBatch | undefined;
  #publishedPosition: Position | undefined;
  /** The read models have never caught up with the log since they were created. */
  #isBuilding = false;
  readonly #pauses = backOff(50);
  #sinceFlush = 0;
  readonly #rebuilds: Rebuilds | undefined;
  #interruption: Interruption | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#collections = options.projections.map((projection) => new Collection(projection, options.readModels));
    this.#router = new Router(this.#collections, options.log);
    this.#mark = new LogMark(options.readModels, options.eventStore);
    this.#progress = new ProjectorProgress(() => Date.parse(options.now()));
    const { endRebuild } = options;
    this.#rebuilds =
      endRebuild && new Rebuilds({ ...options, endRebuild, serving: this, startBuildProjector: startProjector });
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
    const { position, head, lagMs, caughtUp, failure, hasLogMismatch } = this.#progress;
    const collections = this.#collections.map((collection) => collection.progress);
    const { unroutable } = this.#router;
    const rebuild = this.#rebuilds?.progress;
    return { collections, position, head, lagMs, caughtUp, unroutable, failure, hasLogMismatch, rebuild };
  }

  initialBuildProgress(): BuildProgress | undefined {
    return this.#isBuilding ? { position: this.#progress.position, head: this.#progress.head } : undefined;
  }

  restart(reason: Error): void {
    this.#restarting.abort(reason);
  }

  get position(): Position | undefined {
    return this.#progress.position;
  }

  /**
   * Runs the action between two batches, when all changes are stored; then subscribes again after the stored
   * checkpoints.
   */
  async interrupt<T>(action: () => Promise<T>): Promise<T> {
    const done = Promise.withResolvers<T>();
    const cancel = (): void => done.reject(new SubscriptionEnded('The projector has stopped'));
    this.#interruption = { run: async () => await action().then(done.resolve, done.reject), cancel };
    if (this.#stopping.signal.aborted) cancel();
    this.#restarting.abort(new Interrupted());
    return await done.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve();
    const stopped = this.#rebuilds?.stop();
    await this.#run;
    await stopped;
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#runInterruption();
        await this.#subscribe(signal);
        if (!signal.aborted) throw new SubscriptionEnded('The subscription has ended');
        await this.#flush();
      } catch (error) {
        if (error instanceof WriterFenced) this.#stopFenced(error);
        else if (!(error instanceof Interrupted)) await this.#backOff(error, signal);
      }
    }
    this.#progress.end();
    this.#interruption?.cancel();
  }

  async #runInterruption(): Promise<void> {
    if (this.#interruption === undefined) return;
    await this.#flush();
    const { run } = this.#interruption;
    this.#interruption = undefined;
    await run();
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    const restarting = new AbortController();
    this.#restarting = restarting;
    if (this.#interruption !== undefined) throw new Interrupted();
    const after = await this.#resume();
    const batch = this.#options.batchSize ?? CATCH_UP_BATCH;
    const ending = AbortSignal.any([signal, restarting.signal]);
    try {
      for await (const message of this.#options.eventStore.subscribe({ after, batch, signal: ending })) {
        await this.#handle(message, ending);
      }
      if (!signal.aborted) restarting.signal.throwIfAborted();
    } finally {
      // Without effect when applying or committing has failed, because the batch was discarded then.
      await this.#commit();
    }
  }

  async #resume(): Promise<Position | undefined> {
    // First, so that no previous leader moves a checkpoint after it was read.
    if (this.#options.fence !== undefined) await this.#fenceCheckpoints(this.#options.fence);
    this.#publishedPosition = undefined;
    for (const collection of this.#collections) if (await collection.resume()) this.#progress.reset();
    const head = await this.#options.eventStore.lastPosition();
    const checkpoints = this.#collections.map(({ position }) => position);
    const published = await readPublishedPosition(this.#options.readModels);
    this.#isBuilding = head !== undefined && [...checkpoints, published].includes(undefined);
    await this.#mark.check();
    if (head !== undefined) this.#progress.knowHead(head);
    const after = checkpoints.includes(undefined) ? undefined : checkpoints.reduce(lower);
    if (after !== undefined) this.#progress.advanceTo(after);
    if (head === undefined) {
      await this.#options.readModels.createListIndexes();
      this.#progress.markCaughtUp();
    }
    return after;
  }

  async #fenceCheckpoints(fence: Fence): Promise<void> {
    const missing = await this.#options.readModels.fenceCheckpoints(fence);
    if (missing.length > 0) this.#options.log.warn({ missing }, 'Read models are missing: all are rebuilt');
  }

  async #handle(message: SubscriptionMessage, signal: AbortSignal): Promise<void> {
    if (message.kind === 'events') await this.#project(message.events, signal);
    else await this.#onCaughtUp(message.position);
  }

  async #project(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const head = events.at(-1)?.position;
    for (let rest = events; rest.length > 0 && !signal.aborted; ) {
      const isLive = this.#progress.caughtUp;
      const page = isLive ? rest.slice(0, LIVE_BATCH) : rest;
      rest = rest.slice(page.length);
      const first = page[0];
      if (head === undefined || first === undefined) return;
      const batch = this.#batch ?? new ProjectionBatch(this.#collections, this.#router, this.#options);
      this.#batch = undefined;
      if (batch.end === undefined) this.#progress.updateHead(head, this.#timeOf(first));
      const attributes = { 'surety.events': page.length, 'surety.position': page.at(-1)?.position.toString() };
      await withSpanOfBatch('project', page.map(metadataOf), { attributes }, async () => {
        await batch.apply(page);
        this.#mark.add(page);
        this.#batch = batch;
        this.#sinceFlush += page.length;
        if (isLive || batch.size >= (this.#options.maxHeldDocuments ?? MAX_HELD_DOCUMENTS)) await this.#commit();
      });
      if (page.some(({ stream }) => stream === REBUILDS_STREAM)) this.#rebuilds?.wake();
      if (rest.length > 0) await nextTurn();
    }
  }

  async #commit(): Promise<void> {
    const batch = this.#batch;
    this.#batch = undefined;
    const end = batch?.end;
    if (batch === undefined || end === undefined) return;
    const { readModels, fence } = this.#options;
    await writeCollections(readModels, await batch.prepareWrites(), fence, this.#mark.stepTo(end));
    this.#mark.advanceTo(end);
    if (!this.#isBuilding) await this.#publishPosition(end.position);
    this.#progress.advanceTo(end.position);
    this.#recovered();
    if (this.#sinceFlush >= FLUSH_EVERY) await this.#flush();
  }

  async #onCaughtUp(position: Position): Promise<void> {
    await this.#commit();
    const isFirst = !this.#progress.caughtUp;
    if (isFirst) await this.#flush();
    // Before the position is published, so that a killed process repeats it.
    if (this.#isBuilding) {
      await this.#options.readModels.createListIndexes();
      await this.#rebuilds?.supersede(position);
    }
    await this.#publishPosition(position);
    if (this.#progress.position === undefined || position > this.#progress.position) this.#progress.advanceTo(position);
    this.#progress.markCaughtUp();
    this.#isBuilding = false;
    this.#recovered();
    this.#rebuilds?.start();
    if (!isFirst) return;
    this.#options.log.info({ position: position.toString() }, 'The read models have caught up with the log');
    if (this.#options.keepsOtherVersions !== true) await this.#options.readModels.dropOtherVersions();
  }

  async #flush(): Promise<void> {
    const { readModels, fence } = this.#options;
    const writes = this.#collections.map((collection) => collection.prepareFlush());
    await writeCollections(readModels, writes, fence);
    this.#sinceFlush = 0;
  }

  /** Without a fence there are no other processes, and one position records that the read models are complete. */
  async #publishPosition(position: Position): Promise<void> {
    const { fence, readModels } = this.#options;
    if (this.#publishedPosition !== undefined && (fence === undefined || position <= this.#publishedPosition)) return;
    await publishPosition(readModels, position, fence);
    this.#publishedPosition = position;
  }

  #recovered(): void {
    this.#pauses.reset();
    this.#progress.clearFailure();
  }

  #stopFenced(reason: WriterFenced): void {
    this.#progress.recordFailure(reason.message);
    this.#options.log.info(
      { process: 'projector', reason: reason.message },
      'The process stops because another process leads',
    );
    this.#stopping.abort();
    this.#fenced.resolve(reason);
  }

  async #backOff(cause: unknown, signal: AbortSignal): Promise<void> {
    const reason = describeError(cause);
    const pauseMs = this.#pauses.next();
    this.#progress.recordFailure(reason, { isLogMismatch: cause instanceof LogMismatch });
    this.#options.onStall?.(cause);
    this.#options.log.error(
      { process: 'projector', reason, at: firstFramesOf(cause), pauseMs },
      'The process is stalled and will retry',
    );
    if (signal.aborted) return;
    await Promise.race([this.#options.pause(pauseMs, signal).catch(() => {}), this.#stopped.promise]);
  }

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

class SubscriptionEnded extends SafeError {
  override readonly name = 'SubscriptionEnded';
}
