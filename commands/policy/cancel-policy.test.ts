import { beforeEach, describe, expect, test } from '@jest/globals';
import { givenMerchants, importPolicy } from '../../test/support/imports.ts';
import { CommandHarness, invalidFields, MERCHANT } from '../../test/support/command-harness.ts';
import { cancelPolicy } from './cancel-policy.ts';

let harness: CommandHarness;
let policyId: string;
let stream: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId, stream } = await importPolicy(harness));
});

const cancellation = (changes: object = {}) => ({
  policy_id: policyId,
  cancellation_reason: 'sold the car',
  ...changes,
});

describe('An active policy', () => {
  test('returns the merchant as initiator of its cancellation', async () => {
    const outcome = await harness.run(cancelPolicy, cancellation(), { actor: MERCHANT });
    expect(outcome.result).toEqual({
      cancellation_status: 'success',
      message: 'Policy cancellation successful',
      data: {
        policy_id: policyId,
        policy_number: 'POL-1',
        policy_status: 'cancelled',
        cancellation_date: '2026-03-01T10:00:00.000Z',
        cancellation_reason: 'sold the car',
        cancellation_initiator: 'Acme Bank',
        refund_amount: '305.00',
        currency: 'EUR',
      },
    });
  });

  test('returns "admin" as initiator when an administrator cancels it', async () => {
    const { result } = await harness.run(cancelPolicy, cancellation());
    expect(result).toMatchObject({ data: { cancellation_initiator: 'admin' } });
  });

  test('is found by its number', async () => {
    await harness.run(cancelPolicy, cancellation({ policy_id: undefined, policy_number: 'POL-1' }));
    expect(await harness.events(stream)).toHaveLength(2);
  });

  test('rejects its id with another number, naming both fields', async () => {
    const refusal = await harness.expectRefusal(cancelPolicy, cancellation({ policy_number: 'POL-9' }));
    expect(refusal.code).toBe('invalid_request');
    expect(invalidFields(refusal)).toEqual(['policy_id', 'policy_number']);
  });
});

describe('An invalid body', () => {
  test('names every invalid field', async () => {
    const body = {
      cancellation_reason: 'x'.repeat(501),
      merchant_feedback: 'x'.repeat(501),
      policy_number: 'x'.repeat(256),
      policy_id: '1',
      more: true,
    };
    expect(invalidFields(await harness.expectRefusal(cancelPolicy, body)).sort()).toEqual([
      'cancellation_reason',
      'merchant_feedback',
      'more',
      'policy_id',
      'policy_number',
    ]);
  });

  test('needs a policy and a reason', async () => {
    expect(invalidFields(await harness.expectRefusal(cancelPolicy, {})).sort()).toEqual([
      'cancellation_reason',
      'policy_id',
    ]);
  });

  test('rejects alternatives that nest too deeply', async () => {
    const alternative_offerings = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as unknown;
    const refusal = await harness.expectRefusal(cancelPolicy, cancellation({ alternative_offerings }));
    expect(invalidFields(refusal)).toEqual(['alternative_offerings']);
  });
});
