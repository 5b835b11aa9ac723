import { Counter, Gauge, type Registry } from 'prom-client';

export interface CompletionMetrics {
  /** Undefined: the completion does not run in this process. */
  readonly setUnfinished: (counts: { readonly open: number; readonly abandoned: number } | undefined) => void;
  readonly completed: () => void;
  readonly failed: () => void;
}

/** Declares the metrics of the completion; call it once per registry. */
export function declareCompletionMetrics(metrics: Registry): CompletionMetrics {
  const registers = [metrics];
  const open = new Gauge({
    name: 'surety_unfinished_commands',
    help: 'Commands that have reserved a value and are not finished, including those in flight',
    registers,
  });
  const abandoned = new Gauge({
    name: 'surety_unfinished_commands_given_up',
    help: 'Unfinished commands that were abandoned after the last attempt; the log names them, and the next start retries them',
    registers,
  });
  const completed = new Counter({
    name: 'surety_completions_total',
    help: 'Interrupted commands that the scheduler finished',
    registers,
  });
  const failures = new Counter({
    name: 'surety_completion_failures_total',
    help: 'Attempts to finish an interrupted command that were refused or failed',
    registers,
  });
  const setUnfinished: CompletionMetrics['setUnfinished'] = (counts) => {
    if (counts === undefined) {
      open.remove();
      abandoned.remove();
    } else {
      open.set(counts.open);
      abandoned.set(counts.abandoned);
    }
  };
  setUnfinished(undefined);
  return {
    setUnfinished,
    completed: () => completed.inc(),
    failed: () => failures.inc(),
  };
}
