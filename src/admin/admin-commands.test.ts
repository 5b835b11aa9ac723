import { beforeEach, describe, expect, test } from '@jest/globals';
import { aMerchant, anEnvironment } from '../../test/support/back-office.ts';
import { CommandHarness } from '../../test/support/command-harness.ts';
import { type AdminCommands, adminCommands } from './admin-commands.ts';

let harness: CommandHarness;
let office: AdminCommands;
let environmentId: number;

beforeEach(async () => {
  harness = new CommandHarness();
  office = adminCommands(harness.ports);
  environmentId = await anEnvironment(harness, (await aMerchant(harness)).shortCode);
});

/** A cancellation that is right in all but what is given. */
const cancellation = (changes: object): object => ({
  environment_id: environmentId,
  policy_number: 'POL-1',
  cancellation_reason: 'sold',
  ...changes,
});

describe('the back office without a service', () => {
  test.each([
    [
      'an environment that is no number, and a field nobody knows',
      { environment_id: 'x', odd: 1 },
      ['environment_id', 'odd'],
    ],
    ['an environment that is not there', { environment_id: 77 }, ['environment_id']],
    ['NUL deep inside', { alternative_offerings: [{ name: 'a\0b' }] }, ['alternative_offerings.0.name']],
    ['half a surrogate pair', { alternative_offerings: { name: '\ud800' } }, ['alternative_offerings.name']],
    ['a dangerous name', JSON.parse('{"alternative_offerings":{"__proto__":1}}'), ['alternative_offerings.__proto__']],
  ])('given %s, then every wrong field is named and nothing is written', async (_case, changes: object, fields) => {
    const before = await harness.log();
    const refusal = office.run('CancelPolicy', cancellation(changes));
    await expect(refusal).rejects.toMatchObject({
      code: 'invalid_request',
      fields: fields.map((field) => ({ field })),
    });
    expect(await harness.log()).toEqual(before);
  });

  test.each([[[1]], ['text'], [null], [undefined]])('given the body %j, then it must be an object', async (body) => {
    const refusal = office.run('RegisterMerchant', body);
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_request', fields: [{ field: 'body' }] });
  });

  test('given a name that no command has, then that is told', async () => {
    await expect(office.run('Toggle', {})).rejects.toMatchObject({ code: 'command_not_found' });
  });

  test('given an environment, then it is found, and made at any time', async () => {
    expect(await office.hasEnvironment(environmentId)).toBe(true);
    expect(await office.hasEnvironment(environmentId + 1)).toBe(false);
    await anEnvironment(harness, (await aMerchant(harness, { name: 'Other' })).shortCode);
    expect(await office.hasEnvironment(environmentId + 1)).toBe(true);
  });
});
