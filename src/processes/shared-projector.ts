import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import { ReadModelsMissing } from '../projector/failures.ts';
import type { LeadingProjector, Projector, ProjectorStatus } from '../projector/projector.ts';
import { readReached } from '../projector/reached.ts';
import { RecordedProgress } from '../projector/recorded-progress.ts';
import { collectionsOf, type ProjectorOptions, startProjector } from '../projector/start-projector.ts';
import { generationOf } from '../read-models/generation.ts';
import type { Fence } from '../records/records.ts';
import { type Leadership, type LedWork, startLeadership } from './leadership.ts';
import type { LeaseParts } from './leader-election.ts';

/** Begins the name of its lease, so it never changes. */
export const PROJECTOR_ROLE = 'projector';

/** Of each generation of read models one projector leads: those of another version of the program go on beside. */
export function projectorLease(projections: readonly AnyProjection[]): string {
  const generation = generationOf(collectionsOf(projections));
  return generation === undefined ? PROJECTOR_ROLE : `${PROJECTOR_ROLE} ${generation}`;
}

export interface SharedProjectorOptions extends Omit<ProjectorOptions, 'fence' | 'isOpen' | 'keepsOtherVersions'> {
  readonly monotonic: () => number;
  /** Undefined: this process only follows what a projector elsewhere records. */
  readonly lease: LeaseParts | undefined;
}

/** The projector as a process among others sees it: its own while it leads, else the one that leads elsewhere. */
export interface SharedProjector extends Projector {
  readonly isLeading: () => boolean;
  /** Why it cannot be told who leads, undefined when it can; for a process that only stands by. */
  readonly checkLease: () => string | undefined;
}

/** Whether several processes can run the projector, and one of them leads. */
export function isShared(projector: Projector | SharedProjector): projector is SharedProjector {
  return 'isLeading' in projector;
}

/**
 * Opens the read models, follows how far they are, and, with a lease, keeps them level whenever it is this process's turn.
 * @throws {StoreUnavailable} when the read models cannot be opened at all.
 */
export async function startSharedProjector(options: SharedProjectorOptions): Promise<SharedProjector> {
  const { readModels, projections } = options;
  await readModels.open(collectionsOf(projections));
  return new TurnTakingProjector(options);
}

/** How often the one that leads looks whether the read models are still there: no event tells of that. */
const LOOK_EVERY_MS = 5_000;

class TurnTakingProjector implements SharedProjector {
  readonly #options: SharedProjectorOptions;
  readonly #recorded: RecordedProgress;
  readonly #leadership: Leadership | undefined;
  /** While this process leads. */
  #own: Projector | undefined;

  constructor(options: SharedProjectorOptions) {
    const { readModels, lease } = options;
    this.#options = options;
    // The projector of this process reads the head of the log already.
    const lastPosition = async () => this.#own?.status().head ?? (await options.eventStore.lastPosition());
    this.#recorded = new RecordedProgress({
      ...options,
      eventStore: { lastPosition },
      readReached: async () => await readReached(readModels),
    });
    this.#leadership =
      lease &&
      startLeadership({ ...lease, name: projectorLease(options.projections), begin: (fence) => this.#begin(fence) });
  }

  readonly isLeading = (): boolean => this.#leadership?.isLeading() ?? false;

  readonly checkLease = (): string | undefined => this.#leadership?.check();

  /** A wait that outlives the turn goes on by what the next projector records. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    const { monotonic } = this.#options;
    const began = monotonic();
    if (this.#own !== undefined && (await this.#own.waitFor(position, timeoutMs))) return true;
    return await this.#recorded.waitFor(position, timeoutMs - (monotonic() - began));
  }

  status(): ProjectorStatus {
    return (this.#own ?? this.#recorded).status();
  }

  async stop(): Promise<void> {
    await this.#leadership?.stop();
    await this.#recorded.stop();
  }

  #begin(fence: Fence): LedWork {
    const ending = new AbortController();
    // Opened long ago, so it starts at once and does not fail.
    const starting = startProjector({ ...this.#options, fence, isOpen: true, keepsOtherVersions: true });
    const watching = starting.then(async (own) => {
      this.#own = own;
      await this.#watch(own, ending.signal);
    });
    return {
      fenced: starting.then(async (own) => await own.fenced),
      stop: async () => {
        ending.abort();
        const own = await starting;
        this.#own = undefined;
        // It stops now, although a store that hangs may keep the watch waiting for its answer.
        await Promise.all([own.stop(), watching]);
      },
    };
  }

  /** Has the projector make anew what somebody deleted. */
  async #watch(own: LeadingProjector, ending: AbortSignal): Promise<void> {
    const { readModels, pause } = this.#options;
    for (;;) {
      await pause(LOOK_EVERY_MS, ending).catch(() => {});
      if (ending.aborted) return;
      // A store that does not answer is met by whoever writes to it.
      const missing = await readModels.missing().catch(() => []);
      if (missing.length > 0) own.startOver(new ReadModelsMissing(missing));
    }
  }
}
