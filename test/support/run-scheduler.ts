import type { ProcessParts } from '#processes/runtime/process.ts';
import { activateAndRenew, declareSchedulerMetrics } from '#processes/scheduler/scheduler.ts';

export interface Scheduler {
  readonly runOnce: () => Promise<void>;
}

/** Creates a scheduler that runs only when it is called, by the clock of its parts. */
export function createScheduler(parts: ProcessParts): Scheduler {
  const metrics = declareSchedulerMetrics(parts.metrics);
  const { signal } = new AbortController();
  return { runOnce: async () => await activateAndRenew(parts, metrics, parts.commandPorts.now(), signal) };
}
