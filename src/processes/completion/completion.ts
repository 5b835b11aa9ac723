import { executeCommand } from '../../command-handling/execute-command.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import { findCommand } from '../../../commands/registry.ts';
import { Refusal } from '../../domain/refusals.ts';
import { StoreUnavailable } from '../../store-unavailable.ts';
import { describeError, firstFramesOf } from '../../observability/describe-error.ts';
import type { Fence } from '../../records/records.ts';
import { type ProcessParts, type StartProcess, waitUntilCaughtUp } from '../runtime/process.ts';
import { runPeriodically } from '../runtime/run-periodically.ts';
import { type CompletionMetrics, declareCompletionMetrics } from './metrics.ts';
import { OpenCommandReader } from './open-command-reader.ts';
import type { OpenCommand, Reserved } from './open-commands.ts';

const PAUSE_MS = 5_000;

/**
 * Finishes commands that were interrupted because their process died or a store was unavailable: those that create something, once
 * they are older than 30 s.
 */
export interface Completion {
  /** Reads the log to its end and finishes the commands that are due. @throws {StoreUnavailable} */
  readonly runOnce: (signal?: AbortSignal) => Promise<void>;
}

/** Creates a completion that runs only when it is called. */
export function createCompletion(
  parts: ProcessParts,
  metrics = declareCompletionMetrics(parts.metrics),
  fence?: Fence,
): Completion {
  const completer = new Completer(parts, metrics, fence);
  return { runOnce: async (signal = new AbortController().signal) => await completer.run(signal) };
}

/** Creates the function that starts the completion from its checkpoint. Declares its metrics, so call it once per registry. */
export function completionStarter(parts: ProcessParts): StartProcess {
  const { now } = parts.commandPorts;
  const metrics = declareCompletionMetrics(parts.metrics);
  return (fence) => {
    const { runOnce: run } = createCompletion(parts, metrics, fence);
    const running = runPeriodically({ ...parts, name: 'completion', now, run, nextDelayMs: () => PAUSE_MS });
    const stop = async (): Promise<void> => {
      await running.stop();
      metrics.setUnfinished(undefined);
    };
    return { ...running, stop };
  };
}

class Completer {
  readonly #parts: ProcessParts;
  readonly #metrics: CompletionMetrics;
  readonly #reader: OpenCommandReader;

  constructor(parts: ProcessParts, metrics: CompletionMetrics, fence: Fence | undefined) {
    this.#parts = parts;
    this.#metrics = metrics;
    this.#reader = new OpenCommandReader(parts, fence);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#reader.catchUp(signal);
    await waitUntilCaughtUp(this.#reader.position, this.#parts, signal);
    if (signal.aborted) return;
    try {
      for (const open of this.#reader.commands.due(this.#parts.commandPorts.now())) {
        if (!signal.aborted) await this.#complete(open);
      }
    } finally {
      this.#updateMetrics();
    }
    await this.#reader.save();
  }

  async #complete(open: OpenCommand): Promise<void> {
    const named = {
      command: open.reserved.metadata.command.name,
      commandId: open.commandId,
      stream: open.reserved.stream,
    };
    try {
      const { replayed } = await this.#execute(open.reserved);
      this.#reader.commands.remove(open);
      if (replayed) return;
      this.#metrics.completed();
      this.#parts.log.info(named, 'Finished an interrupted command');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#recordFailure(open, named, error);
    }
  }

  async #execute({ data, metadata }: Reserved): Promise<CommandOutcome> {
    const command = findCommand(metadata.command.name);
    if (command === undefined) throw new Error('this version has no such command');
    const request = {
      input: data.input,
      actor: data.actor,
      environment: data.environment ?? undefined,
      idempotency: undefined,
      identity: {
        commandId: metadata.command.id,
        decidedAt: data.decidedAt,
        correlationId: metadata.$correlationId,
        causationId: metadata.$causationId,
      },
      ifMatch: undefined,
      requestId: metadata.requestId,
      traceparent: metadata.traceparent,
    };
    return await executeCommand(command, request, this.#parts.commandPorts);
  }

  #recordFailure(open: OpenCommand, named: object, error: unknown): void {
    this.#metrics.failed();
    const failed = this.#reader.commands.recordFailure(open, this.#parts.commandPorts.now());
    const reason = error instanceof Refusal ? error.code : describeError(error);
    const at = error instanceof Refusal ? undefined : firstFramesOf(error);
    const fields = {
      ...named,
      reason,
      at,
      attempts: failed?.attempts,
      nextAttempt: failed?.abandoned === true ? 'at the next start' : failed?.notBefore,
    };
    this.#parts.log.warn(fields, 'Could not finish an interrupted command');
  }

  #updateMetrics(): void {
    const all = this.#reader.commands.all();
    const abandoned = all.filter((open) => open.abandoned).length;
    this.#metrics.setUnfinished({ open: all.length - abandoned, abandoned });
  }
}
