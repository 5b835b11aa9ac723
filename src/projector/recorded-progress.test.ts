import { describe, expect, test } from '@jest/globals';
import { HandMovedTime } from '../../test/support/hand-moved-time.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { lagFailure } from './caught-up.ts';
import { RecordedProgress } from './recorded-progress.ts';

/** A projector elsewhere and a log, both as far as the test says. */
function world(before: { reached?: bigint; head?: bigint } = {}) {
  const state = { reached: before.reached, head: before.head, isAway: false, isHeadUnknown: false, questions: 0 };
  const time = new HandMovedTime();
  const progress = new RecordedProgress({
    readReached: async () => {
      state.questions += 1;
      if (state.isAway) throw new StoreUnavailable('away');
      return await Promise.resolve(state.reached);
    },
    eventStore: {
      lastPosition: async () => {
        if (state.isHeadUnknown) throw new StoreUnavailable('not the leader');
        return await Promise.resolve(state.head);
      },
    },
    monotonic: time.monotonic,
    pause: time.pause,
  });
  return { state, time, progress };
}

describe('the progress that a projector elsewhere has recorded', () => {
  test('given a position that is reached while somebody waits, then the wait ends at the next look', async () => {
    const { state, time, progress } = world({ reached: 5n, head: 5n });
    await time.settle();
    expect(await progress.waitFor(5n, 1_000)).toBe(true);
    const waits = [progress.waitFor(7n, 30_000), progress.waitFor(6n, 30_000)];
    state.reached = 7n;
    await time.advance(50, 10);
    expect(await Promise.all(waits)).toEqual([true, true]);
    await progress.stop();
  });

  test('given many who wait, then they share one question a look; given none, then a look a second', async () => {
    const { state, time, progress } = world({ reached: 1n, head: 1n });
    await time.advance(100, 10);
    state.questions = 0;
    const waits = Array.from({ length: 100 }, () => progress.waitFor(2n, 30_000));
    await time.advance(100, 10);
    expect(state.questions).toBeGreaterThan(5);
    expect(state.questions).toBeLessThan(15);
    state.reached = 2n;
    await time.advance(10_000);
    await Promise.all(waits);
    expect(state.questions).toBeLessThan(27);
    await progress.stop();
  });

  test('given a position that is not reached in time, or a stop, then the wait ends with no', async () => {
    const { time, progress } = world({ reached: 1n, head: 1n });
    await time.settle();
    expect(await progress.waitFor(2n, 5)).toBe(false);
    const wait = progress.waitFor(2n, 30_000);
    await progress.stop();
    expect(await wait).toBe(false);
  });

  test('given read models that do not answer for a while, then the wait goes on', async () => {
    const { state, time, progress } = world({ reached: 1n, head: 1n });
    await time.settle();
    state.isAway = true;
    const wait = progress.waitFor(2n, 30_000);
    await time.advance(1_000, 10);
    Object.assign(state, { isAway: false, reached: 2n });
    await time.advance(50, 10);
    expect(await wait).toBe(true);
    await progress.stop();
  });

  test('given an event that stays unreflected, then the lag grows, and ends when it is reflected', async () => {
    const { state, time, progress } = world({ reached: 5n, head: 5n });
    await time.advance(1_500);
    expect(progress.status()).toMatchObject({ position: 5n, head: 5n, lagMs: 0, caughtUp: true });
    state.head = 6n;
    await time.advance(7_000);
    expect(progress.status().lagMs).toBeGreaterThan(5_000);
    state.head = 9n;
    state.reached = 8n;
    await time.advance(1_500);
    expect(progress.status().lagMs).toBeLessThan(2_000);
    state.reached = 9n;
    await time.advance(2_000);
    expect(progress.status().lagMs).toBe(0);
    await progress.stop();
  });

  test('given a log whose head cannot be read, then the read models count as behind until it can', async () => {
    const { state, time, progress } = world({ reached: 5n, head: 5n });
    await time.advance(1_500);
    state.isHeadUnknown = true;
    await time.advance(7_000);
    expect(lagFailure(progress.status())).toMatch('s behind the log');
    state.isHeadUnknown = false;
    await time.advance(1_500);
    expect(progress.status().lagMs).toBe(0);
    await progress.stop();
  });

  test('given a projector that has recorded nothing, then it is level with an empty log only', async () => {
    const empty = world();
    await empty.time.settle();
    expect(empty.progress.status().caughtUp).toBe(true);
    const behind = world({ head: 3n });
    await behind.time.advance(6_000);
    expect(behind.progress.status()).toMatchObject({ caughtUp: false, position: undefined });
    expect(behind.progress.status().lagMs).toBeGreaterThan(5_000);
    await empty.progress.stop();
    await behind.progress.stop();
  });

  test.each<[string, bigint | undefined]>([
    ['were deleted', undefined],
    ['were replaced by an older copy', 2n],
  ])(
    'given read models that %s, then what was reached before counts no more, and the lag grows',
    async (_how, left) => {
      const { state, time, progress } = world({ reached: 5n, head: 5n });
      await time.advance(1_500);
      expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true });
      state.isAway = true;
      await time.advance(3_000);
      expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true, lagMs: 0 });
      Object.assign(state, { isAway: false, reached: left });
      await time.advance(7_000);
      expect(progress.status()).toMatchObject({ position: left, caughtUp: false });
      expect(progress.status().lagMs).toBeGreaterThan(5_000);
      expect(await progress.waitFor(5n, 5)).toBe(false);
      const wait = progress.waitFor(5n, 30_000);
      state.reached = 5n;
      await time.advance(2_000);
      expect(await wait).toBe(true);
      expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true, lagMs: 0 });
      await progress.stop();
    },
  );

  test('given a log that ends before what is recorded, then nothing counts as reached until the read models are made anew', async () => {
    const { state, time, progress } = world({ reached: 9n, head: 9n });
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toBeUndefined();
    state.head = 4n;
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toMatch('another log');
    expect(await progress.waitFor(5n, 0)).toBe(false);
    Object.assign(state, { reached: 4n });
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toBeUndefined();
    expect(await progress.waitFor(4n, 0)).toBe(true);
    await progress.stop();
  });
});
