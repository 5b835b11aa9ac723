import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { nextTurn } from './next-turn.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Returns how long each turn of the event loop took while the work was done, in milliseconds. */
async function turnsDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  const turns: number[] = [];
  while (!over.signal.aborted) {
    const start = performance.now();
    await immediate();
    turns.push(performance.now() - start);
  }
  return turns;
}

test('lets the event loop turn between the slices of long work, also when many work at the same time', async () => {
  const long = async (): Promise<void> => {
    for (let step = 0; step < 20; step++) {
      await nextTurn();
      work(1);
    }
  };
  // All steps of all workers take a second.
  const turns = await turnsDuring(Promise.all(Array.from({ length: 50 }, long)));
  expect(Math.max(...turns)).toBeLessThan(200);
});

test('costs no turn while a slice lasts', async () => {
  const steps = async (): Promise<void> => {
    for (let step = 0; step < 1_000; step++) await nextTurn();
  };
  expect((await turnsDuring(steps())).length).toBeLessThan(100);
});
