import { expect, test } from '@jest/globals';
import { Refusal } from '#domain/refusals.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { importLocally } from './import-row.ts';

/** Admin commands that fail the given number of times before they succeed. */
function failingCommands(times: number, error: Error) {
  let calls = 0;
  const run = async (): Promise<{ readonly replayed: boolean }> => {
    calls += 1;
    // The failed attempt may have been stored.
    return await (calls <= times ? Promise.reject(error) : Promise.resolve({ replayed: true }));
  };
  const commands = { run, hasEnvironment: async () => await Promise.resolve(true) };
  return { commands: commands as unknown as Parameters<typeof importLocally>[0], calls: () => calls };
}

const UNAVAILABLE = new StoreUnavailable('EventStoreDB does not answer');

test.each([UNAVAILABLE, new Refusal('busy', 'Others change the same thing')])(
  'retries a row while the servers are unavailable (%s)',
  async (error) => {
    const { commands, calls } = failingCommands(2, error);
    expect(await importLocally(commands, 10_000)('ImportClaim', {})).toEqual({ kind: 'alreadyImported' });
    expect(calls()).toBe(3);
  },
);

test('fails with the last error when the retry time is over', async () => {
  const { commands, calls } = failingCommands(Infinity, UNAVAILABLE);
  await expect(importLocally(commands, 250)('ImportClaim', {})).rejects.toBe(UNAVAILABLE);
  expect(calls()).toBeGreaterThan(1);
});

test('fails at the first error without a retry time', async () => {
  const { commands, calls } = failingCommands(1, UNAVAILABLE);
  await expect(importLocally(commands, 0)('ImportClaim', {})).rejects.toBe(UNAVAILABLE);
  expect(calls()).toBe(1);
});

test('does not retry other errors', async () => {
  const { commands, calls } = failingCommands(1, new TypeError('a mistake'));
  await expect(importLocally(commands, 10_000)('ImportClaim', {})).rejects.toThrow('a mistake');
  expect(calls()).toBe(1);
});
