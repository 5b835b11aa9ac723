import type { Registry } from 'prom-client';
import type { CommandServices } from '../../commands/services.ts';
import type { CommandPorts } from '../command-handling/ports.ts';
import type { Logger } from '../observability/logging.ts';
import type { Projector } from '../projector/projector.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Fence, WriterFenced } from '../records/records.ts';
import type { Stalls } from './stalls.ts';

/** A part of the service that reacts to events or to time, from its start until it is stopped. */
export interface RunningProcess {
  /** As `/readyz` names it. */
  readonly name: string;
  /** Why it does not do its work at the moment; undefined when it does. It goes on by itself. */
  readonly check: () => string | undefined;
  /** What it waits for the operator to decide; undefined when it waits for nothing. */
  readonly warning?: (() => string | undefined) | undefined;
  /** Ends after the step at hand; what was begun stands, or is taken up again at the next start. */
  readonly stop: () => Promise<void>;
  /** Resolves when a greater token than its own stands where it writes: it has ended its work by itself then. */
  readonly fenced?: Promise<WriterFenced> | undefined;
}

/**
 * Starts a process, at once and each time anew. Where it is one of several that take turns, whatever it keeps carries the
 * fence; undefined: it is the only one.
 */
export type StartProcess = (fence: Fence | undefined) => RunningProcess;

/** What processes are made of; whatever one of them needs besides stands in its own options. */
export interface ProcessParts {
  /** Event store, records, clock and chance are those of the commands. */
  readonly commandPorts: CommandPorts<CommandServices>;
  readonly readModels: ReadModels;
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly log: Logger;
  /** A process declares its own figures here, once. */
  readonly metrics: Registry;
  /** Undefined: nobody counts them. */
  readonly stalls?: Stalls | undefined;
  /** Resolves after that many milliseconds, or at once when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A process could not be started. The message says which, in words for the operator. */
export class ProcessNotStarted extends Error {
  override readonly name = 'ProcessNotStarted';
  constructor(name: string, cause: unknown) {
    super(`The process ${name} cannot start: ${cause instanceof Error ? cause.message : 'for an unknown reason'}`, {
      cause,
    });
  }
}
