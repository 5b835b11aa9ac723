import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
import { readSettings } from '../config.ts';
import type { SharedProjector } from '../processes/shared-projector.ts';
import { failureToReach, withApplication } from './with-application.ts';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const log = pino({ enabled: false });

test('given work that fails, when a part then does not stop cleanly either, then the error of the work is told', async () => {
  const settings = readSettings({ SURETY_DATA: place.folder });
  const work = withApplication(settings, log, async (application) => {
    const stop = application.stop.bind(application);
    application.stop = async () => {
      await stop();
      throw new Error('of the stop');
    };
    return await Promise.reject(new Error('of the work'));
  });
  await expect(work).rejects.toThrow('of the work');
  const next = withApplication(settings, log, async () => await Promise.resolve('the folder is free again'));
  expect(await next).toBeDefined();
});

/** A projector in another process, as this one sees it: at each look it has recorded the next of these positions. */
function recorded(...positions: readonly bigint[]): SharedProjector {
  let looks = 0;
  const status = { collections: [], head: 9n, lagMs: 0, caughtUp: false, unroutable: 0, failure: undefined };
  const position = (): bigint | undefined => positions[Math.min(looks, positions.length - 1)];
  return {
    waitFor: async (wanted, timeoutMs) => {
      await pause(timeoutMs);
      looks += 1;
      return (position() ?? 0n) >= wanted;
    },
    status: () => ({ ...status, position: position() }),
    stop: async () => {},
    isLeading: () => false,
    checkLease: () => undefined,
  };
}

test('given a projector elsewhere that does not move on, then who waits for it hears so', async () => {
  expect(await failureToReach(recorded(3n), 9n, 30)).toMatch(/^no progress for .* no projector runs/);
});

test('given one that is slow but moves, then it is waited for', async () => {
  expect(await failureToReach(recorded(1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n), 9n, 30)).toBeUndefined();
});

test('given one in this process that leads, then it tells by itself when it stands still', async () => {
  const own = { ...recorded(3n, 3n, 3n, 3n, 3n, 3n, 9n), isLeading: () => true };
  expect(await failureToReach(own, 9n, 30)).toBeUndefined();
});
