import { expect, test } from '@jest/globals';
import { SAME_SIGNAL_WITHIN_MS, signalJudge } from './stop-signals.ts';

/** What is asked by signals that come at these times, in milliseconds. */
function askedAt(...times: readonly number[]): readonly string[] {
  let now = 0;
  const judge = signalJudge(() => now);
  return times.map((time) => {
    now = time;
    return judge();
  });
}

test('given one signal, then it asks for the end in order, at the very beginning of the clock too', () => {
  expect(askedAt(0)).toEqual(['end in order']);
  expect(askedAt(7_000)).toEqual(['end in order']);
});

test('given the signal of a group that a launcher passes on as well, then the repeats ask for nothing new', () => {
  expect(askedAt(0, 0, 3)).toEqual(['end in order', 'nothing new', 'nothing new']);
  expect(askedAt(100, 99 + SAME_SIGNAL_WITHIN_MS)).toEqual(['end in order', 'nothing new']);
});

test('given a second signal later, then it asks for the end at once, however many repeats came before', () => {
  const late = 100 + SAME_SIGNAL_WITHIN_MS;
  expect(askedAt(100, late)).toEqual(['end in order', 'end at once']);
  expect(askedAt(100, 300, late - 1, late)).toEqual(['end in order', 'nothing new', 'nothing new', 'end at once']);
});
