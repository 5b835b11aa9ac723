import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { reservationStream } from '#event-sourcing/identifiers.ts';
import { merchantScope } from '#domain/reservations.ts';
import { givenMerchants, importPolicy, OTHER_MERCHANT } from '#test/support/imports.ts';
import { CommandHarness, invalidFields, LIVE, TEST } from '#test/support/command-harness.ts';
import { cancelPolicy } from '../policy/cancel-policy.ts';
import { importClaim } from './import-claim.ts';
import { claimReference, submitClaim } from './submit-claim.ts';

let harness: CommandHarness;
let policyId: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  ({ policyId } = await importPolicy(harness, { customer_phone: '+234 1' }));
});

const submission = (changes: object = {}, details: object = {}) => ({
  policy_id: policyId,
  claim_details: { claim_type: 'theft', incident_date: '2026-02-01', ...details },
  ...changes,
});
const document = (content: string, changes: object = {}) => ({
  document_name: 'report.pdf',
  evidence_type: 'PDF',
  blob: Buffer.from(content).toString('base64'),
  ...changes,
});
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

describe('A claim under a policy that covers the incident', () => {
  test('records the whole submission', async () => {
    const details = { incident_description: 'at night', claim_amount: '12.5', coverage_name: 'FIRE' };
    const claimant_metadata = {
      first_name: 'Ngozi',
      last_name: 'Obi',
      birth_date: '1999-01-01',
      email: 'ngozi@customers.example',
    };
    const { events } = await harness.run(submitClaim, submission({ claimant_metadata }, details));
    expect(events[0]?.data).toMatchObject({
      effectiveAt: '2026-03-01',
      policyNumber: 'POL-1',
      currency: 'EUR',
      coverage: { name: 'fire', limit: null, deductible: null },
      details: { claimType: 'theft', incidentDate: '2026-02-01', incidentDescription: 'at night', amount: '12.50' },
      claimantMetadata: claimant_metadata,
      documents: [],
    });
    expect(events[0]?.metadata).toMatchObject({ merchant: LIVE.merchantId, testMode: false, policy: policyId });
  });

  test('stores the contents of documents outside the event', async () => {
    const blob = Buffer.from('a very secret report').toString('base64');
    const { events } = await harness.run(submitClaim, submission({ documents: [document('', { blob })] }));
    const sha256 = hashOf('a very secret report');
    expect(events[0]!.data).toMatchObject({
      documents: [{ bytes: 20, sha256, contentType: 'application/octet-stream' }],
    });
    const kept = await harness.records.getBlobRow(sha256, 0);
    expect(Buffer.from(kept!).toString()).toBe('a very secret report');
    expect(
      JSON.stringify(await harness.log(), (_, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain(blob);
    const scope = merchantScope(LIVE);
    const [reserved] = await harness.events(reservationStream('claimReference', scope, 'CLAIM-ACM-0001-20260301-0001'));
    expect(reserved?.data).toMatchObject({
      input: { documents: [{ document_name: 'report.pdf', evidence_type: 'PDF', bytes: 20, sha256 }] },
    });
  });

  test('has the data of the holder as recorded with the policy', async () => {
    const second = await importPolicy(harness, {
      policy_number: 'POL-2',
      customer_name: 'Ada Eze',
      customer_phone: '',
    });
    const { result } = await harness.run(submitClaim, submission({ policy_id: second.policyId }));
    expect(result.claimant).toMatchObject({ customer_name: 'Ada Eze', customer_phone: null });
  });

  test('counts references per merchant, mode and day', async () => {
    const references: unknown[] = [];
    const file = async (sent = {}, id = policyId) => {
      const { result } = await harness.run(submitClaim, submission({ policy_id: id }), sent);
      references.push(result.claim_reference_number);
    };
    await file();
    await file();
    const { policyId: tested } = await importPolicy(harness, {}, { environment: TEST });
    await file({ environment: TEST }, tested);
    const { policyId: others } = await importPolicy(harness, {}, { environment: OTHER_MERCHANT });
    await file({ environment: OTHER_MERCHANT }, others);
    harness.now = '2026-03-02T00:00:00.000Z';
    await file();
    expect(references).toEqual([
      'CLAIM-ACM-0001-20260301-0001',
      'CLAIM-ACM-0001-20260301-0002',
      'TCLAIM-ACM-0001-20260301-0001',
      'CLAIM-ACM-0002-20260301-0001',
      'CLAIM-ACM-0001-20260302-0001',
    ]);
  });

  test('skips the reference of an imported claim, and so does a retry', async () => {
    const row = {
      claim_reference_number: 'claim-acm-0001-20260301-0001',
      policy_number: 'POL-1',
      claim_type: 'tpl',
      incident_date: '2026-01-05',
      filed_on: '2026-01-06',
      claim_amount: '1',
      claim_status: 'paid',
    };
    await harness.run(importClaim, row);
    harness.eventStore.beforeAppend = (stream) => {
      if (stream.startsWith('claim-')) throw new Error('killed');
    };
    await expect(harness.run(submitClaim, submission(), { key: 'k' })).rejects.toThrow('killed');
    harness.eventStore.beforeAppend = () => {};
    const { result } = await harness.run(submitClaim, submission(), { key: 'k' });
    expect(result.claim_reference_number).toBe('CLAIM-ACM-0001-20260301-0002');
    const next = await harness.run(submitClaim, submission());
    expect(next.result.claim_reference_number).toBe('CLAIM-ACM-0001-20260301-0003');
  });

  test.each(['2026-01-01', '2026-03-01'])('is accepted for an incident on %s', async (incident_date) => {
    await harness.run(submitClaim, submission({}, { incident_date }));
  });

  test('is rejected for an incident before the first term and writes nothing', async () => {
    const before = await harness.log();
    const body = submission({ documents: [document('x')] }, { incident_date: '2025-12-31' });
    const refusal = await harness.expectRefusal(submitClaim, body);
    expect(refusal).toMatchObject({ code: 'incident_not_covered' });
    expect(refusal.detail).toBe(
      'claim_details.incident_date: an incident on 2025-12-31 is not covered; the policy covers 2026-01-01 through 2026-12-31',
    );
    expect(invalidFields(refusal)).toEqual(['claim_details.incident_date']);
    expect(await harness.log()).toEqual(before);
    expect(await harness.records.getBlobRow(hashOf('x'), 0)).toBeUndefined();
  });

  test('is rejected for an incident in the future', async () => {
    const refusal = await harness.expectRefusal(submitClaim, submission({}, { incident_date: '2026-03-02' }));
    expect(refusal.code).toBe('incident_not_covered');
    expect(invalidFields(refusal)).toEqual(['claim_details.incident_date']);
  });

  test('is under the only coverage of the day, else under the named one, else under none as yet', async () => {
    const coverage = async (policy_id: string, details: object = {}) => {
      const { result } = await harness.run(submitClaim, submission({ policy_id }, details));
      return (result.claim_details as { coverage_name: unknown }).coverage_name;
    };
    const two = await importPolicy(harness, { policy_number: 'POL-2', coverages: 'Fire;Theft' });
    const one = await importPolicy(harness, { policy_number: 'POL-3', coverages: 'Fire' });
    expect(await coverage(one.policyId)).toBe('Fire');
    expect(await coverage(two.policyId)).toBeNull();
    expect(await coverage(two.policyId, { coverage_name: ' theft ' })).toBe('Theft');
    const body = submission({ policy_id: one.policyId }, { coverage_name: 'Theft' });
    expect(invalidFields(await harness.expectRefusal(submitClaim, body))).toEqual(['claim_details.coverage_name']);
  });

  test('is accepted for incidents up to the day of the cancellation', async () => {
    await harness.run(cancelPolicy, { policy_id: policyId, cancellation_reason: 'sold' });
    harness.now = '2026-03-03T00:00:00.000Z';
    await harness.run(submitClaim, submission({}, { incident_date: '2026-03-01' }));
    const refusal = await harness.expectRefusal(submitClaim, submission({}, { incident_date: '2026-03-02' }));
    expect(refusal.code).toBe('incident_not_covered');
  });
});

describe('An invalid submission', () => {
  test('names every invalid field', async () => {
    const body = {
      claim_details: { claim_type: '', incident_date: 'yesterday', claim_amount: '-1', witness: 'me' },
      claimant_metadata: { first_name: 'Ada', email: 'ada' },
      documents: [document('x', { evidence_type: 'p'.repeat(256) }), document('', { blob: 'no base64!' })],
    };
    expect(invalidFields(await harness.expectRefusal(submitClaim, body)).sort()).toEqual([
      'claim_details.claim_amount',
      'claim_details.claim_type',
      'claim_details.incident_date',
      'claim_details.witness',
      'claimant_metadata.birth_date',
      'claimant_metadata.email',
      'documents.0.evidence_type',
      'documents.1.blob',
      'policy_id',
    ]);
  });

  test.each(['YQ', 'YR==', 'Y Q=', 'YQ==\n', '===='])('rejects %p as base64', async (blob) => {
    const refusal = await harness.expectRefusal(submitClaim, submission({ documents: [document('', { blob })] }));
    expect(invalidFields(refusal)).toEqual(['documents.0.blob']);
  });

  test('rejects documents of more than 10 MiB in all', async () => {
    const half = document('x'.repeat(5 * 1024 * 1024));
    await harness.run(submitClaim, submission({ documents: [half, half] }));
    const refusal = await harness.expectRefusal(submitClaim, submission({ documents: [half, half, document('x')] }));
    expect(invalidFields(refusal)).toEqual(['documents']);
  });
});

describe('The reference after 9,999 claims of a day', () => {
  test('has five digits', () => {
    const policy = { contract: { merchantShortCode: 'ACM-0001' }, testMode: false };
    expect(claimReference(policy, '2026-03-01', 10_000)).toBe('CLAIM-ACM-0001-20260301-10000');
  });
});
