import { setTimeout as pauseFor } from 'node:timers/promises';

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
  await pauseFor(milliseconds, undefined, { signal }).catch(() => undefined);
}
