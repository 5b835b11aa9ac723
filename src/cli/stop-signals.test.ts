import { expect, test } from '@jest/globals';
import { REPEATED_SIGNAL_MS, signalHandler } from './stop-signals.ts';

/** What is asked by signals that come at these times, in milliseconds. */
function askedAt(...times: readonly number[]): readonly string[] {
  let now = 0;
  const judge = signalHandler(() => now);
  return times.map((time) => {
    now = time;
    return judge();
  });
}

test('stops on the first signal, even at time 0', () => {
  expect(askedAt(0)).toEqual(['stop']);
  expect(askedAt(7_000)).toEqual(['stop']);
});

test('ignores repetitions of the first signal', () => {
  expect(askedAt(0, 0, 3)).toEqual(['stop', 'ignore', 'ignore']);
  expect(askedAt(100, 99 + REPEATED_SIGNAL_MS)).toEqual(['stop', 'ignore']);
});

test('exits on a later second signal, whatever repetitions came before', () => {
  const late = 100 + REPEATED_SIGNAL_MS;
  expect(askedAt(100, late)).toEqual(['stop', 'exit']);
  expect(askedAt(100, 300, late - 1, late)).toEqual(['stop', 'ignore', 'ignore', 'exit']);
});
