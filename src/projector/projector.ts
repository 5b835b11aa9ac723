import type { Position } from '../event-store/event-store.ts';
import type { WriterFenced } from '../records/records.ts';

/** How far a collection is. */
export interface CollectionProgress {
  readonly collection: string;
  readonly version: number;
  /** Everything up to here is reflected; undefined before the first event. */
  readonly position: Position | undefined;
  /** Documents that stand still because an event could not be folded. */
  readonly parked: number;
}

export interface ProjectorStatus {
  readonly collections: readonly CollectionProgress[];
  /** Everything up to here is reflected in every collection. */
  readonly position: Position | undefined;
  /** Position of the newest event that the projector has heard of. */
  readonly head: Position | undefined;
  /** How long the oldest event that is not yet reflected has been waiting; 0 when there is none. */
  readonly lagMs: number;
  /** Whether the projector has been level with the log since it was started. */
  readonly caughtUp: boolean;
  /** Events since the start that name no document at all, because neither stream nor metadata do: counted, logged, passed. */
  readonly unroutable: number;
  /** Why it stands still at the moment, if it does; it tries again by itself. */
  readonly failure: string | undefined;
  /** The read models were made from another log than the one that is there, which ends before them. */
  readonly isOfAnotherLog?: boolean;
}

/** Keeps the read models level with the log. */
export interface Projector {
  /** Whether every read model has passed the position within the time. Never rejects. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  status(): ProjectorStatus;
  /** Ends after the batch at hand; what was written stays consistent. */
  stop(): Promise<void>;
}

/** A projector of which one at a time may write. */
export interface LeadingProjector extends Projector {
  /** Resolves when another one has taken over, or seems to have, and this one has therefore stopped by itself. */
  readonly fenced: Promise<WriterFenced>;
  /** Reads on from what is stored, for the reason that somebody else has seen. */
  restart(reason: Error): void;
}
