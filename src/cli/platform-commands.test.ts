import { beforeEach, describe, expect, test } from '@jest/globals';
import { setUpMerchant, setUpEnvironment } from '#test/support/admin-fixtures.ts';
import { CommandHarness } from '#test/support/command-harness.ts';
import { type PlatformCommands, platformCommands } from './platform-commands.ts';

let harness: CommandHarness;
let commands: PlatformCommands;
let environmentId: number;

beforeEach(async () => {
  harness = new CommandHarness();
  commands = platformCommands(harness.ports, 'command line');
  environmentId = await setUpEnvironment(harness, (await setUpMerchant(harness)).shortCode);
});

/** A valid cancellation with changes. */
const cancellation = (changes: object): object => ({
  environment_id: environmentId,
  policy_number: 'POL-1',
  cancellation_reason: 'sold',
  ...changes,
});

describe('Admin commands in this process', () => {
  test.each([
    [
      'an environment that is not a number, and an unknown field',
      { environment_id: 'x', odd: 1 },
      ['environment_id', 'odd'],
    ],
    ['an unknown environment', { environment_id: 77 }, ['environment_id']],
    ['NUL deep inside', { alternative_offerings: [{ name: 'a\0b' }] }, ['alternative_offerings.0.name']],
    ['half a surrogate pair', { alternative_offerings: { name: '\ud800' } }, ['alternative_offerings.name']],
    ['a dangerous name', JSON.parse('{"alternative_offerings":{"__proto__":1}}'), ['alternative_offerings.__proto__']],
  ])('reject %s, name every invalid field and write nothing', async (_case, changes: object, fields) => {
    const before = await harness.log();
    const refusal = commands.run('CancelPolicy', cancellation(changes));
    await expect(refusal).rejects.toMatchObject({
      code: 'invalid_request',
      fields: fields.map((field) => ({ field })),
    });
    expect(await harness.log()).toEqual(before);
  });

  test.each([[[1]], ['text'], [null], [undefined]])('reject the body %j', async (body) => {
    const refusal = commands.run('RegisterMerchant', body);
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'body' }] });
  });

  test('reject an unknown command', async () => {
    await expect(commands.run('Toggle', {})).rejects.toMatchObject({ code: 'command_not_found' });
  });

  test('find an environment as soon as it is created', async () => {
    expect(await commands.hasEnvironment(environmentId)).toBe(true);
    expect(await commands.hasEnvironment(environmentId + 1)).toBe(false);
    await setUpEnvironment(harness, (await setUpMerchant(harness, { name: 'Other' })).shortCode);
    expect(await commands.hasEnvironment(environmentId + 1)).toBe(true);
  });
});
