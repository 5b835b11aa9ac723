import { describe, expect, test } from '@jest/globals';
import { ReachedPosition } from '../projector/reached-position.ts';
import { requireCaughtUp } from './caught-up.ts';

function world(told: { head: bigint | undefined; caughtUp: boolean }) {
  const reached = new ReachedPosition();
  let questions = 0;
  const eventStore = {
    lastPosition: async () => {
      questions += 1;
      return await Promise.resolve(told.head);
    },
  };
  const projector = {
    waitFor: reached.waitFor.bind(reached),
    status: () => ({
      ...{ collections: [], position: reached.position, head: told.head, lagMs: 0, unroutable: 0, failure: undefined },
      caughtUp: told.caughtUp,
    }),
  };
  return { reached, eventStore, projector, questions: () => questions };
}

describe('whoever asks the read models while they are made', () => {
  test('given read models that have caught up before, then nobody waits, nor asks for the end of the log', async () => {
    const { eventStore, projector, questions } = world({ head: 7n, caughtUp: true });
    await requireCaughtUp(eventStore, projector, 5);
    expect(questions()).toBe(0);
  });

  test('given an empty log, then nobody waits', async () => {
    const { eventStore, projector } = world({ head: undefined, caughtUp: false });
    await requireCaughtUp(eventStore, projector, 5);
  });

  test('given read models that are made anew, then it waits for them, and is refused when they are not done in time', async () => {
    const { eventStore, projector, reached } = world({ head: 7n, caughtUp: false });
    await expect(requireCaughtUp(eventStore, projector, 5)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: 'The read models have not caught up with the log',
    });
    const waiting = requireCaughtUp(eventStore, projector, 30_000);
    setImmediate(() => reached.moveTo(7n));
    await waiting;
  });
});
