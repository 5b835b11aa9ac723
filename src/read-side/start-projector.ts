import { once } from 'node:events';
import type { AnyProjection } from '#projections/projection.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import { AwaitablePosition } from '#stores/event-log/awaitable-position.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { CollectionDefinition, GenerationsState } from '#stores/read-models/read-models.ts';
import { describeError } from '#service/observability/describe-error.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';
import { backOff, unlessAborted } from '#stores/shared/timing.ts';
import { GenerationProjector } from './generation-projector.ts';
import { ProjectorProgress } from './progress.ts';
import {
  BEFORE_FIRST_EVENT,
  type BuildProgress,
  type LeadingProjector,
  type ProjectorOptions,
  type ProjectorStatus,
} from './projector.ts';
import { reasonToRefuse } from './reason-to-refuse.ts';

/** After this time no request reads documents that were served before a switch. */
const GRACE_MS = 60_000;
/** Longest time for which no generation is folded at a switch. */
const SWITCH_MS = 1_000;

/** Returns the definitions of the collections of projections. */
export function definitionsOf(projections: readonly AnyProjection[]): readonly CollectionDefinition[] {
  return projections.map(({ name, version, indexNames: indexes, countedBy }) => {
    const definition = { name, version, indexes };
    return countedBy === undefined ? definition : { ...definition, countedBy };
  });
}

/**
 * Folds the log into the served generation of the read models until it is stopped. If none is served, or a rebuild was
 * requested, also folds it into the newest generation, and serves that when it has caught up. Generations that are not
 * read any more are deleted later. It stops when another process has taken the read models over.
 */
export function startProjector(options: ProjectorOptions): LeadingProjector {
  return new RunningProjector(options);
}

