import { describe, expect, test } from '@jest/globals';
import { AwaitablePosition } from '#stores/event-log/awaitable-position.ts';
import { BEFORE_FIRST_EVENT } from '#read-side/projector.ts';
import { requireCaughtUp } from './projector-starter.ts';

function setUp(state: { head: bigint | undefined; caughtUp: boolean }) {
  const reached = new AwaitablePosition();
  let reads = 0;
  const eventStore = {
    lastPosition: async () => {
      reads += 1;
      return await Promise.resolve(state.head);
    },
  };
  const projector = {
    waitFor: reached.waitFor.bind(reached),
    status: () => ({
      collections: [],
      position: reached.position,
      head: state.head,
      lagMs: 0,
      unroutable: 0,
      failure: undefined,
      caughtUp: state.caughtUp,
    }),
  };
  return { reached, eventStore, projector, reads: () => reads };
}

describe('requireCaughtUp', () => {
  test('does not read the log after the first catch-up', async () => {
    const { eventStore, projector, reads } = setUp({ head: 7n, caughtUp: true });
    await requireCaughtUp(eventStore, projector, 5);
    expect(reads()).toBe(0);
  });

  test('waits on an empty log until the read models are served', async () => {
    const { eventStore, projector, reached } = setUp({ head: undefined, caughtUp: false });
    await expect(requireCaughtUp(eventStore, projector, 5)).rejects.toThrow('have not caught up');
    reached.moveTo(BEFORE_FIRST_EVENT);
    await requireCaughtUp(eventStore, projector, 5);
  });

  test('waits for read models that are being built, and fails after the time limit', async () => {
    const { eventStore, projector, reached } = setUp({ head: 7n, caughtUp: false });
    await expect(requireCaughtUp(eventStore, projector, 5)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'The read models have not caught up with the log',
    });
    const waiting = requireCaughtUp(eventStore, projector, 30_000);
    setImmediate(() => reached.moveTo(7n));
    await waiting;
  });
});
