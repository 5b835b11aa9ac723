import type { Position, EventStore } from '#stores/event-log/event-log.ts';
import type { WriterFenced, Fence } from '#stores/read-models/fence.ts';
import type { AnyProjection } from '#projections/projection.ts';
import type { Rebuild } from '#event-sourcing/rebuilds.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';

export interface CollectionProgress {
  readonly collection: string;
  readonly version: number;
  readonly position: Position | undefined;
  readonly parked: number;
}

export interface ProjectorStatus {
  readonly collections: readonly CollectionProgress[];
  readonly position: Position | undefined;
  readonly head: Position | undefined;
  /** Age of the oldest event that is not reflected; 0 when there is none. */
  readonly lagMs: number;
  readonly caughtUp: boolean;
  /** Number of events since the start that were skipped because neither stream nor metadata name a document. */
  readonly unroutable: number;
  /** Why the projector is stalled; undefined while it works. It retries automatically. */
  readonly failure: string | undefined;
  /** The read models are ahead of the log, so they were built from another one. */
  readonly hasLogMismatch?: boolean;
  readonly rebuild?: RebuildProgress | undefined;
}

export interface BuildProgress {
  readonly position: Position | undefined;
  readonly head: Position | undefined;
}

export interface RebuildProgress extends BuildProgress {
  readonly rebuildId: string;
}

export interface Projector {
  /**
   * Returns the progress while the read models lack documents, because they have never caught up with the log since
   * they were created; undefined once they have.
   */
  initialBuildProgress(): BuildProgress | undefined;
  /** Returns whether every read model reflects the position within the time. Never rejects. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  status(): ProjectorStatus;
  stop(): Promise<void>;
}

/** A projector that writes with a fence, so that only one at a time can write. */
export interface LeadingProjector extends Projector {
  /** Resolves when a write was rejected because of a greater fencing token; the projector has then stopped. */
  readonly fenced: Promise<WriterFenced>;
  restart(reason: Error): void;
}

/** With a greater lag of the read models a process is not ready. */
const MAX_LAG_MS = 5_000;

/** Returns why the read models are not up to date, for the operator; undefined when they are. */
export function lagFailure({ failure, caughtUp, lagMs, hasLogMismatch }: ProjectorStatus): string | undefined {
  if (hasLogMismatch === true) return 'the read models were built from another log: see "Restore" in docs/runbook.md';
  if (failure !== undefined) return 'stalled, will retry; the log has the reason';
  if (!caughtUp) return 'the read models have not caught up with the log yet';
  if (lagMs > MAX_LAG_MS) return `the read models are ${Math.round(lagMs / 1000)} s behind the log`;
  return undefined;
}

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
  /**
   * Keeps the documents of other versions of the projections, which processes of another version of Surety may read.
   */
  readonly keepsOtherVersions?: boolean;
  readonly isOpen?: boolean;
  /**
   * While catching up, changed documents are held in memory up to this number, because most change again. Default:
   * 50,000.
   */
  readonly maxHeldDocuments?: number;
  /** Executes requested rebuilds and records their end. Without it requests are ignored. */
  readonly endRebuild?: EndRebuild | undefined;
}
