import { beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';

type Json = ApiResponse['json'];

const shop = await openShop();
const { service, acme } = shop;
const START = '2026-03-10';
shop.setDay(START);
const motor = await shop.offer({
  coverages: [
    { coverage_name: 'Own damage', coverage_type: 'Collision', coverage_limit: '100000.00', deductible: '500.00' },
    { coverage_name: 'Theft', coverage_type: 'Property', coverage_limit: '100000.00' },
  ],
});
const oneCoverage = await shop.offer({ coverages: [{ coverage_name: 'Fire', coverage_limit: '5000.00' }] });
const policies = { motor: await shop.buy(motor), fire: await shop.buy(oneCoverage) };

beforeEach(() => shop.setDay('2026-03-20'));

const collision = { claim_type: 'Collision', incident_date: '2026-03-15', claim_amount: '900.00' };
const claimant_metadata = {
  first_name: 'Ben',
  last_name: 'Obi',
  birth_date: '1990-05-17',
  email: 'ben@obi.example',
  phone_number: '+234 1 001',
  relationship: 'son',
};

async function file(details: object = {}, policy: Json = policies.motor, more: object = {}): Promise<ApiResponse> {
  const claim_details = { ...collision, ...details };
  return await shop.post('claims', { policy_id: policy.policy_id, claim_details, ...more });
}
const view = async (claimId: string): Promise<Json> => (await shop.get(`claims/${claimId}`)).json;
const move = async (command: string, claim_id: string, body: object = {}): Promise<ApiResponse> =>
  await shop.admin(command, { claim_id, ...body });
const withdraw = async (claimId: string, body: object = { reason: 'Repaired by the garage' }): Promise<ApiResponse> =>
  await shop.post(`claims/${claimId}/withdraw`, body);

describe('A filed claim', () => {
  test('shows all that was filed', async () => {
    const filed = await file({ incident_description: 'Hit from behind', coverage_name: 'own DAMAGE' }, policies.motor, {
      claimant_metadata,
    });
    expect(filed.status).toBe(201);
    expectDocumentedBody(filed, getRoute(service, 'POST', '/api/v1/claims'));
    expect(filed.json).toMatchObject({
      claim_details: { ...collision, incident_description: 'Hit from behind', coverage_name: 'Own damage' },
      claimant: { customer_name: 'Ada Obi' },
      claimant_metadata,
      currency: 'NGN',
      policy_number: policies.motor.policy_number,
      settlement: { limit: '100000.00', deductible: '500.00', approved_amount: null, outstanding: null },
      payments: [],
      note_entries: [],
      date_resolved: null,
      notes: null,
      merchant_short_code: acme.shortCode,
      test_mode: false,
      time_zone: 'UTC',
      timeline_utc: [{ at: '2026-03-20T10:00:00.000Z', name: 'submitted' }],
    });
    expect(await view(filed.json.claim_id)).toEqual(filed.json);
  });

  test('is under the only coverage of the day, else under the named one, else under none yet', async () => {
    const coverageOf = async (policy: Json, details: object = {}): Promise<unknown> =>
      (await file(details, policy)).json.claim_details.coverage_name;
    expect(await coverageOf(policies.fire)).toBe('Fire');
    expect(await coverageOf(policies.motor, { coverage_name: 'Theft' })).toBe('Theft');
    expect(await coverageOf(policies.motor)).toBeNull();
  });

  test('has a reference that contains the merchant, and in test mode another prefix', async () => {
    const { claim_reference_number: reference } = (await file()).json;
    expect(reference).toMatch(new RegExp(`^CLAIM-${acme.shortCode}-20260320-\\d{4}$`));
    const inTest = await shop.post(
      'claims',
      { policy_number: acme.test.policyNumber, claim_details: { ...collision, incident_date: '2026-02-01' } },
      { key: acme.test.key },
    );
    expect(inTest.json.claim_reference_number).toBe(`TCLAIM-${acme.shortCode}-20260320-0001`);
  });

  test.each([
    [{ coverage_name: 'Flood' }, 'claim_details.coverage_name', 'invalid_request'],
    [{ incident_date: '2026-03-21' }, 'claim_details.incident_date', 'incident_not_covered'],
    [{ incident_date: '2026-03-09' }, 'claim_details.incident_date', 'incident_not_covered'],
    [{ incident_time: '10:00' }, 'claim_details.incident_time', 'invalid_request'],
  ])('is refused with %j, naming %s', async (details, field, code) => {
    expect(problemOf(await file(details))).toEqual([400, code, field]);
  });

  test('is refused with an evidence type of 256 characters, naming it', async () => {
    const documents = [{ document_name: 'a', evidence_type: 'x'.repeat(256), blob: 'YQ==' }];
    expect(problemOf(await file({}, policies.motor, { documents }))).toEqual([
      400,
      'invalid_request',
      'documents.0.evidence_type',
    ]);
  });
});

describe('A revision', () => {
  test('replaces what was filed, and leaves a claim under review where it is', async () => {
    const { claim_id } = (await file({ incident_description: 'Hit from behind' })).json;
    await move('ReviewClaim', claim_id);
    const changes = { incident_date: '2026-03-16', claim_amount: 950, coverage_name: 'theft', reason: 'A mistake' };
    expect((await move('ReviseClaim', claim_id, changes)).json.result).toEqual({ claim_status: 'pending' });
    const claim = await view(claim_id);
    expect(claim).toMatchObject({
      claim_amount: '950.00',
      claim_status: 'pending',
      notes: 'A mistake',
      claim_details: { incident_date: '2026-03-16', incident_description: 'Hit from behind', coverage_name: 'Theft' },
      settlement: { limit: '100000.00', deductible: null },
    });
    expect(claim.timeline_utc.map(({ name }: Json) => name)).toEqual(['submitted', 'under review']);
  });

  test('of an approved claim voids the approval and the offer', async () => {
    const { claim_id } = (await file({ coverage_name: 'Theft' })).json;
    for (const command of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'SendClaimOffer'])
      await move(command, claim_id);
    await move('ReviseClaim', claim_id, { claim_amount: '1000.00', reason: 'The invoice is higher' });
    const { claim_status, settlement, timeline_utc } = await view(claim_id);
    expect([claim_status, settlement.approved_amount, settlement.offer_amount]).toEqual(['pending', null, null]);
    expect(timeline_utc.at(-1).name).toBe('under review');
  });

  test.each([
    [{ coverage_name: 'Flood' }, 'invalid_request', 'coverage_name'],
    [{ incident_date: '2026-03-21' }, 'incident_not_covered', 'incident_date'],
    [{ incident_date: '2026-03-01' }, 'incident_not_covered', 'incident_date'],
    [{ claim_amount: '-1.00' }, 'invalid_request', 'claim_amount'],
  ])('to %j is refused', async (changes, code, field) => {
    const { claim_id } = (await file()).json;
    expect(problemOf(await move('ReviseClaim', claim_id, { ...changes, reason: 'x' }))).toEqual([400, code, field]);
  });

  test('needs a reason and a change, and an open claim', async () => {
    const { claim_id } = (await file()).json;
    expect(problemOf(await move('ReviseClaim', claim_id, { claim_amount: '1.00' }))).toContain('reason');
    expect((await move('ReviseClaim', claim_id, { reason: 'x' })).status).toBe(400);
    await withdraw(claim_id);
    expect(problemOf(await move('ReviseClaim', claim_id, { claim_amount: '1.00', reason: 'x' }))).toEqual([
      409,
      'claim_move_not_allowed',
    ]);
  });
});

