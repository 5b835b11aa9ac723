import type { Instant } from '../time.ts';
import type { Actor, DomainEvent, RecordedEvent } from '../event.ts';
import { sha256 } from '../identifiers.ts';
import type { Environment, Rights } from './application.ts';
import type { AnyCommand } from './command.ts';

export interface IdempotencyKey {
  /** Tenant id (or `platform`), environment, operation and key. The command id derives from them. */
  readonly scope: readonly string[];
  readonly request: SentRequest;
}

/**
 * The id of a command that completes a reservation, or of a system command. Such a command needs no idempotency record:
 * its target shows whether it ran.
 */
export interface CommandIdentity {
  readonly commandId: string;
  /** The time as of which the command is decided; default: now. */
  readonly decidedAt?: Instant;
  /** For the metadata; default: the command. */
  readonly correlationId?: string;
  readonly causationId?: string;
}

export interface CommandRequest {
  readonly input: unknown;
  readonly actor: Actor;
  readonly environment: Environment | undefined;
  /** Undefined: nothing limits the command. */
  readonly rights?: Rights | undefined;
  readonly idempotency: IdempotencyKey | undefined;
  /** Excludes an idempotency key. */
  readonly identity?: CommandIdentity | undefined;
  /** The acceptable revisions of the resource; undefined without `If-Match`. */
  readonly ifMatch: readonly number[] | undefined;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
}

export interface CommandOutcome {
  readonly command: string;
  readonly commandId: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly events: readonly RecordedEvent<DomainEvent>[];
  readonly result: Readonly<Record<string, unknown>>;
  readonly created: boolean;
  /** True when the command had been executed before and nothing was written now. */
  readonly replayed: boolean;
}

/**
 * Returns the request of a command that Surety runs itself, without an API key and outside any environment.
 * @param trace names what the command is run for
 */
export function systemRequest(
  { process }: Pick<AnyCommand, 'process'>,
  input: unknown,
  { requestId, traceparent }: Partial<Pick<CommandRequest, 'requestId' | 'traceparent'>> = {},
): CommandRequest {
  return {
    input,
    actor: { role: 'system', keyId: null, ...(process === undefined ? {} : { label: process }) },
    environment: undefined,
    idempotency: undefined,
    ifMatch: undefined,
    requestId,
    traceparent,
  };
}

export interface SentRequest {
  /** What the path names, as written: the same resource by another name is another request. */
  readonly path: Readonly<Record<string, string>>;
  /** The parsed body without defaults; values of a form are coerced. */
  readonly body: unknown;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Query parameters that only select what the response shows, so that they do not make another request. */
const DISPLAY_PARAMETERS: ReadonlySet<string> = new Set(['limit', 'offset', 'include_blobs']);

/** Returns the SHA-256 that is equal for equal requests. It is stored. */
export function fingerprintOf({ path, body, parameters }: SentRequest): string {
  const search = Object.fromEntries(Object.entries(parameters).filter(([name]) => !DISPLAY_PARAMETERS.has(name)));
  return sha256(canonicalJson({ path, body, search }));
}

/** Serialises a JSON value so that equal values give equal text: members sorted by name, no white space. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
