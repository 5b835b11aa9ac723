import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createGate } from './page-gate.ts';

test('A gate runs as many calls at a time as it allows, in their order, also after failures', async () => {
  const gate = createGate(2);
  let [running, most] = [0, 0];
  const begun: number[] = [];
  const calls = Array.from({ length: 20 }, async (_, index) => {
    return await gate(async () => {
      begun.push(index);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      if (index % 3 === 0) throw new Error(`call ${index}`);
      return index;
    });
  });
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(
    begun.map((index) => (index % 3 === 0 ? 'rejected' : 'fulfilled')),
  );
  expect([most, begun, running]).toEqual([2, [...calls.keys()], 0]);
  expect(await gate(async () => await Promise.resolve('open'))).toBe('open');
});
