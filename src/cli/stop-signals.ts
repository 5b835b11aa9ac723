/** A signal that comes so soon behind the first one, in milliseconds, is the first one once more. */
export const SAME_SIGNAL_WITHIN_MS = 1_000;

/** What a signal asks for: the end in order, nothing that was not asked before, or the end at once. */
export type Asked = 'end in order' | 'nothing new' | 'end at once';

/**
 * Judges one signal after another. `timeout`, a supervisor and `kill` of a process group send one signal to every process at
 * once, and a launcher passes its own on: the same wish arrives twice, and is no impatience.
 * @param now milliseconds of a clock that never goes back
 */
export function signalJudge(now: () => number): () => Asked {
  let first: number | undefined;
  return () => {
    if (first === undefined) {
      first = now();
      return 'end in order';
    }
    return now() - first < SAME_SIGNAL_WITHIN_MS ? 'nothing new' : 'end at once';
  };
}

/**
 * Hears SIGTERM and SIGINT: the first one asks for the end in order, a later one ends the process at once.
 * @param onFirst told which signal it was, once
 * @param impatientCode exit code of the end at once
 * @returns hears them no more; from then on a signal ends the process as if nobody had listened
 */
export function onStopSignal(onFirst: (signal: NodeJS.Signals) => void, impatientCode: number): () => void {
  const judge = signalJudge(() => performance.now());
  const hear = (signal: NodeJS.Signals): void => {
    const asked = judge();
    if (asked === 'end in order') onFirst(signal);
    if (asked === 'end at once') process.exit(impatientCode);
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', hear);
  return () => {
    process.off('SIGTERM', hear);
    process.off('SIGINT', hear);
  };
}
