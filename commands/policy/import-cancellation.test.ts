import { beforeEach, describe, expect, test } from '@jest/globals';
import { policy } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { namedId } from '#event-sourcing/identifiers.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { givenEnvironment, givenMerchants, importRow, policyRow } from '#test/support/imports.ts';
import { importPolicyTerm } from './import-policy-term.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

const term2025 = { term_from: '2025-01-01', term_through: '2025-12-31' };
const refusalOf = async (changes: Readonly<Record<string, string>>) => {
  const { code, fields } = await harness.expectRefusal(importPolicyTerm, policyRow(changes));
  return { code, fields };
};

describe('A cancelled row', () => {
  test('is recorded as a term and its cancellation in one append', async () => {
    const changes = { cancelled_on: '2026-01-31', cancellation_reason: ' Sold the car ' };
    const { events, result } = await importRow(harness, changes);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['PolicyImported', 0],
      ['PolicyCancelled', 1],
    ]);
    const { policyId, customerId, term } = events[0]!.data as PolicyEvent['data'] & { term: object };
    expect(result).toEqual({ policy_id: policyId });
    expect(events[0]?.data).toMatchObject({ status: 'active', effectiveAt: '2026-01-01' });
    expect(term).toMatchObject({ premium: '365.00' });
    const { termId } = (events[1]!.data as { returned: { termId: string }[] }).returned[0] ?? {};
    expect(termId).toBe(namedId(policyId, events[0]!.id));
    expect(events[1]?.data).toEqual({
      policyId,
      customerId,
      merchantId: LIVE.merchantId,
      environmentId: 1,
      testMode: false,
      currency: 'EUR',
      cancelledAt: '2026-01-31T23:59:59.000Z',
      decidedOn: '2026-03-01',
      reason: 'Sold the car',
      initiator: 'import',
      merchantFeedback: null,
      alternativeOfferings: null,
      refundRule: 'pro_rata',
      // 334 of 365 days are left.
      returned: [
        {
          termId,
          from: '2026-01-01',
          through: '2026-12-31',
          premium: '334.00',
          net: '334.00',
          fee: '0.00',
          tax: null,
          commission: null,
        },
      ],
      effectiveAt: '2026-01-31',
    });
  });

  test('ends at its last second in the time zone, and today at the moment of the import', async () => {
    const inNewYork = { environmentId: 9, merchantId: LIVE.merchantId, testMode: false };
    await givenEnvironment(harness, inNewYork, 'America/New_York');
    const endedAt = async (policy_number: string, cancelled_on: string) => {
      const { events } = await importRow(harness, { policy_number, cancelled_on }, { environment: inNewYork });
      return (events[1]!.data as { cancelledAt: string }).cancelledAt;
    };
    expect(await endedAt('N-1', '2026-01-31')).toBe('2026-02-01T04:59:59.000Z');
    expect(await endedAt('N-2', '2026-03-01')).toBe(harness.now);
  });

  test('returns what the row says, tax included, and keeps automatic renewal for a reinstatement', async () => {
    const changes = {
      tax: '73.00',
      commission: '29.20',
      cancelled_on: '2026-01-31',
      return_premium: '100',
      auto_renew: 'TRUE',
    };
    const { events } = await importRow(harness, changes);
    expect(events[0]?.data).toMatchObject({ autoRenew: true });
    expect(events[1]?.data).toMatchObject({
      refundRule: null,
      returned: [{ premium: '100.00', net: '80.00', fee: '0.00', tax: '20.00', commission: '8.00' }],
    });
    expect(stateOf(policy, events as RecordedEvent<PolicyEvent>[])).toMatchObject({
      autoRenew: false,
      end: { day: '2026-01-31', autoRenewBefore: true },
    });
  });

  test('on the last day of its term returns nothing', async () => {
    const { events } = await importRow(harness, { ...term2025, cancelled_on: '2025-12-31' });
    expect(events[1]?.data).toMatchObject({ returned: [{ premium: '0.00' }] });
  });

  test('after another term returns nothing of that one', async () => {
    await importRow(harness, term2025);
    const { events } = await importRow(harness, { cancelled_on: '2026-01-01' });
    expect(events.map(({ type }) => type)).toEqual(['PolicyTermImported', 'PolicyCancelled']);
    expect(events[1]?.data).toMatchObject({ returned: [{ from: '2026-01-01', premium: '364.00' }] });
  });

  test('is recognised, and later rows of the policy are refused', async () => {
    const cancelled = { ...term2025, cancelled_on: '2025-03-31' };
    const first = await importRow(harness, cancelled);
    expect(await importRow(harness, cancelled)).toMatchObject({ replayed: true, result: first.result });
    expect((await refusalOf({})).code).toBe('policy_already_cancelled');
    expect((await refusalOf({ cancelled_on: '2026-02-01' })).code).toBe('policy_already_cancelled');
  });
});

describe('A cancelled row is refused', () => {
  const invalid = (field: string, message: string) => ({ code: 'invalid_request', fields: [{ field, message }] });

  test('with a day in the future, for a new policy and one that exists', async () => {
    const inFuture = invalid('cancelled_on', 'must not be in the future');
    expect(await refusalOf({ cancelled_on: '2026-03-02' })).toEqual(inFuture);
    await importRow(harness, term2025);
    expect(await refusalOf({ cancelled_on: '2026-03-02' })).toEqual(inFuture);
  });

  test('with a day before a term that is there already', async () => {
    await importRow(harness);
    const before = await harness.log();
    expect(await refusalOf({ ...term2025, cancelled_on: '2025-06-30' })).toEqual(
      invalid('cancelled_on', 'must not be given: the policy has a later term, from 2026-01-01'),
    );
    expect(await harness.log()).toEqual(before);
  });
});
