import { beforeEach, describe, expect, test } from '@jest/globals';
import { providerStream } from '#domain/provider/provider.ts';
import { setUpProvider, PROVIDER_INPUT } from '#test/support/admin-fixtures.ts';
import {
  CommandHarness,
  invalidFields,
  LIVE,
  MERCHANT,
  type CommandOptions,
  TEST,
} from '#test/support/command-harness.ts';
import { OTHER_MERCHANT } from '#test/support/imports.ts';
import { registerProvider } from './register-provider.ts';
import { updateProvider } from './update-provider.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const ADMINISTRATOR: CommandOptions = {};
const LIVE_KEY: CommandOptions = { actor: MERCHANT, environment: LIVE };
const OTHER_KEY: CommandOptions = { actor: MERCHANT, environment: OTHER_MERCHANT };
const TEST_KEY: CommandOptions = { actor: MERCHANT, environment: TEST };

describe('RegisterProvider', () => {
  test.each([
    ['an administrator', 'both', null, ADMINISTRATOR],
    ['a live key', 'live', LIVE.merchantId, LIVE_KEY],
    ['a test key', 'test', TEST.merchantId, TEST_KEY],
  ])('by %s registers a provider that is visible in %s to %s', async (_who, visibility, merchantId, sent) => {
    const outcome = await h.run(registerProvider, { ...PROVIDER_INPUT, name: '  Leadway  ' }, sent);
    const providerId = String(outcome.result.provider_id);
    expect(outcome.created).toBe(true);
    expect(outcome.result).toEqual({
      provider_id: providerId,
      name: 'Leadway',
      support_email: PROVIDER_INPUT.support_email,
    });
    const [event] = await h.events(providerStream(providerId));
    expect(event?.data).toMatchObject({ providerId, visibility, merchantId, imported: false });
  });

  test.each([
    ['an administrator', ADMINISTRATOR, 'an administrator', ADMINISTRATOR, 'refused'],
    ['an administrator', ADMINISTRATOR, 'a live key', LIVE_KEY, 'refused'],
    ['an administrator', ADMINISTRATOR, 'a test key', TEST_KEY, 'refused'],
    ['a live key', LIVE_KEY, 'an administrator', ADMINISTRATOR, 'refused'],
    ['a live key', LIVE_KEY, 'a test key', TEST_KEY, 'refused'],
    ['a live key', LIVE_KEY, 'a live key of another merchant', OTHER_KEY, 'refused'],
    ['a test key', TEST_KEY, 'a test key', TEST_KEY, 'refused'],
    ['a test key', TEST_KEY, 'a live key', LIVE_KEY, 'taken'],
    ['a test key', TEST_KEY, 'an administrator', ADMINISTRATOR, 'taken'],
  ])('with a name of %s, sent by %s, is %s', async (_first, first, _second, second, end) => {
    await h.run(registerProvider, PROVIDER_INPUT, first);
    const log = await h.log();
    const again = { ...PROVIDER_INPUT, name: ' LEADWAY ' };
    if (end === 'taken') {
      expect((await h.run(registerProvider, again, second)).created).toBe(true);
      return;
    }
    expect((await h.expectRefusal(registerProvider, again, { ...second, key: 'k' })).code).toBe(
      'provider_already_registered',
    );
    expect(await h.log()).toEqual(log);
  });

  test('refuses a name that looks like a registered one', async () => {
    const name = 'Ｌｅａｄ\u{200d}ｗａｙ';
    await h.run(registerProvider, { ...PROVIDER_INPUT, name: 'Leadway' });
    const refusal = await h.expectRefusal(registerProvider, { ...PROVIDER_INPUT, name }, LIVE_KEY);
    expect([refusal.code, invalidFields(refusal)]).toEqual(['provider_already_registered', ['name']]);
    expect(refusal.message).toContain(name);
  });

  test('keeps the name as it is written', async () => {
    const { result } = await h.run(registerProvider, { ...PROVIDER_INPUT, name: 'Ｌｅａｄ\u{200d}ｗａｙ' });
    expect(result.name).toBe('Ｌｅａｄ\u{200d}ｗａｙ');
  });

  test('returns the original name for a repeated request', async () => {
    const first = await h.run(registerProvider, PROVIDER_INPUT, { key: 'k' });
    await h.run(updateProvider, { provider_id: first.result.provider_id, name: 'Other' });
    expect((await h.run(registerProvider, PROVIDER_INPUT, { key: 'k' })).result).toEqual(first.result);
  });

  test('names every invalid field', async () => {
    const refusal = await h.expectRefusal(registerProvider, {
      name: 'x'.repeat(81),
      support_email: 'help',
      support_phone: '0'.repeat(21),
      address: '',
    });
    expect(invalidFields(refusal)).toEqual(['name', 'support_email', 'support_phone', 'address']);
    const invisible = await h.expectRefusal(registerProvider, { ...PROVIDER_INPUT, name: '\u{200b}\u{3164}' });
    expect(invalidFields(invisible)).toEqual(['name']);
    expect(invalidFields(await h.expectRefusal(registerProvider, {}))).toEqual([
      'name',
      'support_email',
      'support_phone',
    ]);
  });
});

describe('UpdateProvider', () => {
  test('reserves a new name for ever and keeps the old one reserved', async () => {
    const providerId = await setUpProvider(h);
    await h.run(updateProvider, { provider_id: providerId, name: 'Custodian' });
    for (const name of ['Leadway', 'Custodian']) {
      expect((await h.expectRefusal(registerProvider, { ...PROVIDER_INPUT, name })).code).toBe(
        'provider_already_registered',
      );
    }
  });

  test('accepts an earlier name of the provider, or another case', async () => {
    const providerId = await setUpProvider(h);
    await h.run(updateProvider, { provider_id: providerId, name: 'Custodian' });
    await h.run(updateProvider, { provider_id: providerId, name: 'Leadway' });
    const outcome = await h.run(updateProvider, { provider_id: providerId, name: 'LeadWay' });
    expect(outcome.revision).toBe(3);
  });

  test('rejects the name of another provider', async () => {
    const providerId = await setUpProvider(h);
    await setUpProvider(h, { name: 'Custodian' });
    const log = await h.log();
    const input = { provider_id: providerId, name: 'custodian' };
    expect((await h.expectRefusal(updateProvider, input, { key: 'k' })).code).toBe('provider_already_registered');
    expect(await h.log()).toEqual(log);
  });

  test('rejects the name of a live provider for a provider of the test mode', async () => {
    await setUpProvider(h, { name: 'Custodian' });
    const { result } = await h.run(registerProvider, PROVIDER_INPUT, TEST_KEY);
    const input = { provider_id: result.provider_id, name: 'Custodian' };
    expect((await h.expectRefusal(updateProvider, input)).code).toBe('provider_already_registered');
  });
});
