import type { AnyProjection } from '#projections/projection.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import {
  BEFORE_FIRST_EVENT,
  type BuildProgress,
  type Projector,
  type ProjectorStatus,
  type ProjectorOptions,
} from '#read-side/projector.ts';
import { PublishedProgress } from '#read-side/published-progress.ts';
import { definitionsOf, startProjector } from '#read-side/start-projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import { hashOf } from '#stores/read-models/collection-definitions.ts';
import { Leadership, type LeaderWork } from './leadership.ts';
import type { LeaseSettings } from './leader-election.ts';

/** Prefix of the name of the lease, so it must never change. */
export const PROJECTOR_ROLE = 'projector';

/**
 * Returns the name of the lease: one projector leads for each set of read models, so two versions of Surety can run at
 * once.
 */
export function projectorLease(projections: readonly AnyProjection[]): string {
  return `${PROJECTOR_ROLE} ${hashOf(definitionsOf(projections))}`;
}

interface SharedProjectorOptions extends Omit<ProjectorOptions, 'keepsOtherVersions'> {
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

/** Tracks the progress of the read models; with a lease, also projects events while this process leads. */
export function startSharedProjector(options: SharedProjectorOptions): SharedProjector {
  return new ElectedProjector(options);
}

/** Returns the position that the served read models reflect; undefined when none are served. */
async function readPublishedPosition(
  readModels: Pick<ReadModels, 'checkpoint' | 'state'>,
): Promise<Position | undefined> {
  const checkpoint = await readModels.checkpoint();
  if (checkpoint !== undefined) return checkpoint.position;
  return (await readModels.state()).served === undefined ? undefined : BEFORE_FIRST_EVENT;
}

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
        startWork: () => this.#start(),
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

  #start(): LeaderWork {
    const local = startProjector({ ...this.#options, keepsOtherVersions: true });
    this.#local = local;
    return {
      takenOver: local.takenOver,
      stop: async () => {
        this.#local = undefined;
        await local.stop();
      },
    };
  }
}
