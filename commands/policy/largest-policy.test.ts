import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { policies, type PolicyDocument } from '#projections/policies/policies.ts';
import { serialiseDocument } from '#projections/working-document.ts';
import { policyStream } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import { newCoverage } from '#domain/policy/term.ts';
import { addDays } from '#domain/values/dates.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { CommandHarness, LIVE } from '#test/support/command-harness.ts';
import { bought, ratedTerm } from '#test/support/policy-events.ts';
import { sampleId } from '#test/support/sample-events.ts';
import { cancelPolicy } from './cancel-policy.ts';
import { changePolicy } from './change-policy.ts';
import { reinstatePolicy } from './reinstate-policy.ts';
import { renewPolicy } from './renew-policy.ts';

const policy_id = sampleId('policy', 1);
const stream = policyStream(policy_id);
/** Three bytes. */
const LETTER = '\uac00';
/** 19,200 characters, nearly as many as the coverages of a policy have. */
const COVERAGES = Array.from({ length: 100 }, (_, index) => newCoverage(`${LETTER.repeat(189)}${index + 100}`));

let harness: CommandHarness;
beforeEach(async () => {
  harness = new CommandHarness();
  await harness.given(
    stream,
    bought({ merchantId: LIVE.merchantId }, ratedTerm('2026-01-01', 'year', { coverages: COVERAGES })),
  );
});
afterEach(() => harness.records.close());

/** @throws {FoldError} when the document of the policy is too large */
async function documentBytes(): Promise<number> {
  const events = (await harness.events(stream)) as RecordedEvent<PolicyEvent>[];
  const document = events.reduce<PolicyDocument | undefined>(
    (before, event) => policies.fold(before, event),
    undefined,
  );
  return Buffer.byteLength(serialiseDocument(policies, document).body ?? '');
}

test('a policy can be cancelled after all changes of a day that are taken, and be reinstated', async () => {
  const change = async (number: number): Promise<void> => {
    const [coverage_name, covered_items] = [COVERAGES[0]?.name, LETTER.repeat(400)];
    const changes = [{ action: 'modify', coverage_name, covered_items, additional_amount: String(number) }];
    await harness.run(changePolicy, { policy_id, changes });
  };
  await change(1);
  const refusal = await (async () => {
    for (let number = 2; number <= 20; number += 1) await change(number);
  })().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'policy_not_changeable' });
  await harness.run(cancelPolicy, { policy_id, cancellation_reason: 'moved' });
  await harness.run(reinstatePolicy, { policy_id, reason: 'a mistake' });
  harness.now = '2026-03-02T10:00:00.000Z';
  await change(99);
});

test('a policy takes terms as long as its document can be stored', async () => {
  const renew = async (from: string): Promise<void> => {
    const request = { policy_id, preferred_policy_start_date: from, policy_duration: 1 };
    await harness.run(renewPolicy, request);
  };
  const refusal = await (async () => {
    for (let from = '2027-01-01'; from < '2028-01-01'; from = addDays(from, 1)) await renew(from);
  })().catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'policy_not_renewable' });
  const changes = [{ action: 'remove', coverage_name: COVERAGES[0]?.name }];
  expect(await harness.expectRefusal(changePolicy, { policy_id, changes })).toMatchObject({
    code: 'policy_not_changeable',
  });
  expect(await documentBytes()).toBeGreaterThan(3 * 1024 * 1024);
  await harness.run(cancelPolicy, { policy_id, cancellation_reason: 'moved' });
  expect(await documentBytes()).toBeLessThan(4 * 1024 * 1024);
});
