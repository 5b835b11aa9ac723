import { beforeEach, describe, expect, test } from '@jest/globals';
import { environmentStream } from '../../src/domain/environment/environment.ts';
import { setUpMerchant } from '../../test/support/admin-fixtures.ts';
import { CommandHarness, invalidFields } from '../../test/support/command-harness.ts';
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

  test('creates one environment for repeated and concurrent requests with a key', async () => {
    const { shortCode } = await setUpMerchant(h);
    const input = { short_code: shortCode, environment_name: 'Production', test_mode: false };
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => h.run(createEnvironment, input, { key: 'k' })));
    const log = await h.log();
    outcomes.push(await h.run(createEnvironment, input, { key: 'k' }));
    expect(new Set(outcomes.map(({ result }) => JSON.stringify(result))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(outcomes.at(-1)).toMatchObject({ stream: 'environment-1', revision: 0, replayed: true });
    expect(await h.log()).toEqual(log);
    expect(log.filter(({ type }) => type === 'EnvironmentCreated')).toHaveLength(1);
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
