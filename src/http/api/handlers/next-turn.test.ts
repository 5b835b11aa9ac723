import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { nextTurn, turnsOf } from './next-turn.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Returns the processor time of each turn of the event loop while the work was done, in milliseconds. */
async function turnsDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  const turns: number[] = [];
  while (!over.signal.aborted) {
    const { user, system } = process.threadCpuUsage();
    await immediate();
    const after = process.threadCpuUsage();
    turns.push((after.user - user + after.system - system) / 1_000);
  }
  return turns;
}

test('lets the event loop turn between the slices of long work, also when many work at the same time', async () => {
  const long = async (): Promise<void> => {
    for (let step = 0; step < 20; step++) {
      await nextTurn('a');
      work(1);
    }
  };
  // All steps of all workers take a second.
  const turns = await turnsDuring(Promise.all(Array.from({ length: 50 }, long)));
  expect(Math.max(...turns)).toBeLessThan(200);
});

test('lets one caller continue beside many steps of another', async () => {
  const order: string[] = [];
  const step = async (caller: string): Promise<void> => {
    // Each request begins by an event of its own.
    await immediate();
    await nextTurn(caller);
    work(6);
    order.push(caller);
  };
  const many = Array.from({ length: 20 }, async () => await step('many'));
  await Promise.all([...many, step('one'), step('one')]);
  expect(order.lastIndexOf('one')).toBeLessThan(6);
});

test('lets many short steps of one caller continue beside long ones of others', async () => {
  let longSteps = 0;
  const long = async (caller: string): Promise<void> => {
    for (let step = 0; step < 20; step++) {
      await nextTurn(caller);
      work(6);
      longSteps += 1;
    }
  };
  const short = async (): Promise<void> => {
    await immediate();
    await nextTurn('short');
  };
  const others = ['a', 'b', 'c', 'd', 'e', 'f'].map(long);
  for (let step = 0; step < 10; step++) await short();
  expect(longSteps).toBeLessThan(40);
  await Promise.all(others);
});

test('leaves the event loop a turn after a step for each slice that it took', async () => {
  const step = async (): Promise<void> => {
    await nextTurn('a');
    work(50);
  };
  let turns = 0;
  const steps = Promise.all([step(), step(), step()]).then(() => turns);
  for (let over = false; !over; turns += 1) {
    await immediate();
    over = await Promise.race([steps.then(() => true), immediate(false)]);
  }
  expect(await steps).toBeGreaterThanOrEqual(10);
});

test('lets work begin at once, if nothing has used the turn', async () => {
  let turns = 0;
  for (let step = 0; step < 3; step++) {
    await immediate();
    setImmediate(() => (turns += 1));
    await nextTurn('a');
  }
  expect(turns).toBeLessThan(3);
});

test('costs no turn while a slice lasts', async () => {
  const steps = async (): Promise<void> => {
    for (let step = 0; step < 1_000; step++) await nextTurn('a');
  };
  expect((await turnsDuring(steps())).length).toBeLessThan(100);
});

test('ends the work of a request when the client has closed the connection', async () => {
  const response = { closed: false };
  const turn = turnsOf(response, 'a');
  await turn();
  response.closed = true;
  await expect(turn()).rejects.toMatchObject({ name: 'RequestAborted' });
});
