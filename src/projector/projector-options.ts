import type { AnyProjection } from '../../projections/projection.ts';
import type { Rebuild } from '../event-sourcing/rebuilds.ts';
import type { Instant } from '../event-sourcing/time.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';

/** The logger of the projector. No field or message contains personal data. */
export interface ProjectorLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

type RebuildOutcome = NonNullable<Rebuild['ended']>['outcome'];

/** Records the end of a rebuild, if it has not ended. The reason is that of a refusal. */
export type EndRebuild = (rebuildId: string, outcome: RebuildOutcome, reason: string | null) => Promise<void>;

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly log: ProjectorLog;
  readonly now: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onStall?: ((cause: unknown) => void) | undefined;
  readonly batchSize?: number;
  /** Required where several processes may project into the same read models. */
  readonly fence?: Fence | undefined;
  /** Keeps the documents of other versions of the projections, which processes of another version of Surety may read. */
  readonly keepsOtherVersions?: boolean;
  readonly isOpen?: boolean;
  /** While catching up, changed documents are held in memory up to this number, because most change again. Default: 50,000. */
  readonly maxHeldDocuments?: number;
  /** Executes requested rebuilds and records their end. Without it requests are ignored. */
  readonly endRebuild?: EndRebuild | undefined;
}
