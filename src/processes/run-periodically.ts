import { describeError, originOf } from '../projector/describe-error.ts';
import { WriterFenced } from '../records/records.ts';
import { LogMismatch } from './log-identity.ts';
import type { ProcessParts, RunningProcess } from './process.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export interface PeriodicOptions extends Pick<ProcessParts, 'log' | 'pause' | 'stalls'> {
  readonly name: string;
  readonly now: () => string;
  /**
   * Does everything there is to do now and ends early when the signal aborts. What it throws makes the process stand still
   * for a growing while; then the round is done again. A round that ends well has worked; one that goes on for ever says so by
   * `works` itself, or the process would be called failing for good after its first failure.
   */
  readonly round: (signal: AbortSignal, works: () => void) => Promise<void>;
  /** Milliseconds until the next round, asked after each. */
  readonly untilNext: () => number;
}

/**
 * A process that works in rounds: the first at once, then again and again until it is stopped. It gives up only when another
 * process has taken its place, or seems to have.
 */
export function runPeriodically(options: PeriodicOptions): RunningProcess {
  const { name, log, pause, now } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const onStall = options.stalls?.(name);
  const fenced = Promise.withResolvers<WriterFenced>();
  let failingSince: string | undefined;
  /** What nobody but the operator can end. */
  let sentence: string | undefined;
  let failures = 0;

  const works = (): void => {
    if (failingSince !== undefined) log.info({ process: name, failingSince }, 'The process works again');
    failingSince = undefined;
    sentence = undefined;
    failures = 0;
  };
  const roundOrPause = async (): Promise<number> => {
    try {
      await options.round(signal, works);
      works();
      return options.untilNext();
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof WriterFenced) return giveWay(error);
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      onStall?.();
      failingSince ??= now();
      sentence = error instanceof LogMismatch ? error.message : undefined;
      const reason = sentence ?? describeError(error);
      log.error({ process: name, reason, at: originOf(error), pauseMs }, 'The process stands still and will try again');
      return pauseMs;
    }
  };
  const giveWay = (reason: WriterFenced): number => {
    log.info({ process: name, reason: reason.message }, 'The process ends, because another one has taken over');
    stopping.abort();
    fenced.resolve(reason);
    return 0;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await roundOrPause();
      if (!signal.aborted) await pause(pauseMs, signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    name,
    fenced: fenced.promise,
    check: () => {
      if (failingSince === undefined) return undefined;
      return sentence ?? `fails since ${failingSince} and tries again; the log says why`;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
