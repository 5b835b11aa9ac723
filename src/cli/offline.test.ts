import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '../../test/ports/support/temporary-folder.ts';
import { readSettings } from '../config.ts';
import { onFolder } from './offline.ts';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

const log = pino({ enabled: false });

test('given work that fails, when a part then does not stop cleanly either, then the error of the work is told', async () => {
  const settings = readSettings({ SURETY_DATA: place.folder });
  const work = onFolder(settings, log, async ({ lifecycle }) => {
    lifecycle.started('part', () => {
      throw new Error('of the stop');
    });
    return await Promise.reject(new Error('of the work'));
  });
  await expect(work).rejects.toThrow('of the work');
  expect(await onFolder(settings, log, async () => await Promise.resolve('the folder is free again'))).toBeDefined();
});
