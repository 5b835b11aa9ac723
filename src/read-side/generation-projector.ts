import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedAtOf } from '#projections/projection.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { laterOf } from '#event-sourcing/time.ts';
import type { Position, StoredEvent, SubscriptionMessage } from '#stores/event-log/event-log.ts';
import { LogMismatch } from '#stores/event-log/log-identity.ts';
import type { Checkpoint, Generation } from '#stores/read-models/read-models.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { type Traced, withSpanOfBatch } from '#service/observability/traces.ts';
import { SafeError } from '#stores/shared/errors.ts';
import { StoreDamaged } from '#stores/shared/store-unavailable.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';
import { backOff, unlessAborted } from '#stores/shared/timing.ts';
import { ProjectorProgress } from './progress.ts';
import type { ProjectorOptions } from './projector.ts';
import { ProjectionBatch } from './projection-batch.ts';
import { Router } from './routing.ts';
import { requireSameLog } from './same-log.ts';
import { writeChanges } from './write-changes.ts';

interface BatchSizes {
  readonly batchSize: number;
  /** While catching up, changed documents are held in memory up to this number, because most change again. */
  readonly maxHeldDocuments: number;
}

const FIRST_BUILD: BatchSizes = { batchSize: 1_000, maxHeldDocuments: 5_000 };
/** Small, because the served documents are read and written in between. */
const BESIDE_SERVED: BatchSizes = { batchSize: 250, maxHeldDocuments: 500 };
/** Small, so that requests are served in between. */
const LIVE_BATCH = 250;

interface GenerationOptions extends ProjectorOptions {
  readonly number: number;
  readonly isBesideServed: boolean;
  /** Deletes what is damaged before the generation is taken over. */
  readonly inspect: () => Promise<void>;
  readonly onAdvance: (position: Position) => void;
  readonly onRebuildRequested: () => void;
  /** Called when another process has taken the generation over; the projector has then stopped. */
  readonly onTakenOver: (reason: TakenOver) => void;
}

/**
 * Folds the log into one generation until it is stopped. After an error it takes the generation over again and
 * continues after its checkpoint.
 */
export class GenerationProjector {
  readonly number: number;
  readonly progress: ProjectorProgress;
  readonly #options: GenerationOptions;
  readonly #sizes: BatchSizes;
  readonly #router: Router;
  readonly #parked = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #pauses = backOff(50);
  #caughtUp = Promise.withResolvers<undefined>();
  #generation: Generation | undefined;
  #batch: ProjectionBatch | undefined;
  #latestRecordedAt = '';
  #damage: string | undefined;

  constructor(options: GenerationOptions) {
    this.number = options.number;
    this.#options = options;
    this.#sizes = options.isBesideServed ? BESIDE_SERVED : FIRST_BUILD;
    this.#router = new Router(options.projections, options.log);
    this.progress = new ProjectorProgress(() => Date.parse(options.now()));
    this.#running = this.#run();
  }

  /** Resolves when the generation has caught up with the log. After an error, wait again. */
  get caughtUp(): Promise<undefined> {
    return this.#caughtUp.promise;
  }

  /** Undefined until it was taken over. */
  get generation(): Generation | undefined {
    return this.#generation;
  }

  get unroutable(): number {
    return this.#router.unroutable;
  }

  /** Why the generation cannot be folded until the operator has restored the log. */
  get damage(): string | undefined {
    return this.#damage;
  }

  parkedIn(collection: string): number {
    return this.#parked.get(collection) ?? 0;
  }

