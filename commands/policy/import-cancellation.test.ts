import { beforeEach, describe, expect, test } from '@jest/globals';
import { type PolicyState, policy } from '../../src/domain/policy/policy.ts';
import type { PolicyEvent } from '../../src/domain/policy/policy-events.ts';
import type { Term } from '../../src/domain/policy/term.ts';
import type { RecordedEvent } from '../../src/event-sourcing/event.ts';
import { NOT_A_DAY } from '../../src/event-sourcing/time.ts';
import { stateOf } from '../../src/event-sourcing/aggregate.ts';
import { CommandHarness, LIVE } from '../../test/support/command-harness.ts';
import { givenEnvironment, givenMerchants, importRow, policyRow } from '../../test/support/imports.ts';
import { decideAdditionalTerm, importPolicyTerm } from './import-policy-term.ts';

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
    expect(events[1]?.data).toEqual({
      ...{ policyId, customerId, merchantId: LIVE.merchantId, environmentId: 1, testMode: false },
      cancelledAt: '2026-01-31T00:00:00.000Z',
      reason: 'Sold the car',
      initiator: 'import',
      merchantFeedback: null,
      alternativeOfferings: null,
      // 334 of 365 days are left.
      returned: [{ from: '2026-01-01', through: '2026-12-31', premium: '334.00', tax: null, commission: null }],
      effectiveAt: '2026-01-31',
    });
  });

  test('ends the policy at the first instant of the day in the time zone', async () => {
    const inNewYork = { environmentId: 9, merchantId: LIVE.merchantId, testMode: false };
    await givenEnvironment(harness, inNewYork, 'America/New_York');
    const { events } = await importRow(harness, { cancelled_on: '2026-01-31' }, { environment: inNewYork });
    expect(events[1]?.data).toMatchObject({ cancelledAt: '2026-01-31T05:00:00.000Z', reason: null });
    const state: PolicyState = stateOf(policy, events as RecordedEvent<PolicyEvent>[]);
    expect(state.end).toEqual({ kind: 'cancelled', day: '2026-01-31' });
  });

  test('on the last day of its term returns nothing', async () => {
    const { events } = await importRow(harness, { ...term2025, cancelled_on: '2025-12-31' });
    expect(events[1]?.data).toMatchObject({ returned: [] });
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

  test.each([
    [{ cancelled_on: '2025-12-31' }, 'cancelled_on', 'must not be before term_from'],
    [{ cancelled_on: '2027-01-01' }, 'cancelled_on', 'must not be after term_through'],
    [{ cancelled_on: '2026-03-02' }, 'cancelled_on', 'must not be in the future'],
    [{ cancelled_on: 'soon' }, 'cancelled_on', NOT_A_DAY],
    [{ cancellation_reason: 'sold' }, 'cancellation_reason', 'is given without cancelled_on'],
    [
      { cancellation_reason: 'x'.repeat(501), cancelled_on: '2026-01-31' },
      'cancellation_reason',
      'must have at most 500 characters',
    ],
  ])('with %j', async (changes, field, message) => {
    expect(await refusalOf(changes)).toEqual(invalid(field, message));
  });

  test('with a day in the future for a policy that exists', async () => {
    await importRow(harness, term2025);
    expect(await refusalOf({ cancelled_on: '2026-03-02' })).toEqual(
      invalid('cancelled_on', 'must not be in the future'),
    );
  });

  test('with a day before a term that is there already', async () => {
    await importRow(harness);
    const before = await harness.log();
    expect(await refusalOf({ ...term2025, cancelled_on: '2025-06-30' })).toEqual(
      invalid('cancelled_on', 'must not be given: the policy has a later term, from 2026-01-01'),
    );
    expect(await harness.log()).toEqual(before);
  });

  test('under a purchased policy that waits for activation', () => {
    const purchased = { from: '2025-01-01', through: '2025-12-31', isWithdrawn: false };
    const waiting = { status: 'accepted', coverFrom: null, terms: [purchased] } as unknown as PolicyState;
    const term = { from: '2026-01-01', through: '2026-12-31' } as Term;
    const details = { term, cancellation: { on: '2026-01-31', reason: null }, today: '2026-03-01' };
    expect(() => decideAdditionalTerm(waiting, details)).toThrow('cancelled_on: is given for a policy that waits');
  });
});
