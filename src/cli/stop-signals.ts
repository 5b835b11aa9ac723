/** A signal within this time after the first one counts as its repetition. */
export const REPEATED_SIGNAL_MS = 1_000;

/** SIGHUP: the terminal of the process was closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export type SignalAction = 'stop' | 'ignore' | 'exit';

/**
 * Returns a function that decides what to do on each signal: the first stops the process, a repetition is ignored, a
 * later one exits at once. Signals arrive twice when a supervisor sends them to the whole process group and a launcher
 * forwards its own.
 * @param now milliseconds of a monotonic clock
 */
export function signalHandler(now: () => number): () => SignalAction {
  let first: number | undefined;
  return () => {
    if (first === undefined) {
      first = now();
      return 'stop';
    }
    return now() - first < REPEATED_SIGNAL_MS ? 'ignore' : 'exit';
  };
}

/**
 * Listens to SIGTERM, SIGINT and SIGHUP. A later second signal exits at once.
 * @param onFirst called once with the first signal
 * @param secondExitCode exit code after a second signal
 * @returns a function that removes the listeners
 */
export function onStopSignal(onFirst: (signal: NodeJS.Signals) => void, secondExitCode: number): () => void {
  const nextAction = signalHandler(() => performance.now());
  const listener = (signal: NodeJS.Signals): void => {
    const action = nextAction();
    if (action === 'stop') onFirst(signal);
    if (action === 'exit') process.exit(secondExitCode);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
