import type { Environment, Services } from './application.ts';
import type { AnyCommand } from './command.ts';
import type { CommandOutcome, CommandRequest } from './request.ts';
import type { Codec } from '../codec.ts';
import type { Tags } from '../event.ts';
import type { Instant } from '../time.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import type { Records } from '#stores/records/records.ts';
import type { SequenceQueue } from './sequence-queue.ts';
import type { StateCache } from './state-cache.ts';

/** What the execution of a command needs. */
export interface ExecutionPorts {
  readonly eventStore: Pick<EventStore, 'append' | 'readStream' | 'readLast'>;
  /** Of all events of the application. */
  readonly codec: Pick<Codec, 'decode' | 'encode' | 'keepDecoded'>;
  readonly records: Records;
  /** Never shared with another process or another log. */
  readonly stateCache: StateCache;
  readonly sequences: SequenceQueue;
  readonly services: Services;
  /** Returns the tags of the records that the executor itself appends for a command in this environment. */
  tagsOf(environment: Environment | undefined): Tags;
  /** The clock of the service: ISO date-time, UTC, milliseconds. */
  readonly now: () => Instant;
  readonly randomId: () => string;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

export interface CommandPorts extends ExecutionPorts {
  readonly eventStore: EventStore;
}

export type ExecuteCommand = (
  command: AnyCommand,
  request: CommandRequest,
  ports: ExecutionPorts,
) => Promise<Pick<CommandOutcome, 'position'>>;
