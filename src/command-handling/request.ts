import type { Moment } from '../event-sourcing/time.ts';
import type { Actor, DomainEvent, Recorded } from '../event-sourcing/event.ts';
import type { ActingEnvironment } from './command.ts';
import type { SentRequest } from './fingerprint.ts';

/** An idempotency key with everything its meaning depends on. */
export interface IdempotencyKey {
  /** Tenant id (or `platform`), environment, method, path and key: the command id is derived from them. */
  readonly scope: readonly string[];
  /** The request that the key was sent with. */
  readonly request: SentRequest;
}

/**
 * A command id that stands already: of a reservation that is completed, or derived from what is due. The command is looked
 * for in its target, without an idempotency record.
 */
export interface GivenIdentity {
  readonly commandId: string;
  /** The time it is judged at; the present when left out. */
  readonly decidedAt?: Moment;
  /** What set it off, for the metadata; the command itself when left out. */
  readonly correlationId?: string;
  readonly causationId?: string;
}

/** A command as it arrives: its input is parsed, its sender known. */
export interface CommandRequest {
  readonly input: unknown;
  readonly actor: Actor;
  readonly environment: ActingEnvironment | undefined;
  readonly idempotency: IdempotencyKey | undefined;
  /** Excludes an idempotency key. */
  readonly given?: GivenIdentity | undefined;
  /** Revisions of which the resource must have one; undefined when the client does not care. */
  readonly ifMatch: readonly number[] | undefined;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
}

/** What became of a command. */
export interface CommandOutcome {
  readonly command: string;
  readonly commandId: string;
  readonly stream: string;
  /** Revision of the command's last event in its stream. */
  readonly revision: number;
  /** Position of the last thing the command wrote. */
  readonly position: bigint;
  readonly events: readonly Recorded<DomainEvent>[];
  readonly result: Readonly<Record<string, unknown>>;
  readonly created: boolean;
  /** The command had been carried out before; nothing was written now. */
  readonly replayed: boolean;
}
