import { beforeEach, expect, test } from '@jest/globals';
import { OperatorError } from './outcome.ts';
import { setUpInstallation } from './setup.ts';

const ONE = 'surety.policies.v1';
const TWO = 'surety.claims.v1';

/** Calls in their order. */
let calls: string[];
let missing: string[];
/** Whether the relay is where it was started, so that a set-up creates missing topics. */
let hasSentNothing: boolean;
beforeEach(() => {
  calls = [];
  missing = [ONE, TWO];
  hasSentNothing = false;
});

const application = {
  setUp: async () => {
    calls.push('set up');
    const createdTopics = hasSentNothing ? missing : [];
    if (hasSentNothing) missing = [];
    return await Promise.resolve({ createdTopics, missingTopics: missing, isSecretKnown: true });
  },
  replay: async (from: 'start' | bigint, then?: () => Promise<void>) => {
    calls.push(`set back to ${from}`);
    hasSentNothing = true;
    await then?.();
  },
};

test('resets the relay before it creates missing topics', async () => {
  expect(await setUpInstallation(application, {}, 'start')).toMatchObject({
    createdTopics: [ONE, TWO],
    missingTopics: [],
  });
  expect(calls).toEqual(['set up', 'set back to start', 'set up']);
});

test('reports the topics and resets the relay again after a crash in between', async () => {
  hasSentNothing = true;
  expect(await setUpInstallation(application, {}, 5n)).toMatchObject({ createdTopics: [ONE, TWO] });
  expect(calls).toEqual(['set up', 'set back to 5', 'set up']);
});

test('does not reset the relay when no topic is missing', async () => {
  missing = [];
  expect(await setUpInstallation(application, {}, 'start')).toMatchObject({ createdTopics: [] });
  expect(calls).toEqual(['set up']);
});

test.each<['start' | undefined]>([[undefined], ['start']])(
  'fails and names a topic that is still missing after --from %s',
  async (from) => {
    const replay = async (_: unknown, then?: () => Promise<void>) => await then?.();
    await expect(setUpInstallation({ ...application, replay }, {}, from)).rejects.toThrow(OperatorError);
    await expect(setUpInstallation({ ...application, replay }, {}, from)).rejects.toThrow(`${ONE}, ${TWO}`);
  },
);
