import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { ReadModels } from '../../src/read-models/read-models.ts';
import { type Step, step, take } from './any-log.ts';
import { MemoryEventStore } from './memory-event-store.ts';
import { waitForPosition, projecting } from './projector-world.ts';

/** A leader that is paused in the middle of its work, and another projector that takes over meanwhile. */
export interface Takeover {
  readonly before: readonly Step[];
  readonly meanwhile: readonly Step[];
  readonly after: readonly Step[];
  readonly batchSize: number;
  /** The write of the first leader that waits, counted from 1; more than there are: it is not paused at all. */
  readonly pausedAt: number;
  /** Whether the first leader goes on only when the second one is level with the log. */
  readonly wakesLate: boolean;
}

const steps = fc.array(step, { minLength: 1, maxLength: 10 });
export const anyTakeover: fc.Arbitrary<Takeover> = fc.record({
  before: steps,
  meanwhile: steps,
  after: steps,
  batchSize: fc.integer({ min: 1, max: 9 }),
  pausedAt: fc.integer({ min: 1, max: 25 }),
  wakesLate: fc.boolean(),
});

/**
 * Lets two projectors work on the same read models, and ends when the second is level with the log and the first has heard
 * that it is no longer the leader.
 * @param open gives the read models to one of them, as to a process of its own
 * @returns the log that they read
 */
export async function takeOver(
  { before, meanwhile, after, batchSize, pausedAt, wakesLate }: Takeover,
  open: () => ReadModels,
): Promise<MemoryEventStore> {
  const eventStore = new MemoryEventStore();
  const append = async (given: readonly Step[]): Promise<void> => {
    for (const next of given) await take(eventStore, next);
  };
  const head = async (): Promise<bigint> => (await eventStore.lastPosition()) ?? 0n;
  await append(before);
  const pause = Promise.withResolvers<void>();
  const paused = new AbortController();
  const waiting = waitingAt(open(), pausedAt, async () => {
    paused.abort();
    await pause.promise;
  });
  const first = await projecting({ eventStore, readModels: waiting, batchSize, fence: { token: 1 } });
  while (!paused.signal.aborted && !first.status().caughtUp) await nextTurn();
  await append(meanwhile);
  const second = await projecting({ eventStore, readModels: open(), batchSize, fence: { token: 2 } });
  if (wakesLate) await waitForPosition(second, await head());
  pause.resolve();
  await append(after);
  await waitForPosition(second, await head());
  // Whatever the first one still takes in, it tries to write.
  await take(eventStore, ['noise', 0]);
  await first.fenced;
  await waitForPosition(second, await head());
  await first.stop();
  await second.stop();
  return eventStore;
}

/** The same read models, of which one write waits before it is carried out. */
function waitingAt(readModels: ReadModels, place: number, wait: () => Promise<void>): ReadModels {
  let writes = 0;
  const write: ReadModels['write'] = async (...given) => {
    writes += 1;
    if (writes === place) await wait();
    await readModels.write(...given);
  };
  return new Proxy(readModels, {
    get: (target, name: keyof ReadModels) => (name === 'write' ? write : target[name].bind(target)),
  });
}
