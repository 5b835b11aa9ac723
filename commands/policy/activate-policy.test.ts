import { beforeEach, describe, expect, test } from '@jest/globals';
import { givenMerchants } from '#test/support/imports.ts';
import { CommandHarness, LIVE, TEST } from '#test/support/command-harness.ts';
import { givenQuote } from '#test/support/quotes.ts';
import { policyStream } from '#domain/policy/policy.ts';
import { activatePolicy } from './activate-policy.ts';
import { purchasePolicy } from './purchase-policy.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

/** Buys a policy: its id. */
async function buy(offered: object = {}, changes: object = {}, environment = LIVE): Promise<string> {
  const { quote_code } = await givenQuote(harness.eventStore, environment, offered);
  const { result } = await harness.run(purchasePolicy, { quote_code, ...changes }, { environment });
  return String(result.policy_id);
}

describe('ActivatePolicy', () => {
  test('records with the tags of the policy that an administrator activated it, and answers a repeat the same', async () => {
    const policyId = await buy({ inspectionRequired: true }, {}, TEST);
    const sent = { policy_id: policyId.toUpperCase() };
    const outcome = await harness.run(activatePolicy, sent, { key: 'first' });
    expect(outcome).toMatchObject({ created: false, result: {}, stream: `policy-${policyId}` });
    expect(outcome.events).toMatchObject([
      {
        type: 'PolicyActivated',
        data: { policyId, testMode: true, cause: 'back_office', effectiveAt: '2026-03-01' },
        metadata: { merchant: TEST.merchantId, testMode: true, policy: policyId },
      },
    ]);
    const before = await harness.log();
    expect((await harness.expectRefusal(activatePolicy, sent, { key: 'k' })).code).toBe('policy_already_active');
    expect((await harness.run(activatePolicy, sent, { key: 'first' })).replayed).toBe(true);
    expect(await harness.log()).toEqual(before);
  });

  test('after midnight first records the activation that is due, before the scheduler runs', async () => {
    const policyId = await buy({}, { effective_from: '2026-03-05' });
    harness.now = '2026-03-07T00:00:00.000Z';
    const refusal = await harness.expectRefusal(activatePolicy, { policy_id: policyId });
    expect(refusal.code).toBe('policy_already_active');
    expect((await harness.events(policyStream(policyId))).at(-1)).toMatchObject({
      type: 'PolicyActivated',
      data: { cause: 'start_day', effectiveAt: '2026-03-05' },
      metadata: { actor: { role: 'system' }, command: { name: 'ActivateDuePolicy' } },
    });
  });
});