class RunningProjector implements LeadingProjector {
  readonly #options: ProjectorOptions;
  readonly #projectors = new Map<number, GenerationProjector>();
  readonly #reached = new AwaitablePosition();
  readonly #stopping = new AbortController();
  readonly #takenOver = Promise.withResolvers<TakenOver>();
  readonly #pauses = backOff(50);
  readonly #running: Promise<void>;
  /** Shown before the store of the read models has answered. */
  readonly #noProgress: ProjectorProgress;
  #waking = new AbortController();
  /** Undefined before the store has answered. */
  #state: GenerationsState | undefined;
  /** The generation that is to be served. */
  #target: number | undefined;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    this.#noProgress = new ProjectorProgress(() => Date.parse(options.now()));
    this.#running = this.#run();
  }

  get takenOver(): Promise<TakenOver> {
    return this.#takenOver.promise;
  }

  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.#reached.waitFor(position, timeoutMs);
  }

  status(): ProjectorStatus {
    const served = this.#state?.served;
    const shown = this.#projectorOf(served ?? this.#target);
    const { position, head, lagMs, caughtUp, failure, hasLogMismatch } = shown?.progress ?? this.#noProgress;
    const collections = this.#options.projections.map(({ name, version }) => {
      return { collection: name, version, position, parked: shown?.parkedIn(name) ?? 0 };
    });
    const built = this.#target === served ? undefined : this.#projectorOf(this.#target);
    return {
      collections,
      position,
      head,
      lagMs,
      caughtUp: caughtUp && served !== undefined,
      unroutable: shown?.unroutable ?? 0,
      failure,
      hasLogMismatch,
      rebuild: built && {
        number: built.number,
        position: built.progress.position,
        head: built.progress.head,
        damage: built.damage,
      },
    };
  }

  initialBuildProgress(): BuildProgress | undefined {
    if (this.#state === undefined || this.#state.served !== undefined) return undefined;
    const { position, head } = this.#projectorOf(this.#target)?.progress ?? {};
    return { position, head };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #projectorOf(number: number | undefined): GenerationProjector | undefined {
    return number === undefined ? undefined : this.#projectors.get(number);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        // A switch or the creation of indexes takes seconds, for which a leader that stops must not keep its lease.
        await unlessAborted(this.#step(signal), signal);
        this.#pauses.reset();
      } catch (error) {
        if (error instanceof TakenOver) this.#stopTakenOver(error);
        else await this.#backOff(error, signal);
      }
    }
    await this.#foldInto([]);
    this.#reached.end();
  }

  /** Returns when there may be something else to do. */
  async #step(signal: AbortSignal): Promise<void> {
    this.#waking = new AbortController();
    const ending = AbortSignal.any([signal, this.#waking.signal]);
    const last = await this.#options.eventStore.readLast(REBUILDS_STREAM);
    await this.#inspect();
    if (signal.aborted) return;
    const { served, refused } = this.#state ?? {};
    const newest = last === undefined ? 0 : last.revision + 1;
    const isNeeded = served === undefined || (newest > served && refused?.has(newest) !== true);
    this.#target = isNeeded ? newest : served;
    await this.#foldInto([served, this.#target].filter((number) => number !== undefined));
    if (isNeeded) await this.#serveWhenCaughtUp(newest, served, ending);
    else await this.#dropUnused(ending);
  }

  async #inspect(): Promise<void> {
    const before = this.#state?.served;
    this.#state = await this.#options.readModels.inspect();
    if (this.#state.served === before) return;
    const { served } = this.#state;
    const position = this.#projectorOf(served)?.progress.position;
    this.#reached.moveTo(served === undefined ? undefined : (position ?? BEFORE_FIRST_EVENT));
    this.#waking.abort();
  }

  /** Starts the projectors of these generations, and stops the others. */
  async #foldInto(numbers: readonly number[]): Promise<void> {
    await Promise.all(
      [...this.#projectors.keys()].filter((one) => !numbers.includes(one)).map((one) => this.#stopOne(one)),
    );
    for (const number of numbers) {
      if (this.#stopping.signal.aborted || this.#projectors.has(number)) continue;
      const served = this.#state?.served;
      const projector = new GenerationProjector({
        ...this.#options,
        number,
        isBesideServed: served !== undefined && served !== number,
        inspect: async () => await this.#inspect(),
        onAdvance: (position) => {
          if (number === this.#state?.served) this.#reached.moveTo(position);
        },
        onRebuildRequested: () => this.#waking.abort(),
        onTakenOver: (reason) => this.#stopTakenOver(reason),
      });
      this.#projectors.set(number, projector);
    }
  }

  async #stopOne(number: number): Promise<GenerationProjector | undefined> {
    const projector = this.#projectors.get(number);
    await projector?.stop();
    this.#projectors.delete(number);
    return projector;
  }

  async #serveWhenCaughtUp(number: number, served: number | undefined, ending: AbortSignal): Promise<void> {
    const { readModels, log } = this.#options;
    const built = this.#projectors.get(number);
    if (built === undefined) return;
    await unlessAborted(built.caughtUp, ending);
    if (ending.aborted) return;
    await readModels.serve(number, async () => {
      if (!ending.aborted && built.progress.caughtUp)
        return served === undefined || (await this.#replaces(built, served));
      return false;
    });
    await this.#inspect();
    if (this.#state?.served === number)
      log.info({ generation: number, position: String(built.progress.position ?? 0n) }, 'The read models are served');
  }

  /** Stops the fold into the served generation, and returns whether the built one is as new and as good. */
  async #replaces(built: GenerationProjector, served: number): Promise<boolean> {
    const { readModels, projections, log } = this.#options;
    const { position = 0n } = (await this.#stopOne(served))?.progress ?? {};
    if (!(await built.progress.waitFor(position, SWITCH_MS)) || built.generation === undefined) return false;
    const names = projections.map(({ name }) => name);
    const reason = await reasonToRefuse(names, built.generation, readModels);
    if (reason === undefined) return true;
    await readModels.refuse(built.number, reason);
    log.error({ generation: built.number, reason }, 'A rebuild was refused, and the documents stay');
    return false;
  }

  async #dropUnused(ending: AbortSignal): Promise<void> {
    const { readModels, log, keepsOtherVersions } = this.#options;
    const served = this.#projectorOf(this.#target);
    await unlessAborted(served?.caughtUp ?? Promise.resolve(), ending);
    if (ending.aborted) return;
    log.info({ position: String(served?.progress.position ?? 0n) }, 'The read models have caught up with the log');
    if (keepsOtherVersions !== true) await readModels.dropOtherVersions();
    await unlessAborted(this.#options.pause(GRACE_MS, ending), ending).catch(() => {});
    if (ending.aborted) return;
    await readModels.dropUnused();
    if (!ending.aborted) await once(ending, 'abort');
  }

  #stopTakenOver(reason: TakenOver): void {
    this.#stopping.abort();
    this.#takenOver.resolve(reason);
  }

  async #backOff(cause: unknown, signal: AbortSignal): Promise<void> {
    const reason = describeError(cause);
    const pauseMs = this.#pauses.next();
    this.#noProgress.recordFailure(reason);
    this.#options.onStall?.(cause);
    this.#options.log.error({ process: 'projector', reason, pauseMs }, 'The process is stalled and will retry');
    if (!signal.aborted) await unlessAborted(this.#options.pause(pauseMs, signal), signal).catch(() => {});
  }
}
