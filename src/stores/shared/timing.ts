import { setTimeout as pause } from 'node:timers/promises';

/** Pauses after failures, in milliseconds: each is twice as long as the one before, until `reset`. */
interface BackOff {
  readonly next: () => number;
  readonly reset: () => void;
}

/** Creates the pauses of a loop that is repeated after a failure. */
export function backOff(firstMs = 100, longestMs = 5_000): BackOff {
  let nextMs = firstMs;
  return {
    next: () => {
      const pauseMs = nextMs;
      nextMs = Math.min(2 * pauseMs, longestMs);
      return pauseMs;
    },
    reset: () => {
      nextMs = firstMs;
    },
  };
}

/**
 * Calls `work` again after a growing pause while `isTransient` accepts its error and the pause ends within the time.
 * @throws the last error
 */
export async function retryFor<T>(
  milliseconds: number,
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
): Promise<T> {
  const giveUpAt = performance.now() + milliseconds;
  const pauses = backOff(100, 2_000);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pauses.next();
      if (!isTransient(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await pause(pauseMs);
    }
  }
}

/** Waits for `work` up to this time; after it, returns what `onTimeout` returns, or throws what it throws. */
export async function withTimeout<T, Late>(
  work: Promise<T>,
  milliseconds: number,
  onTimeout: () => Late,
): Promise<T | Late> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, pause(milliseconds, undefined, { signal: settled.signal }).then(onTimeout)]);
  } finally {
    settled.abort();
  }
}

/** Waits for `work` until the signal aborts; undefined after that. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns the current time, as ISO date-time in UTC. */
export function now(): string {
  return new Date().toISOString();
}

/** Returns the monotonic time, in milliseconds. */
export function monotonic(): number {
  return performance.now();
}

/** Resolves after that many milliseconds, or at once when the signal aborts. */
export async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => undefined);
}
