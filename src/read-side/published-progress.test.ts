import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#test/support/manual-clock.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { PublishedProgress } from './published-progress.ts';
import { lagFailure } from './projector.ts';

/** A recorded position and a log, both controlled by the test. */
function createProgress(before: { recorded?: bigint; head?: bigint } = {}) {
  const state = { recorded: before.recorded, head: before.head, isUnavailable: false, isHeadUnknown: false, polls: 0 };
  const time = new ManualClock();
  const progress = new PublishedProgress({
    readPublishedPosition: async () => {
      state.polls += 1;
      if (state.isUnavailable) throw new StoreUnavailable('away');
      return await Promise.resolve(state.recorded);
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

describe('the progress that a projector in another process has recorded', () => {
  test('resolves a wait at the next poll after the position was reached', async () => {
    const { state, time, progress } = createProgress({ recorded: 5n, head: 5n });
    await time.settle();
    expect(await progress.waitFor(5n, 1_000)).toBe(true);
    const waits = [progress.waitFor(7n, 30_000), progress.waitFor(6n, 30_000)];
    state.recorded = 7n;
    await time.advance(50, 10);
    expect(await Promise.all(waits)).toEqual([true, true]);
    await progress.stop();
  });

  test('polls once for all callers that wait, and once a second without any', async () => {
    const { state, time, progress } = createProgress({ recorded: 1n, head: 1n });
    await time.advance(100, 10);
    state.polls = 0;
    const waits = Array.from({ length: 100 }, () => progress.waitFor(2n, 30_000));
    await time.advance(100, 10);
    expect(state.polls).toBeGreaterThan(5);
    expect(state.polls).toBeLessThan(15);
    state.recorded = 2n;
    await time.advance(10_000);
    await Promise.all(waits);
    expect(state.polls).toBeLessThan(27);
    await progress.stop();
  });

  test('resolves a wait with false after its time and when it is stopped', async () => {
    const { time, progress } = createProgress({ recorded: 1n, head: 1n });
    await time.settle();
    expect(await progress.waitFor(2n, 5)).toBe(false);
    const wait = progress.waitFor(2n, 30_000);
    await progress.stop();
    expect(await wait).toBe(false);
  });

  test('continues a wait while the read models do not answer', async () => {
    const { state, time, progress } = createProgress({ recorded: 1n, head: 1n });
    await time.settle();
    state.isUnavailable = true;
    const wait = progress.waitFor(2n, 30_000);
    await time.advance(1_000, 10);
    Object.assign(state, { isUnavailable: false, recorded: 2n });
    await time.advance(50, 10);
    expect(await wait).toBe(true);
    await progress.stop();
  });

  test('shows a growing lag until an event is reflected', async () => {
    const { state, time, progress } = createProgress({ recorded: 5n, head: 5n });
    await time.advance(1_500);
    expect(progress.status()).toMatchObject({ position: 5n, head: 5n, lagMs: 0, caughtUp: true });
    state.head = 6n;
    await time.advance(7_000);
    expect(progress.status().lagMs).toBeGreaterThan(5_000);
    state.head = 9n;
    state.recorded = 8n;
    await time.advance(1_500);
    expect(progress.status().lagMs).toBeLessThan(2_000);
    state.recorded = 9n;
    await time.advance(2_000);
    expect(progress.status().lagMs).toBe(0);
    await progress.stop();
  });

  test('counts the read models as behind while the head of the log cannot be read', async () => {
    const { state, time, progress } = createProgress({ recorded: 5n, head: 5n });
    await time.advance(1_500);
    state.isHeadUnknown = true;
    await time.advance(7_000);
    expect(lagFailure(progress.status())).toMatch('s behind the log');
    state.isHeadUnknown = false;
    await time.advance(1_500);
    expect(progress.status().lagMs).toBe(0);
    await progress.stop();
  });

  test('has caught up without a recorded position only on an empty log', async () => {
    const empty = createProgress();
    await empty.time.settle();
    expect(empty.progress.status().caughtUp).toBe(true);
    const behind = createProgress({ head: 3n });
    await behind.time.advance(6_000);
    expect(behind.progress.status()).toMatchObject({ caughtUp: false, position: undefined });
    expect(behind.progress.status().lagMs).toBeGreaterThan(5_000);
    await empty.progress.stop();
    await behind.progress.stop();
  });

  test.each<[string, bigint | undefined]>([
    ['were deleted', undefined],
    ['were replaced by an older copy', 2n],
  ])('forgets the old position, with a growing lag, when read models %s', async (_how, left) => {
    const { state, time, progress } = createProgress({ recorded: 5n, head: 5n });
    await time.advance(1_500);
    expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true });
    state.isUnavailable = true;
    await time.advance(3_000);
    expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true, lagMs: 0 });
    Object.assign(state, { isUnavailable: false, recorded: left });
    await time.advance(7_000);
    expect(progress.status()).toMatchObject({ position: left, caughtUp: false });
    expect(progress.status().lagMs).toBeGreaterThan(5_000);
    expect(await progress.waitFor(5n, 5)).toBe(false);
    const wait = progress.waitFor(5n, 30_000);
    state.recorded = 5n;
    await time.advance(2_000);
    expect(await wait).toBe(true);
    expect(progress.status()).toMatchObject({ position: 5n, caughtUp: true, lagMs: 0 });
    await progress.stop();
  });

  test('ignores a recorded position beyond the end of the log until the read models are rebuilt', async () => {
    const { state, time, progress } = createProgress({ recorded: 9n, head: 9n });
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toBeUndefined();
    state.head = 4n;
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toMatch('another log');
    expect(await progress.waitFor(5n, 0)).toBe(false);
    Object.assign(state, { recorded: 4n });
    await time.advance(3_000, 10);
    expect(lagFailure(progress.status())).toBeUndefined();
    expect(await progress.waitFor(4n, 0)).toBe(true);
    await progress.stop();
  });
});
