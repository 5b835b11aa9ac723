import { beforeEach, expect, test } from '@jest/globals';
import { policyStream } from '#domain/policy/policy.ts';
import { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { policyActivated, policyPurchased, sampleId, term } from '#test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { renewPolicy } from './renew-policy.ts';
import { setBeneficiaries } from './set-beneficiaries.ts';

let harness: CommandHarness;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
});

test('a request records at most 100 due renewals, and a repeat goes on', async () => {
  const policyId = sampleId('policy', 1);
  const stream = policyStream(policyId);
  const bought = { autoRenew: true, environmentId: LIVE.environmentId, merchantId: LIVE.merchantId };
  await harness.given(stream, policyPurchased(1, 1, term('2026-03-01', '2026-03-01', '1.00'), bought));
  await harness.given(stream, policyActivated(1, 1));
  harness.now = '2026-08-01T00:00:00.000Z';
  const cancellation = { policy_id: policyId, cancellation_reason: 'sold' };
  expect((await harness.expectRefusal(cancelPolicy, cancellation)).code).toBe('busy');
  expect(await harness.events(stream)).toHaveLength(102);
  await harness.run(cancelPolicy, cancellation);
  const types = (await harness.events(stream)).map(({ type }) => type);
  expect(types.filter((type) => type === 'PolicyRenewed')).toHaveLength(153);
  expect(types.at(-1)).toBe('PolicyCancelled');
});

test('a request whose If-Match names another revision records nothing that is due', async () => {
  const { policyId } = await importPolicy(harness, { auto_renew: 'true' });
  harness.now = '2028-06-01T10:00:00.000Z';
  const cancellation = { policy_id: policyId, cancellation_reason: 'sold' };
  const refusal = await harness.expectRefusal(cancelPolicy, cancellation, { ifMatch: [9] });
  expect([refusal.code, (await harness.events(policyStream(policyId))).length]).toEqual(['precondition_failed', 1]);
  await harness.run(cancelPolicy, cancellation, { ifMatch: [0] });
  expect((await harness.events(policyStream(policyId))).map(({ type }) => type)).toContain('PolicyRenewed');
});

test('a request whose If-Match names a revision that only a stale cache has is refused, and records nothing', async () => {
  const { policyId } = await importPolicy(harness, { auto_renew: 'true' });
  const beneficiaries = [{ beneficiary_name: 'Ada Okafor' }];
  await harness.run(setBeneficiaries, { policy_id: policyId, beneficiaries }, { stateCache: new StateCache() });
  harness.now = '2028-06-01T10:00:00.000Z';
  const cancellation = { policy_id: policyId, cancellation_reason: 'sold' };
  const refusal = await harness.expectRefusal(cancelPolicy, cancellation, { ifMatch: [0] });
  expect([refusal.code, (await harness.events(policyStream(policyId))).length]).toEqual(['precondition_failed', 2]);
});

test('a request that is refused after it has recorded what was due is refused for its own reason', async () => {
  const { policyId } = await importPolicy(harness, { auto_renew: 'true' });
  harness.now = '2028-06-01T10:00:00.000Z';
  const cancellation = { policy_id: policyId, cancellation_reason: 'sold', effective_on: '2020-01-01' };
  const refusal = await harness.expectRefusal(cancelPolicy, cancellation, { ifMatch: [0] });
  expect(refusal.code).toBe('invalid_request');
  expect((await harness.events(policyStream(policyId))).map(({ type }) => type)).toContain('PolicyRenewed');
});

test('a renewal close to the last day of the calendar names no day of the year 10000', async () => {
  harness.now = '9995-01-01T10:00:00.000Z';
  const { policyId } = await importPolicy(harness, { term_from: '9990-07-01', term_through: '9999-06-30' });
  const body = { policy_id: policyId, preferred_policy_start_date: '9999-07-01', policy_duration: 30 };
  await harness.run(renewPolicy, body);
});
