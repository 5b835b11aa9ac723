import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { readSettings } from '#service/config/config.ts';
import type { SharedProjector } from '#processes/lease/shared-projector.ts';
import { stallBefore, withApplication } from './with-application.ts';

let temporary: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

const log = pino({ enabled: false });

test('throws the error of the work when the stop fails too', async () => {
  const settings = readSettings({ SURETY_DATA: temporary.folder });
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

/** Creates a projector in another process that has recorded the next of these positions at each poll. */
function remoteProjector(...positions: readonly bigint[]): SharedProjector {
  let polls = 0;
  const status = { collections: [], head: 9n, lagMs: 0, caughtUp: false, unroutable: 0, failure: undefined };
  const position = (): bigint | undefined => positions[Math.min(polls, positions.length - 1)];
  return {
    initialBuildProgress: () => undefined,
    waitFor: async (wanted, timeoutMs) => {
      await pause(timeoutMs);
      polls += 1;
      return (position() ?? 0n) >= wanted;
    },
    status: () => ({ ...status, position: position() }),
    stop: async () => {},
    isLeading: () => false,
    leadingSince: () => undefined,
    checkLease: () => undefined,
  };
}

test('reports a projector of another process without progress as stalled', async () => {
  expect(await stallBefore(remoteProjector(3n), 9n, 30)).toMatch(/^no progress for .* no projector is running/);
});

test('waits for a slow projector', async () => {
  expect(await stallBefore(remoteProjector(1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n), 9n, 30)).toBeUndefined();
});

test('waits for the leader in this process to report a failure', async () => {
  const own = { ...remoteProjector(3n, 3n, 3n, 3n, 3n, 3n, 9n), isLeading: () => true };
  expect(await stallBefore(own, 9n, 30)).toBeUndefined();
});
