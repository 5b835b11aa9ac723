import { beforeEach, describe, expect, test } from '@jest/globals';
import { givenMerchants, importPolicy } from '../../test/support/imports.ts';
import { CommandHarness, LIVE, TEST } from '../../test/support/command-harness.ts';
import { givenQuote } from '../../test/support/quotes.ts';
import { policyStream } from '../../src/domain/policy/policy.ts';
import { activatePolicy } from './activate-policy.ts';
import { cancelPolicy } from './cancel-policy.ts';
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

async function codeFor(policyId: string): Promise<string> {
  const before = await harness.log();
  const { code } = await harness.expectRefusal(activatePolicy, { policy_id: policyId }, { key: 'k' });
  expect(await harness.log()).toEqual(before);
  return code;
}

describe.each([{ inspectionRequired: true }, { certificationRequired: true }])('A policy with %j', (offered) => {
  test.each(['2026-03-01', '2026-08-01'])(
    'is active at once when an administrator activates it, for a start on %s',
    async (effective_from) => {
      const policyId = await buy(offered, { effective_from }, TEST);
      const outcome = await harness.run(activatePolicy, { policy_id: policyId.toUpperCase() });
      expect(outcome).toMatchObject({ created: false, result: {}, stream: `policy-${policyId}` });
      expect(outcome.events).toMatchObject([
        {
          type: 'PolicyActivated',
          data: { policyId, testMode: true, cause: 'back_office', effectiveAt: '2026-03-01' },
          metadata: { merchant: TEST.merchantId, testMode: true, policy: policyId },
        },
      ]);
    },
  );

  test('moves its term to the day of the activation when that is later', async () => {
    const policyId = await buy(offered, { effective_from: '2026-03-05', policy_duration: 30 });
    harness.now = '2026-04-20T12:00:00.000Z';
    const { events } = await harness.run(activatePolicy, { policy_id: policyId });
    expect(events).toMatchObject([
      { data: { effectiveAt: '2026-04-20', movedTerm: { from: '2026-04-20', through: '2026-05-19' } } },
    ]);
  });

  test.each(['2026-03-01', '2026-03-05'])(
    'keeps its term when it is activated on %s, by its first day',
    async (day) => {
      const policyId = await buy(offered, { effective_from: '2026-03-05' });
      harness.now = `${day}T12:00:00.000Z`;
      const { events } = await harness.run(activatePolicy, { policy_id: policyId });
      expect(events).toMatchObject([{ data: { movedTerm: null } }]);
    },
  );

  test('waits after its start day until an administrator activates it', async () => {
    const policyId = await buy(offered);
    harness.now = '2026-06-01T00:00:00.000Z';
    await harness.run(activatePolicy, { policy_id: policyId }, { key: 'first' });
    expect(await codeFor(policyId)).toBe('policy_already_active');
    const again = await harness.run(activatePolicy, { policy_id: policyId }, { key: 'first' });
    expect(again.replayed).toBe(true);
  });
});

describe('A policy without inspection and certification', () => {
  test('becomes active automatically, so it cannot be activated', async () => {
    const policyId = await buy({}, { effective_from: '2026-03-05' });
    harness.now = '2026-03-04T23:59:59.999Z';
    expect(await codeFor(policyId)).toBe('policy_not_begun');
  });

  test('is activated as of its first day by the first command after midnight, before the scheduler runs', async () => {
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

  test('cannot be activated after its cancellation', async () => {
    const { policyId } = await importPolicy(harness);
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    expect(await codeFor(policyId)).toBe('policy_already_cancelled');
  });
});
