import { expect, test } from '@jest/globals';
import { Refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../event-store/event-store.ts';
import { importLocally } from './import-locally.ts';

/** A back office that answers so many rows with the error before it takes one. */
function failing(times: number, error: Error) {
  let asked = 0;
  const run = async (): Promise<{ readonly replayed: boolean }> => {
    asked += 1;
    // What was sent when the store went away may have been written.
    return await (asked <= times ? Promise.reject(error) : Promise.resolve({ replayed: true }));
  };
  const office = { run, hasEnvironment: async () => await Promise.resolve(true) };
  return { office: office as unknown as Parameters<typeof importLocally>[0], asked: () => asked };
}

const AWAY = new StoreUnavailable('EventStoreDB does not answer');

test.each([AWAY, new Refusal('busy', 'Others change the same thing')])(
  'given servers that are away for a moment (%s), then the row is sent again, because it acts once',
  async (error) => {
    const { office, asked } = failing(2, error);
    expect(await importLocally(office, 10_000)('ImportClaim', {})).toEqual({ kind: 'already' });
    expect(asked()).toBe(3);
  },
);

test('given they stay away for longer than the patience lasts, then the import ends with their error', async () => {
  const { office, asked } = failing(Infinity, AWAY);
  await expect(importLocally(office, 250)('ImportClaim', {})).rejects.toBe(AWAY);
  expect(asked()).toBeGreaterThan(1);
});

test('given no patience, as in a folder, then the first error ends it', async () => {
  const { office, asked } = failing(1, AWAY);
  await expect(importLocally(office, 0)('ImportClaim', {})).rejects.toBe(AWAY);
  expect(asked()).toBe(1);
});

test('given an error of another kind, then it is not tried again', async () => {
  const { office, asked } = failing(1, new TypeError('a mistake'));
  await expect(importLocally(office, 10_000)('ImportClaim', {})).rejects.toThrow('a mistake');
  expect(asked()).toBe(1);
});
