import { beforeEach, describe, expect, test } from '@jest/globals';
import { importPolicy, givenMerchants } from '../../test/support/imports.ts';
import { CommandHarness, invalidFields } from '../../test/support/command-harness.ts';
import { derivedId } from '../../src/event-sourcing/identifiers.ts';
import { renewPolicy } from './renew-policy.ts';

let harness: CommandHarness;
let policyId: string;
let stream: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId, stream } = await importPolicy(harness));
});

const renewal = (changes: object = {}) => ({
  policy_id: policyId,
  preferred_policy_start_date: '2027-01-01',
  policy_duration: 365,
  ...changes,
});

describe('A policy that is covered through 2026-12-31', () => {
  test('returns the renewal response', async () => {
    const outcome = await harness.run(renewPolicy, renewal({ policy_duration: 30 }));
    expect(outcome.result).toEqual({
      renewal_status: 'success',
      message: 'Policy renewal successful',
      data: {
        policy_id: policyId,
        policy_number: 'POL-1',
        policy_duration: 30,
        policy_metadata: {
          product_name: 'Private Motor',
          product_type: 'Auto',
          insurer: 'Assurance',
          customer_name: 'Ada Obi',
          customer_email: 'ada@customers.example',
          customer_phone: null,
          customer_address: null,
          policy_status: 'active',
          policy_id: policyId,
          renewable: true,
        },
        renewal_date: '2027-01-31',
      },
    });
    expect(outcome.created).toBe(false);
  });

  test.each([
    { include_additional_coverage: true },
    { modify_exisitng_coverage: true },
    { include_additional_coverage: true, coverage_details: null },
    { include_additional_coverage: true, coverage_details: 'glass' },
  ])('rejects %j without an object of details', async (wanted) => {
    expect(invalidFields(await harness.expectRefusal(renewPolicy, renewal(wanted)))).toEqual(['coverage_details']);
  });

  test('rejects details without a type as missing', async () => {
    const refusal = await harness.expectRefusal(
      renewPolicy,
      renewal({ include_additional_coverage: true, coverage_details: {} }),
    );
    expect(refusal.fields).toEqual([{ field: 'coverage_details.coverage_type', message: 'must be given' }]);
  });

  test.each([
    [{}, ['coverage_details.coverage_type']],
    [{ coverage_type: '' }, ['coverage_details.coverage_type']],
    [{ coverage_type: 'x'.repeat(256) }, ['coverage_details.coverage_type']],
    [{ coverage_type: 'radio', coverage_limit: -1 }, ['coverage_details.coverage_limit']],
    [
      { coverage_type: 7, coverage_limit: 'much' },
      ['coverage_details.coverage_type', 'coverage_details.coverage_limit'],
    ],
  ])('rejects the details %j', async (coverage_details, fields) => {
    for (const option of ['include_additional_coverage', 'modify_exisitng_coverage']) {
      const refusal = await harness.expectRefusal(renewPolicy, renewal({ [option]: true, coverage_details }));
      expect(invalidFields(refusal)).toEqual(fields);
    }
  });

  test('is found by its number or by both names', async () => {
    await harness.run(renewPolicy, renewal({ policy_id: undefined, policy_number: ' pol-1 ' }));
    await harness.run(renewPolicy, renewal({ policy_number: 'POL-1', preferred_policy_start_date: '2028-01-01' }));
    expect(await harness.events(stream)).toHaveLength(3);
  });

  test.each([-1, '-0.01', 1.005, 'much', 1e21, true, {}, ['12.50']])(
    'rejects the additional amount %p',
    async (additional_amount) => {
      const coverage_details = { coverage_type: 'radio', additional_amount };
      const body = renewal({ include_additional_coverage: true, coverage_details });
      expect(invalidFields(await harness.expectRefusal(renewPolicy, body))).toEqual([
        'coverage_details.additional_amount',
      ]);
    },
  );
});

describe('A policy that has not started', () => {
  test('can be renewed and keeps its status', async () => {
    const later = await importPolicy(harness, {
      policy_number: 'POL-2',
      term_from: '2026-06-01',
      term_through: '2027-05-31',
    });
    const body = renewal({ policy_id: later.policyId, preferred_policy_start_date: '2027-06-01' });
    const outcome = await harness.run(renewPolicy, body);
    expect(outcome.result).toMatchObject({ data: { policy_metadata: { policy_status: 'accepted' } } });
  });
});

describe('A policy that is invisible to the caller', () => {
  test('rejects id and number of different policies, naming both fields', async () => {
    await importPolicy(harness, { policy_number: 'POL-2' });
    for (const names of [{ policy_number: 'POL-2' }, { policy_number: 'NO' }, { policy_id: derivedId('no') }]) {
      const refusal = await harness.expectRefusal(renewPolicy, renewal({ policy_number: 'POL-1', ...names }));
      expect(refusal.code).toBe('invalid_request');
      expect(invalidFields(refusal)).toEqual(['policy_id', 'policy_number']);
    }
  });
});

describe('An invalid body', () => {
  test('names every invalid field', async () => {
    const body = {
      preferred_policy_start_date: '2027-02-30',
      policy_duration: 366,
      include_additional_coverage: true,
      modify_exisitng_coverage: true,
      auto_renew: 'yes',
      unknown: 1,
    };
    expect(invalidFields(await harness.expectRefusal(renewPolicy, body)).sort()).toEqual([
      'auto_renew',
      'coverage_details',
      'modify_exisitng_coverage',
      'policy_duration',
      'policy_id',
      'preferred_policy_start_date',
      'unknown',
    ]);
  });

  test('rejects details that nest too deeply', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as object;
    const refusal = await harness.expectRefusal(renewPolicy, renewal({ coverage_details: deep }));
    expect(invalidFields(refusal)).toEqual(['coverage_details']);
  });
});
