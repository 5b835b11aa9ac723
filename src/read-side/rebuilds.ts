import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { loadState } from '#domain/events.ts';
import { type Rebuild, rebuilds } from '#event-sourcing/rebuilds.ts';
import { REBUILDS_STREAM } from '#event-sourcing/system-events.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import { describeError } from '#service/observability/describe-error.ts';
import { PUBLISHED_POSITION, type ReadModels } from '#stores/read-models/read-models.ts';
import { WriterFenced } from '#stores/read-models/fence.ts';
import { StoreDamaged, StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { laterPosition, MARK_DEFINITION, readMarkPosition } from './log-mark.ts';
import type { LeadingProjector, RebuildProgress, EndRebuild, ProjectorOptions } from './projector.ts';
import { readPublishedPosition } from './published-progress.ts';
import { unlessAborted } from '#stores/shared/timing.ts';
import { SafeError } from '#stores/shared/errors.ts';

interface ServingProjector {
  /**
   * Position up to which the projector has stored changes; it may be lower than the published position after a restart.
   */
  readonly position: Position | undefined;
  /** Runs the action between two batches. Rejects when the projector stops before. */
  interrupt<T>(action: () => Promise<T>): Promise<T>;
}

interface RebuildsOptions extends Omit<ProjectorOptions, 'endRebuild'> {
  readonly endRebuild: EndRebuild;
  readonly serving: ServingProjector;
  readonly startBuildProjector: (options: ProjectorOptions) => Promise<LeadingProjector>;
}

/** Small, because the served documents are read and written in between. */
const BUILD_SETTINGS = { batchSize: 250, maxHeldDocuments: 500 };
/** After this time no request reads documents that were served before a switch. */
const GRACE_MS = 60_000;
const RETRY_MS = 5_000;
const POLL_MS = 1_000;

async function readRebuilds(eventStore: Pick<EventStore, 'readStream'>): Promise<readonly Rebuild[]> {
  return (await loadState(rebuilds, REBUILDS_STREAM, eventStore)) ?? [];
}

/** Returns the id of the build of a rebuild, so that the next leader continues it. */
export function buildIdOf(rebuildId: string): string {
  return createHash('sha256').update(rebuildId).digest('hex').slice(0, 12);
}

/**
 * Executes the requested rebuilds one after another: a second projector folds the log into a build beside the served
 * documents; when it has caught up, one write between two batches of the serving projector serves the build. Documents
 * that are not served any more are dropped later. A rebuild from a damaged log, or one that would park documents that
 * are served, is refused.
 */
export class Rebuilds {
  readonly #options: RebuildsOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #waking = new AbortController();
  #current: { readonly rebuildId: string; readonly projector: LeadingProjector | undefined } | undefined;

  constructor(options: RebuildsOptions) {
    this.#options = options;
  }

  get progress(): RebuildProgress | undefined {
    if (this.#current === undefined) return undefined;
    const { position, head } = this.#current.projector?.status() ?? {};
    return { rebuildId: this.#current.rebuildId, position, head };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#waking.abort();
  }

  /**
   * Ends the rebuilds that were requested up to the position, at which all read models were built.
   * @throws {StoreUnavailable}
   */
  async supersede(upTo: Position): Promise<void> {
    for (const { rebuildId, position, ended } of await readRebuilds(this.#options.eventStore))
      if (ended === undefined && position <= upTo) await this.#options.endRebuild(rebuildId, 'superseded', null);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let areUnusedDropped = false; !signal.aborted; ) {
      this.#waking = new AbortController();
      const waking = AbortSignal.any([signal, this.#waking.signal]);
      try {
        if (await this.#executeOpen()) areUnusedDropped = false;
        await this.#pause(areUnusedDropped ? undefined : GRACE_MS, waking);
        if (waking.aborted || areUnusedDropped) continue;
        await this.#dropUnusedBuilds();
        areUnusedDropped = true;
      } catch (error) {
        if (error instanceof WriterFenced || signal.aborted) return;
        this.#options.log.error(
          { process: 'rebuild', reason: describeError(error) },
          'A rebuild failed and will retry',
        );
        await this.#pause(RETRY_MS, signal);
      }
    }
  }

  async #executeOpen(): Promise<boolean> {
    const open = (await readRebuilds(this.#options.eventStore)).filter(({ ended }) => ended === undefined);
    for (const rebuild of open) {
      if (this.#stopping.signal.aborted) break;
      await this.#execute(rebuild);
    }
    return open.length > 0;
  }

  async #execute({ rebuildId, collections }: Rebuild): Promise<void> {
    const { readModels, projections, endRebuild, log } = this.#options;
    const build = buildIdOf(rebuildId);
    const rebuilt = projections.filter(({ name }) => collections.includes(name));
    const served = await readModels.builds();
    try {
      this.#current = { rebuildId, projector: undefined };
      // A previous leader may have stopped between the switch and its record.
      const isSwitched = rebuilt.every(({ name }) => served[name] === build);
      if (!isSwitched) await this.#build(rebuildId, build, rebuilt);
      if (this.#stopping.signal.aborted) return;
      await endRebuild(rebuildId, 'completed', null);
      log.info({ rebuild_id: rebuildId, collections }, 'Rebuilt read models');
    } catch (error) {
      if (!(error instanceof RebuildRefused)) throw error;
      const { message: reason } = error;
      await endRebuild(rebuildId, 'refused', reason);
      log.error({ rebuild_id: rebuildId, collections, reason }, 'A rebuild was refused, and the documents stay');
    } finally {
      this.#current = undefined;
    }
  }

  async #build(rebuildId: string, build: string, projections: ProjectorOptions['projections']): Promise<void> {
    const { readModels, log, startBuildProjector } = this.#options;
    const names = projections.map(({ name }) => name);
    const opening = readModels.openBuild(build, [...names, MARK_DEFINITION.name, PUBLISHED_POSITION]);
    // On servers it takes seconds, for which a leader that stops must not keep its lease.
    const opened = await unlessAborted(opening, this.#stopping.signal);
    if (opened === undefined) return;
    const buildLog: ProjectorOptions['log'] = {
      info: () => {},
      warn: (details, message) => log.warn({ ...details, rebuild_id: rebuildId }, message),
      error: (details, message) => log.error({ ...details, rebuild_id: rebuildId }, message),
    };
    const { endRebuild: _, serving: __, startBuildProjector: ___, ...ports } = this.#options;
    let damage: StoreDamaged | undefined;
    const onStall = (cause: unknown): void => {
      if (cause instanceof StoreDamaged) damage = cause;
    };
    for (let isServed = false; !isServed && !this.#stopping.signal.aborted; ) {
      const options = { ...ports, ...BUILD_SETTINGS, readModels: opened, projections, log: buildLog, onStall };
      const projector = await startBuildProjector({ ...options, isOpen: true, keepsOtherVersions: true });
      this.#current = { rebuildId, projector };
      try {
        await this.#waitForServing(projector, () => {
          if (damage !== undefined) throw new RebuildRefused(damage.message);
        });
        if (this.#stopping.signal.aborted) return;
        isServed = await this.#options.serving.interrupt(
          async () => await this.#switch(build, names, opened, projector),
        );
      } finally {
        await projector.stop();
      }
    }
  }

  /** @param requireSound throws when the build cannot go on */
  async #waitForServing(projector: LeadingProjector, requireSound: () => void): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      requireSound();
      const { position } = this.#options.serving;
      if (position !== undefined && (await projector.waitFor(position, POLL_MS)) && projector.status().caughtUp) return;
      const fenced = await Promise.race([projector.fenced, this.#pause(0, this.#stopping.signal)]);
      if (fenced instanceof WriterFenced) throw fenced;
    }
  }

  /**
   * Serves the build, unless it is older than what is served. Returns whether it is served.
   * @throws {RebuildRefused}
   */
  async #switch(
    build: string,
    names: readonly string[],
    opened: ReadModels,
    projector: LeadingProjector,
  ): Promise<boolean> {
    const { serving, readModels } = this.#options;
    const published = laterPosition(serving.position, await readPublishedPosition(readModels));
    const position = laterPosition(published, await readMarkPosition(readModels));
    if (position === undefined || !(await projector.waitFor(position, POLL_MS))) return false;
    // Stores the checkpoints of all collections.
    await projector.stop();
    for (const name of names) {
      const checkpoint = await opened.checkpoint(name);
      if (checkpoint === undefined || checkpoint < position) return false;
    }
    await requireNoneParked(names, { build: opened, served: readModels });
    // With its log mark, because it may reflect later events than the documents that were served.
    await this.#serve(Object.fromEntries([...names, MARK_DEFINITION.name].map((name) => [name, build])));
    return true;
  }

  /**
   * Repeats the write while its outcome is unknown, because the serving projector must know which documents it changes.
   */
  async #serve(builds: Readonly<Record<string, string>>): Promise<void> {
    const { readModels, fence } = this.#options;
    for (;;) {
      try {
        await readModels.serveBuilds(builds, fence);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || this.#stopping.signal.aborted) throw error;
        await this.#pause(POLL_MS, this.#stopping.signal);
      }
    }
  }

  async #dropUnusedBuilds(): Promise<void> {
    const { readModels, eventStore } = this.#options;
    await readModels.dropBuilds(async () => {
      const open = (await readRebuilds(eventStore)).filter(({ ended }) => ended === undefined);
      return open.map(({ rebuildId }) => buildIdOf(rebuildId));
    });
  }

  /** Resolves after the time, or when the signal aborts; without a time only then. */
  async #pause(milliseconds: number | undefined, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (milliseconds !== undefined) return await this.#options.pause(milliseconds, signal).catch(() => {});
    await once(signal, 'abort');
  }
}

/** The documents of a rebuild are worse than those that are served. The message is the reason. */
class RebuildRefused extends SafeError {
  override readonly name = 'RebuildRefused';
}

const PAGE = 500;
const MAX_NAMED = 5;

/**
 * Refuses a build with parked documents that are served in a good state.
 * @throws {RebuildRefused}
 * @throws {StoreUnavailable}
 */
async function requireNoneParked(
  collections: readonly string[],
  { build, served }: { readonly build: Pick<ReadModels, 'parked'>; readonly served: Pick<ReadModels, 'getMany'> },
): Promise<void> {
  const named: string[] = [];
  let count = 0;
  for (const collection of collections) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await build.parked(collection, { limit: PAGE, offset });
      const reasons = new Map(
        page.map(({ key, parked: { position, reason } }) => [key, `at position ${position}: ${reason}`]),
      );
      for (const { key, parked } of await served.getMany(collection, [...reasons.keys()])) {
        if (parked !== undefined) continue;
        count += 1;
        if (named.length < MAX_NAMED) named.push(`${collection} ${key} ${reasons.get(key)}`);
      }
      if (page.length < PAGE) break;
    }
  }
  if (count === 0) return;
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  throw new RebuildRefused(`documents that are served would be parked: ${named.join('; ')}${more}`);
}
