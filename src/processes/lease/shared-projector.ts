import type { AnyProjection } from '#projections/projection.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type {
  BuildProgress,
  LeadingProjector,
  Projector,
  ProjectorStatus,
  ProjectorOptions,
} from '#read-side/projector.ts';
import { readPublishedPosition, PublishedProgress } from '#read-side/published-progress.ts';
import { collectionsOf, startProjector } from '#read-side/start-projector.ts';
import { generationOf } from '#stores/read-models/collection-definitions.ts';
import type { Fence } from '#stores/read-models/fence.ts';
import { Leadership, type LeaderWork } from './leadership.ts';
import type { LeaseSettings } from './leader-election.ts';
import { SafeError } from '#stores/shared/errors.ts';

/** Prefix of the name of the lease, so it must never change. */
export const PROJECTOR_ROLE = 'projector';

/**
 * Returns the name of the lease: one projector leads for each generation of read models, so two versions of Surety can
 * run at once.
 */
export function projectorLease(projections: readonly AnyProjection[]): string {
  return `${PROJECTOR_ROLE} ${generationOf(collectionsOf(projections))}`;
}

interface SharedProjectorOptions extends Omit<ProjectorOptions, 'fence' | 'isOpen' | 'keepsOtherVersions'> {
  readonly monotonic: () => number;
  /** Undefined: this process never leads; it reads the progress of a projector in another process. */
  readonly lease: LeaseSettings | undefined;
}

/**
 * The projector of a service with several processes: the local one while this process leads, otherwise the one that
 * leads elsewhere.
 */
export interface SharedProjector extends Projector {
  readonly isLeading: () => boolean;
  /** Returns since when this process leads, by its own clock; undefined while it stands by. */
  readonly leadingSince: () => Instant | undefined;
  /** Returns why the leader is unknown; undefined when it is known. For a process that stands by. */
  readonly checkLease: () => string | undefined;
}

export function isShared(projector: Projector | SharedProjector): projector is SharedProjector {
  return 'isLeading' in projector;
}

/**
 * Opens the read models and tracks their progress; with a lease, also projects events while this process leads.
 * @throws {StoreUnavailable} when the read models cannot be opened
 */
export async function startSharedProjector(options: SharedProjectorOptions): Promise<SharedProjector> {
  const { readModels, projections } = options;
  await readModels.open(collectionsOf(projections));
  return new ElectedProjector(options);
}

const CHECK_EXISTENCE_EVERY_MS = 5_000;

class ElectedProjector implements SharedProjector {
  readonly #options: SharedProjectorOptions;
  readonly #recorded: PublishedProgress;
  readonly #leadership: Leadership | undefined;
  #local: Projector | undefined;

  constructor(options: SharedProjectorOptions) {
    const { readModels, lease } = options;
    this.#options = options;
    const lastPosition = async () => this.#localHead() ?? (await options.eventStore.lastPosition());
    this.#recorded = new PublishedProgress({
      ...options,
      eventStore: { lastPosition },
      readPublishedPosition: async () => await readPublishedPosition(readModels),
    });
    this.#leadership =
      lease &&
      new Leadership({
        ...lease,
        name: projectorLease(options.projections),
        startWork: (fence) => this.#start(fence),
      });
  }

  readonly isLeading = (): boolean => this.#leadership?.isLeading() ?? false;

  readonly leadingSince = (): Instant | undefined => this.#leadership?.leadingSince();

  readonly checkLease = (): string | undefined => this.#leadership?.check();

  /** When this process stops leading during the wait, waits for the progress that the next leader records. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const { monotonic } = this.#options;
    const startedAt = monotonic();
    if (this.#local !== undefined && (await this.#local.waitFor(position, timeoutMs))) return true;
    return await this.#recorded.waitFor(position, timeoutMs - (monotonic() - startedAt));
  }

  status(): ProjectorStatus {
    return (this.#local ?? this.#recorded).status();
  }

  initialBuildProgress(): BuildProgress | undefined {
    return (this.#local ?? this.#recorded).initialBuildProgress();
  }

  async stop(): Promise<void> {
    await this.#leadership?.stop();
    await this.#recorded.stop();
  }

  /**
   * Returns the head of the log when the local projector knows it: while it catches up, it knows only the head of its
   * start.
   */
  #localHead(): Position | undefined {
    const { caughtUp, head } = this.#local?.status() ?? {};
    return caughtUp === true ? head : undefined;
  }

  #start(fence: Fence): LeaderWork {
    const ending = new AbortController();
    // The read models are open already, so the projector starts without I/O.
    const starting = startProjector({ ...this.#options, fence, isOpen: true, keepsOtherVersions: true });
    const checking = starting.then(async (local) => {
      this.#local = local;
      await this.#rebuildDeleted(local, ending.signal);
    });
    return {
      takenOver: starting.then(async (local) => (await local.fenced).token),
      stop: async () => {
        ending.abort();
        const local = await starting;
        this.#local = undefined;
        // Concurrently, because a store that hangs may delay the check.
        await Promise.all([local.stop(), checking]);
      },
    };
  }

  async #rebuildDeleted(local: LeadingProjector, ending: AbortSignal): Promise<void> {
    const { readModels, pause } = this.#options;
    for (;;) {
      await pause(CHECK_EXISTENCE_EVERY_MS, ending).catch(() => {});
      if (ending.aborted) return;
      // The projector's writes report a store that does not answer.
      const missing = await readModels.missing().catch(() => []);
      if (missing.length > 0) local.restart(new ReadModelsMissing(missing));
    }
  }
}

/** Read models or their checkpoints were deleted while they were in use. */
class ReadModelsMissing extends SafeError {
  override readonly name = 'ReadModelsMissing';
  constructor(collections: readonly string[]) {
    super(`Read models or their checkpoints were deleted (${collections.join(', ')}): all read models are rebuilt`);
  }
}
