import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { ProcessParts } from '../../src/processes/process.ts';
import type { Projector } from '../../src/projector/projector.ts';
import type { CommandHarness } from './command-harness.ts';
import { MemoryReadModels } from './memory-read-models.ts';
import { waitForPosition, projecting } from './projector-world.ts';

/** Parts of processes over a harness's stores, with read models and a projector that can be stopped and started. */
export interface SchedulerWorld {
  readonly readModels: MemoryReadModels;
  readonly logged: string[];
  /** Parts with metrics of their own: every process that is made of them is another one. */
  parts(changes?: Partial<ProcessParts>): ProcessParts;
  /** Resolves when the read models show the whole log. */
  catchUp(): Promise<void>;
  /** As after a kill: the read models stay where they are. */
  stopProjector(): Promise<void>;
  startProjector(): Promise<void>;
}

export async function schedulerWorld(harness: CommandHarness): Promise<SchedulerWorld> {
  const { eventStore } = harness;
  const readModels = new MemoryReadModels();
  const logged: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void logged.push(line) });
  let projector: Projector = await projecting({ eventStore, readModels });
  return {
    readModels,
    logged,
    parts: (changes = {}) => ({
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
    }),
    catchUp: async () => await waitForPosition(projector, (await eventStore.lastPosition()) ?? 0n),
    stopProjector: async () => await projector.stop(),
    startProjector: async () => {
      projector = await projecting({ eventStore, readModels });
    },
  };
}

/** The value of a metric with these labels. */
export async function metricValue(metrics: Registry, name: string, labels: object = {}): Promise<number | undefined> {
  const values = (await metrics.getSingleMetric(name)?.get())?.values ?? [];
  return values.find((value) => JSON.stringify(value.labels) === JSON.stringify(labels))?.value;
}
