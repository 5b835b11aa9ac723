import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { claim, claimStream } from '#domain/claim/claim.ts';
import { stateOf } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { claimResourceOf } from '#projections/resources.ts';
import { givenMerchants, importPolicy } from '#test/support/imports.ts';
import { CommandHarness, invalidFields, LIVE, MERCHANT } from '#test/support/command-harness.ts';
import { addClaimDocuments } from './add-claim-documents.ts';
import { denyClaim, withdrawClaim } from './claim-moves.ts';
import { submitClaim } from './submit-claim.ts';

let harness: CommandHarness;
let claimId: string;

beforeEach(async () => {
  harness = new CommandHarness();
  await givenMerchants(harness);
  const { policyId } = await importPolicy(harness);
  const claim_details = { claim_type: 'theft', incident_date: '2026-02-01' };
  const body = { policy_id: policyId, claim_details, documents: [document('first')] };
  claimId = (await harness.run(submitClaim, body)).result.claim_id as string;
});

const document = (content: string) => ({
  document_name: `${content.slice(0, 9)}.pdf`,
  evidence_type: 'PDF',
  blob: Buffer.from(content).toString('base64'),
});
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
const add = async (documents: object[], sent = {}) =>
  await harness.run(addClaimDocuments, { claim_id: claimId, documents }, sent);
const refusalOf = async (documents: object[], sent = {}) =>
  await harness.expectRefusal(addClaimDocuments, { claim_id: claimId, documents }, sent);
const resource = async () =>
  claimResourceOf(stateOf(claim, (await harness.events(claimStream(claimId))) as RecordedEvent<ClaimEvent>[]));

describe('Documents that are added to a claim', () => {
  test('follow those of the filing', async () => {
    harness.now = '2026-03-02T11:00:00.000Z';
    const { events, result, created } = await add([document('second')], { environment: LIVE, actor: MERCHANT });
    expect(created).toBe(true);
    expect(result).toEqual({ claim_status: 'pending' });
    expect(events[0]).toMatchObject({ type: 'ClaimDocumentsAdded', data: { effectiveAt: '2026-03-02', claimId } });
    const { documents, claim_status_timeline } = await resource();
    expect(documents.map(({ document_name, sha256 }) => [document_name, sha256])).toEqual([
      ['first.pdf', hashOf('first')],
      ['second.pdf', hashOf('second')],
    ]);
    expect(documents[1]?.uploaded_at).toBe('2026-03-02T11:00:00.000Z');
    expect(claim_status_timeline).toHaveLength(1);
    expect(await harness.records.getBlobRow(hashOf('second'), 0)).toEqual(new Uint8Array(Buffer.from('second')));
    expect(JSON.stringify(events[0]?.data)).not.toContain(Buffer.from('second').toString('base64'));
  });

  test('are taken after a denial', async () => {
    await harness.run(denyClaim, { claim_id: claimId, reason: 'no cover' });
    await add([document('second')]);
    expect((await resource()).documents).toHaveLength(2);
  });

  test('are rejected when the claim is withdrawn, and nothing is stored', async () => {
    await harness.run(withdrawClaim, { claim_id: claimId, reason: 'filed twice' });
    const before = await harness.log();
    expect((await refusalOf([document('second')], { key: 'k' })).code).toBe('claim_withdrawn');
    expect(await harness.log()).toEqual(before);
    expect(await harness.records.getBlobRow(hashOf('second'), 0)).toBeUndefined();
  });

  test('are at most 100 of a claim, concurrent requests included', async () => {
    await add(Array.from({ length: 90 }, (_, index) => document(String(index))));
    const refusal = await refusalOf(Array.from({ length: 10 }, () => document('more')));
    expect(refusal.code).toBe('invalid_request');
    expect(invalidFields(refusal)).toEqual(['documents']);
    expect(await harness.records.getBlobRow(hashOf('more'), 0)).toBeUndefined();
    const nine = Array.from({ length: 9 }, () => document('x'));
    const responses = await Promise.allSettled([add(nine), add(nine)]);
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await resource()).documents).toHaveLength(100);
  });

  test.each([
    ['%PDF-1.7', 'application/pdf'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]), 'image/png'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
    ['%PDF', 'application/octet-stream'],
    ['<html>', 'application/octet-stream'],
  ])('have type and size by their content: %p', async (content, content_type) => {
    const bytes = Buffer.from(content);
    await add([{ document_name: 'x.pdf', evidence_type: null, blob: bytes.toString('base64') }]);
    const added = { document_name: 'x.pdf', evidence_type: null, content_type, size: bytes.length };
    expect((await resource()).documents[1]).toMatchObject(added);
  });

  test('have at most 10 MiB a request and 50 MiB a claim', async () => {
    const MIB = 1024 * 1024;
    expect(invalidFields(await refusalOf([document('x'.repeat(10 * MIB + 1))]))).toEqual(['documents']);
    for (let index = 0; index < 4; index++) await add([document(String(index).repeat(10 * MIB))]);
    // The claim has 40 MiB and 5 bytes.
    const refusal = await refusalOf([document('y'.repeat(10 * MIB - 4))]);
    expect(refusal.code).toBe('invalid_request');
    expect(invalidFields(refusal)).toEqual(['documents']);
    await add([document('y'.repeat(10 * MIB - 5))]);
    expect(invalidFields(await refusalOf([document('z')]))).toEqual(['documents']);
  });

  test.each([
    [[], ['documents']],
    [[{ document_name: '', evidence_type: 'PDF', blob: '?' }], ['documents.0.blob', 'documents.0.document_name']],
    [[{ ...document('x'), size: 1 }], ['documents.0.size']],
  ])('are rejected when they are invalid: %j', async (documents, fields) => {
    expect(invalidFields(await refusalOf(documents)).sort()).toEqual(fields);
  });
});