describe('A withdrawal', () => {
  test('by the merchant ends the claim, by id or reference; the platform reopens it', async () => {
    const filed = (await file()).json;
    const response = await withdraw(filed.claim_reference_number);
    expect(response.status).toBe(200);
    expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/claims/:id/withdraw'));
    expect(response.json).toMatchObject({
      claim_status: 'withdrawn',
      date_resolved: '2026-03-20',
      notes: 'Repaired by the garage',
      settlement: { outstanding: '0.00' },
    });
    const again = await withdraw(filed.claim_id);
    expect(problemOf(again)).toEqual([409, 'claim_move_not_allowed']);
    expect(again.json.allowed).toEqual(['ReopenClaim']);
    expect((await move('ReopenClaim', filed.claim_id, { reason: 'Not repaired' })).json.result).toEqual({
      claim_status: 'pending',
    });
    expect(await view(filed.claim_id)).toMatchObject({
      claim_status: 'pending',
      date_resolved: null,
      notes: 'Repaired by the garage\nNot repaired',
      timeline_utc: [{ name: 'submitted' }, { name: 'withdrawn' }, { name: 'reopened' }],
    });
  });

  test('needs a reason', async () => {
    const { claim_id } = (await file()).json;
    expect(problemOf(await withdraw(claim_id, {}))).toEqual([400, 'invalid_request', 'reason']);
    expect(problemOf(await withdraw(claim_id, { reason: '' }))).toEqual([400, 'invalid_request', 'reason']);
  });

  test('is refused to a platform key and to an auditor', async () => {
    const { claim_id } = (await file()).json;
    const byPlatform = await shop.post(`claims/${claim_id}/withdraw`, { reason: 'x' }, { key: ADMIN_KEY });
    expect(problemOf(byPlatform)).toEqual([403, 'merchant_key_required']);
  });
});

describe('Notes', () => {
  test('of the merchant and the platform have an author; a reason is none', async () => {
    const { claim_id, claim_reference_number: reference } = (await file()).json;
    const added = await shop.post(`claims/${reference}/notes`, { text: 'The invoice comes on Monday' });
    expect(added.status).toBe(201);
    expectDocumentedBody(added, getRoute(service, 'POST', '/api/v1/claims/:id/notes'));
    const { api_key: key } = await service.admin('IssueApiKey', { role: 'admin', label: 'claims desk' });
    shop.setDay('2026-03-21');
    await shop.post('admin/commands/AddClaimNote', { claim_id, text: 'Called the garage' }, { key });
    await move('ReviewClaim', claim_id, { note: 'Complete' });
    const { note_entries, notes } = await view(claim_id);
    expect(note_entries).toEqual([
      { at: '2026-03-20T10:00:00.000Z', by: 'till', text: 'The invoice comes on Monday' },
      { at: '2026-03-21T10:00:00.000Z', by: 'admin', text: 'Called the garage' },
    ]);
    expect(notes).toBe('The invoice comes on Monday\nCalled the garage\nComplete');
  });

  test.each([
    [{ text: 'x'.repeat(2001) }, 'text'],
    [{ text: 'x', by: 'me' }, 'by'],
  ])('cannot be %j', async (body, field) => {
    const { claim_id } = (await file()).json;
    expect(problemOf(await shop.post(`claims/${claim_id}/notes`, body))).toEqual([400, 'invalid_request', field]);
  });
});
