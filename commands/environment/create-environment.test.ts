import { beforeEach, describe, expect, test } from '@jest/globals';
import { environmentStream } from '#domain/environment/environment.ts';
import { setUpMerchant } from '#test/support/admin-fixtures.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { createEnvironment } from './create-environment.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

describe('CreateEnvironment', () => {
  test('numbers environments across all merchants', async () => {
    const [acme, other] = [await setUpMerchant(h), await setUpMerchant(h, { name: 'Other' })];
    const input = { environment_name: 'Production', test_mode: false };
    const first = await h.run(createEnvironment, { short_code: acme.shortCode, ...input });
    const second = await h.run(createEnvironment, { ...input, short_code: other.shortCode, test_mode: true });
    expect([first.result.environment_id, second.result.environment_id]).toEqual([1, 2]);
    expect(first.result.client_id).not.toBe(second.result.client_id);
    const [event] = await h.events(environmentStream(2));
    expect(event).toMatchObject({
      data: { clientId: second.result.client_id, merchantId: other.tenantId },
      metadata: { merchant: other.tenantId, testMode: true },
    });
  });

  test('names every invalid field', async () => {
    const refusal = await h.expectRefusal(createEnvironment, {
      environment_name: 'x'.repeat(256),
      test_mode: 'yes',
      time_zone: '+01:00',
    });
    expect(invalidFields(refusal).sort()).toEqual(['environment_name', 'short_code', 'test_mode', 'time_zone']);
  });
});
