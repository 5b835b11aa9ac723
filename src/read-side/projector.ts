import type { Position, EventStore } from '#stores/event-log/event-log.ts';
import type { TakenOver } from '#stores/shared/taken-over.ts';
import type { AnyProjection } from '#projections/projection.ts';
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

/** A generation that is being built beside the served one. */
export interface RebuildProgress extends BuildProgress {
  /** Number of the generation: it is the one of the rebuild that was requested as the `number`th. */
  readonly number: number;
  /** Why it cannot go on until the operator has restored the log. */
  readonly damage: string | undefined;
}

/** Position that read models have reached when they are served, also on an empty log. */
export const BEFORE_FIRST_EVENT: Position = 0n;

export interface Projector {
  /**
   * Returns the progress of the first build while no read models are served; undefined once there are some.
   */
  initialBuildProgress(): BuildProgress | undefined;
  /** Returns whether every read model reflects the position within the time. Never rejects. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  status(): ProjectorStatus;
  stop(): Promise<void>;
}

/** A projector that has taken the read models over, so that the checkpoints of an earlier one are rejected. */
export interface LeadingProjector extends Projector {
  /** Resolves when another process has taken the read models over; the projector has then stopped. */
  readonly takenOver: Promise<TakenOver>;
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

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly log: ProjectorLog;
  readonly now: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onStall?: ((cause: unknown) => void) | undefined;
  readonly batchSize?: number;
  /** Keeps the read models of other program versions, whose processes may read them. */
  readonly keepsOtherVersions?: boolean;
}
