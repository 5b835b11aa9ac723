import { expect, test } from '@jest/globals';
import { backOff, retryFor, withTimeout } from './timing.ts';

test('pauses double up to the longest and begin again after a reset', () => {
  const pauses = backOff(100, 300);
  expect([pauses.next(), pauses.next(), pauses.next(), pauses.next()]).toEqual([100, 200, 300, 300]);
  pauses.reset();
  expect(pauses.next()).toBe(100);
});

test('a promise that is too late gives what onTimeout returns, and one in time its own value', async () => {
  expect(await withTimeout(new Promise<string>(() => {}), 1, () => 'late')).toBe('late');
  expect(await withTimeout(Promise.resolve('in time'), 60_000, () => 'late')).toBe('in time');
});

test('retries a transient error only as long as the time allows, and no other error', async () => {
  let attempts = 0;
  const failing = async (): Promise<never> => {
    attempts += 1;
    return await Promise.reject(new Error(`attempt ${attempts}`));
  };
  await expect(retryFor(150, failing, () => true)).rejects.toThrow('attempt 2');
  await expect(retryFor(60_000, failing, () => false)).rejects.toThrow('attempt 3');
});