  /** Stores what was folded, and stops. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#subscribe(signal);
        if (!signal.aborted) throw new SubscriptionEnded('The subscription has ended');
      } catch (error) {
        if (error instanceof TakenOver) this.#stopTakenOver(error);
        else await this.#backOff(error, signal);
      }
    }
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    const after = await this.#resume(signal);
    if (signal.aborted) return;
    const batch = this.#options.batchSize ?? this.#sizes.batchSize;
    const damaged = new AbortController();
    void this.#generation?.damaged?.then(() => damaged.abort());
    const ending = AbortSignal.any([signal, damaged.signal]);
    try {
      for await (const message of this.#options.eventStore.subscribe({ after, batch, signal: ending }))
        await this.#handle(message, ending);
    } finally {
      // Without effect when applying or committing has failed, because the batch was discarded then.
      await this.#commit();
    }
  }

  async #resume(signal: AbortSignal): Promise<Position | undefined> {
    const { eventStore, readModels, projections, inspect } = this.#options;
    if (this.progress.caughtUp) this.#caughtUp = Promise.withResolvers();
    this.progress.caughtUp = false;
    await unlessAborted(inspect(), signal);
    if (signal.aborted) return undefined;
    const generation = await unlessAborted(readModels.takeOver(this.number), signal);
    if (generation === undefined) return undefined;
    const checkpoint = await generation.checkpoint();
    for (const { name } of projections) this.#parked.set(name, await generation.countParked(name));
    this.#generation = generation;
    this.#latestRecordedAt = checkpoint?.latestRecordedAt ?? '';
    const head = await eventStore.lastPosition();
    await requireSameLog(checkpoint, eventStore);
    this.progress.resumeFrom(checkpoint?.position, head);
    if (checkpoint !== undefined) this.#options.onAdvance(checkpoint.position);
    if (head === undefined) this.#markCaughtUp();
    return checkpoint?.position;
  }

  async #handle(message: SubscriptionMessage, signal: AbortSignal): Promise<void> {
    if (message.kind === 'events') await this.#project(message.events, signal);
    else await this.#onCaughtUp(message.position);
  }

  async #project(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const head = events.at(-1)?.position;
    for (let rest = events; rest.length > 0 && !signal.aborted; ) {
      const isLive = this.progress.caughtUp;
      const page = isLive ? rest.slice(0, LIVE_BATCH) : rest;
      rest = rest.slice(page.length);
      const first = page[0];
      if (head === undefined || first === undefined || this.#generation === undefined) return;
      const ports = { documents: this.#generation, eventStore: this.#options.eventStore, log: this.#options.log };
      const batch = this.#batch ?? new ProjectionBatch(this.#router, ports);
      this.#batch = undefined;
      if (batch.end === undefined) this.progress.updateHead(head, this.#timeOf(first));
      const attributes = { 'surety.events': page.length, 'surety.position': page.at(-1)?.position.toString() };
      await withSpanOfBatch('project', page.map(metadataOf), { attributes }, async () => {
        await batch.apply(page);
        for (const event of page) this.#latestRecordedAt = laterOf(this.#latestRecordedAt, recordedAtOf(event));
        this.#batch = batch;
        if (isLive || batch.size >= this.#sizes.maxHeldDocuments) await this.#commit();
      });
      if (page.some(({ stream }) => stream === REBUILDS_STREAM)) this.#options.onRebuildRequested();
      if (rest.length > 0) await nextTurn();
    }
  }

  async #commit(): Promise<void> {
    const [batch, generation] = [this.#batch, this.#generation];
    this.#batch = undefined;
    const end = batch?.end;
    if (batch === undefined || end === undefined || generation === undefined) return;
    const changes = await batch.changes();
    const { position, id: eventId } = end;
    const checkpoint: Checkpoint = { position, eventId, latestRecordedAt: this.#latestRecordedAt };
    await writeChanges(generation, changes, checkpoint);
    for (const { collection, parkedDelta } of changes)
      this.#parked.set(collection, this.parkedIn(collection) + parkedDelta);
    this.progress.advanceTo(position);
    this.#options.onAdvance(position);
    this.#recovered();
  }

  async #onCaughtUp(position: Position): Promise<void> {
    await this.#commit();
    if (position > (this.progress.position ?? 0n)) this.progress.advanceTo(position);
    this.#markCaughtUp();
    this.#recovered();
  }

  #markCaughtUp(): void {
    this.progress.markCaughtUp();
    this.#caughtUp.resolve(undefined);
  }

  #recovered(): void {
    this.#pauses.reset();
    this.progress.clearFailure();
    this.#damage = undefined;
  }

  #stopTakenOver(reason: TakenOver): void {
    this.progress.recordFailure(reason.message);
    this.#options.log.info(
      { process: 'projector', reason: reason.message },
      'The process stops because another process leads',
    );
    this.#stopping.abort();
    this.#options.onTakenOver(reason);
  }

  async #backOff(cause: unknown, signal: AbortSignal): Promise<void> {
    const reason = describeError(cause);
    const pauseMs = this.#pauses.next();
    this.progress.recordFailure(reason, { isLogMismatch: cause instanceof LogMismatch });
    this.#damage = cause instanceof StoreDamaged ? reason : undefined;
    this.#options.onStall?.(cause);
    this.#options.log.error(
      { process: 'projector', generation: this.number, reason, at: firstFramesOf(cause), pauseMs },
      'The process is stalled and will retry',
    );
    if (!signal.aborted) await unlessAborted(this.#options.pause(pauseMs, signal), signal).catch(() => {});
  }

  #timeOf(event: StoredEvent): number {
    const recordedAt = Date.parse(recordedAtOf(event));
    return Number.isNaN(recordedAt) ? Date.parse(this.#options.now()) : recordedAt;
  }
}

function metadataOf({ metadata }: StoredEvent): Traced | null | undefined {
  return metadata as Traced | null | undefined;
}

class SubscriptionEnded extends SafeError {
  override readonly name = 'SubscriptionEnded';
}
