import { Counter, Gauge, type Registry } from 'prom-client';

/** What the completion tells of itself in `/metrics`. */
export interface CompletionMetrics {
  /** Undefined: this process does not look. */
  readonly listed: (counts: { readonly open: number; readonly givenUp: number } | undefined) => void;
  readonly completed: () => void;
  readonly failed: () => void;
}

/** Declares them; once for a registry. */
export function completionMetrics(metrics: Registry): CompletionMetrics {
  const registers = [metrics];
  const open = new Gauge({
    name: 'surety_unfinished_commands',
    help: 'Commands that have reserved a value and are not finished yet, those that run at the moment included',
    registers,
  });
  const givenUp = new Gauge({
    name: 'surety_unfinished_commands_given_up',
    help: 'Unfinished commands that could not be finished; the log names them, and the next start tries them again',
    registers,
  });
  const completed = new Counter({
    name: 'surety_completions_total',
    help: 'Commands that somebody began and the scheduler finished',
    registers,
  });
  const failures = new Counter({
    name: 'surety_completion_failures_total',
    help: 'Tries to finish a command that were refused or failed',
    registers,
  });
  const listed: CompletionMetrics['listed'] = (counts) => {
    if (counts === undefined) {
      open.remove();
      givenUp.remove();
    } else {
      open.set(counts.open);
      givenUp.set(counts.givenUp);
    }
  };
  listed(undefined);
  return {
    listed,
    completed: () => completed.inc(),
    failed: () => failures.inc(),
  };
}
