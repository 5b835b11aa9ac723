import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { TakenOver } from '#stores/shared/taken-over.ts';
import { LogMismatch } from '#stores/event-log/log-identity.ts';
import { NoneServed } from '#stores/read-models/read-models.ts';
import { backOff } from '#stores/shared/timing.ts';
import type { ProcessParts, RunningProcess } from './process.ts';

interface PeriodicOptions extends Pick<ProcessParts, 'log' | 'pause' | 'stalls'> {
  readonly name: string;
  readonly now: () => string;
  /**
   * Does the work that is due and returns early when the signal aborts. After an error it is called again, after a
   * growing pause. A run that does not return must call `reportHealthy()`; otherwise the process stays marked as
   * failing.
   */
  readonly run: (signal: AbortSignal, reportHealthy: () => void) => Promise<void>;
  readonly nextDelayMs: () => number;
}

/**
 * Calls `run` at once and then periodically, until the process is stopped or another process has taken its records
 * over.
 */
export function runPeriodically(options: PeriodicOptions): RunningProcess {
  const { name, log, pause, now } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const countStall = options.stalls?.(name);
  const takenOver = Promise.withResolvers<undefined>();
  let failingSince: string | undefined;
  /** The reason when only the operator can end the stall. */
  let operatorMessage: string | undefined;
  const pauses = backOff();

  const reportHealthy = (): void => {
    if (failingSince !== undefined) log.info({ process: name, failingSince }, 'The process has recovered');
    failingSince = undefined;
    operatorMessage = undefined;
    pauses.reset();
  };
  const runOnce = async (): Promise<number> => {
    try {
      await options.run(signal, reportHealthy);
      reportHealthy();
      return options.nextDelayMs();
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof TakenOver) return stopTakenOver(error);
      const pauseMs = pauses.next();
      // The projector reports that.
      if (error instanceof NoneServed) return pauseMs;
      countStall?.();
      failingSince ??= now();
      operatorMessage = error instanceof LogMismatch ? error.message : undefined;
      const reason = operatorMessage ?? describeError(error);
      log.error({ process: name, reason, at: firstFramesOf(error), pauseMs }, 'The process is stalled and will retry');
      return pauseMs;
    }
  };
  const stopTakenOver = (reason: TakenOver): number => {
    log.info({ process: name, reason: reason.message }, 'The process stops because another process leads');
    stopping.abort();
    takenOver.resolve(undefined);
    return 0;
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await runOnce();
      if (!signal.aborted) await pause(pauseMs, signal).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    name,
    takenOver: takenOver.promise,
    check: () => {
      if (failingSince === undefined) return undefined;
      return operatorMessage ?? `failing since ${failingSince}, will retry; the log has the reason`;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Calls `work` with every item in order, with at most `concurrency` calls in flight. After a failure it starts no
 * further call and waits for those in flight. @throws the first error
 */
export async function mapConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
