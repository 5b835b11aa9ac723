/** Runs work of requests, some at a time; the others wait in the order of their calls. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a gate. @param concurrency most calls of `work` that run at a time */
export function createGate(concurrency: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running === concurrency) {
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      await turn.promise;
    } else running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next call.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
