import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { ProcessParts } from '#processes/runtime/process.ts';
import type { Projector } from '#read-side/projector.ts';
import type { CommandHarness } from './command-harness.ts';
import { openTestReadModels, type TestReadModels } from './test-read-models.ts';
import { waitForPosition, startTestProjector, waitUntilCaughtUp } from './test-projector.ts';

/** Dependencies of processes on the stores of a command harness, with a projector that can be stopped and started. */
export interface SchedulerHarness {
  readonly readModels: TestReadModels;
  readonly logged: string[];
  /** Returns dependencies with a separate metrics registry, as for another process. */
  parts(changes?: Partial<ProcessParts>): ProcessParts;
  /** Like `parts`, for a process that ends its pauses when it is stopped; `rested` resolves at its first pause. */
  restingParts(): { readonly parts: ProcessParts; readonly rested: Promise<void> };
  /** Waits until the read models have caught up with the log. */
  waitUntilCaughtUp(): Promise<void>;
  /** Stops the projector, so that the read models stay behind. */
  stopProjector(): Promise<void>;
  startProjector(): Promise<void>;
}

export async function startSchedulerHarness(harness: CommandHarness): Promise<SchedulerHarness> {
  const { eventStore } = harness;
  const readModels = openTestReadModels();
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  let projector: Projector = await startTestProjector({ eventStore, readModels });
  await waitUntilCaughtUp(projector);
  const parts: SchedulerHarness['parts'] = (changes = {}) => ({
    commandPorts: harness.ports,
    readModels,
    projector: {
      waitFor: async (position, timeoutMs) => await projector.waitFor(position, timeoutMs),
      status: () => projector.status(),
    },
    log,
    metrics: new Registry(),
    pause: async () => {
      await nextTurn();
    },
    ...changes,
  });
  return {
    readModels,
    logged,
    parts,
    restingParts: () => {
      const rested = Promise.withResolvers<void>();
      const pause: ProcessParts['pause'] = async (_milliseconds, signal) => {
        rested.resolve();
        await once(signal, 'abort');
      };
      return { parts: parts({ pause }), rested: rested.promise };
    },
    waitUntilCaughtUp: async () => await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n),
    stopProjector: async () => await projector.stop(),
    startProjector: async () => {
      projector = await startTestProjector({ eventStore, readModels });
    },
  };
}

/** Returns the value of a metric with these labels. */
export async function metricValue(metrics: Registry, name: string, labels: object = {}): Promise<number | undefined> {
  const values = (await metrics.getSingleMetric(name)?.get())?.values ?? [];
  return values.find((value) => JSON.stringify(value.labels) === JSON.stringify(labels))?.value;
}
