/** A signal within this time after the first one counts as its repetition. */
const REPEATED_SIGNAL_MS = 1_000;

/** SIGHUP: the terminal of the process was closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Listens to SIGTERM, SIGINT and SIGHUP. A later second signal exits at once; a repetition of the first is ignored,
 * because signals arrive twice when a supervisor sends them to the whole process group and a launcher forwards its own.
 * @param onFirst called once with the first signal
 * @param secondExitCode exit code after a second signal
 * @returns a function that removes the listeners
 */
export function onStopSignal(onFirst: (signal: NodeJS.Signals) => void, secondExitCode: number): () => void {
  let first: number | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      onFirst(signal);
    } else if (performance.now() - first >= REPEATED_SIGNAL_MS) process.exit(secondExitCode);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, listener);
  };
}
