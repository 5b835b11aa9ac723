import { expect, test } from '@jest/globals';
import { REPEATED_SIGNAL_MS, signalHandler } from './stop-signals.ts';

/** Returns the reactions to signals at these times, in milliseconds. */
function reactionsTo(...times: readonly number[]): readonly string[] {
  let now = 0;
  const handle = signalHandler(() => now);
  return times.map((time) => {
    now = time;
    return handle();
  });
}

test('stops on the first signal, even at time 0', () => {
  expect(reactionsTo(0)).toEqual(['stop']);
  expect(reactionsTo(7_000)).toEqual(['stop']);
});

test('ignores repetitions of the first signal', () => {
  expect(reactionsTo(0, 0, 3)).toEqual(['stop', 'ignore', 'ignore']);
  expect(reactionsTo(100, 99 + REPEATED_SIGNAL_MS)).toEqual(['stop', 'ignore']);
});

test('exits on a later second signal, whatever repetitions came before', () => {
  const late = 100 + REPEATED_SIGNAL_MS;
  expect(reactionsTo(100, late)).toEqual(['stop', 'exit']);
  expect(reactionsTo(100, 300, late - 1, late)).toEqual(['stop', 'ignore', 'ignore', 'exit']);
});
