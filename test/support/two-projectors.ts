import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type Generation, readerOf, type ReadModels } from '#stores/read-models/read-models.ts';
import { type Step, anyStep, performStep } from './any-log.ts';
import { MemoryEventStore } from './memory-event-store.ts';
import { waitForPosition, startTestProjector } from './test-projector.ts';

/** A schedule: the leader pauses in the middle of its work, and another projector takes over. */
export interface Takeover {
  readonly before: readonly Step[];
  readonly duringPause: readonly Step[];
  readonly after: readonly Step[];
  readonly batchSize: number;
  /** Number of the first leader's write that pauses, from 1; it never pauses when it has fewer writes. */
  readonly pausedAt: number;
  /** Whether the first leader resumes only after the second one has caught up with the log. */
  readonly resumesAfterCatchUp: boolean;
}

const steps = fc.array(anyStep, { minLength: 1, maxLength: 10 });
export const anyTakeover: fc.Arbitrary<Takeover> = fc.record({
  before: steps,
  duringPause: steps,
  after: steps,
  batchSize: fc.integer({ min: 1, max: 9 }),
  pausedAt: fc.integer({ min: 1, max: 25 }),
  resumesAfterCatchUp: fc.boolean(),
});

/**
 * Runs two projectors on the same read models until the second has caught up with the log, and the first too unless it
 * was taken over.
 * @param open opens the read models for one projector, as in a separate process
 * @returns the log that they read
 */
export async function runTakeover(
  { before, duringPause, after, batchSize, pausedAt, resumesAfterCatchUp }: Takeover,
  open: () => ReadModels,
): Promise<MemoryEventStore> {
  const eventStore = new MemoryEventStore();
  const append = async (steps: readonly Step[]): Promise<void> => {
    for (const next of steps) await performStep(eventStore, next);
  };
  const head = async (): Promise<bigint> => (await eventStore.lastPosition()) ?? 0n;
  await append(before);
  const pause = Promise.withResolvers<void>();
  const paused = new AbortController();
  const pausable = withPausedWrite(open(), pausedAt, async () => {
    paused.abort();
    await pause.promise;
  });
  const first = await startTestProjector({ eventStore, readModels: pausable, batchSize });
  while (!paused.signal.aborted && !first.status().caughtUp) await nextTurn();
  await append(duringPause);
  const second = await startTestProjector({ eventStore, readModels: open(), batchSize });
  if (resumesAfterCatchUp) await waitForPosition(second, await head());
  pause.resolve();
  await append(after);
  await waitForPosition(second, await head());
  // One more event, so that the first projector tries to write, and learns on a server that it was taken over.
  await performStep(eventStore, ['noise', 0]);
  await Promise.race([first.takenOver, waitForPosition(first, await head())]);
  await waitForPosition(second, await head());
  await first.stop();
  await second.stop();
  return eventStore;
}

/** Wraps read models so that one write waits before it is executed. */
function withPausedWrite(readModels: ReadModels, number: number, wait: () => Promise<void>): ReadModels {
  let writes = 0;
  const takeOver: ReadModels['takeOver'] = async (generationNumber) => {
    const generation = await readModels.takeOver(generationNumber);
    const write: Generation['write'] = async (...given) => {
      writes += 1;
      if (writes === number) await wait();
      await generation.write(...given);
    };
    return { ...readerOf(async () => await Promise.resolve(generation)), write };
  };
  return { ...readModels, takeOver };
}
