import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPolicyWithHistory, post } from '../support/policy-with-history.ts';
import { importTerm, createMerchant, type MerchantFixture, termRow } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiService, startApiService } from '../support/api-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { applyChanges } from '../support/apply-changes.ts';
import { appendTo } from '../../src/event-store/event-store.ts';

let service: ApiService;
let acme: MerchantFixture;
let beta: MerchantFixture;
let auditorKey: string;

beforeAll(async () => {
  service = await startApiService();
  acme = await createMerchant(service, 'Acme');
  beta = await createMerchant(service, 'Beta');
  ({ api_key: auditorKey } = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' }));
});

afterAll(async () => {
  await service.stop();
});

const get = async (path: string, key = acme.live.key): Promise<ApiResponse> =>
  await service.send('GET', `/api/v1/${path}`, { key });

/** Reads a whole history and applies its changes. */
async function historyOf(path: string, key = acme.live.key) {
  const { json } = await get(`${path}/history?limit=100`, key);
  const entries: {
    readonly type: string;
    readonly stream: string;
    readonly resource?: string;
    readonly summary: string;
    readonly changes: { path: string; before?: unknown; after?: unknown }[];
  }[] = json.results;
  return {
    entries,
    document: applyChanges(
      undefined,
      entries.flatMap(({ changes }) => changes),
    ),
  };
}

describe('The history of a policy', () => {
  test('shows actor, time and changes of an import, a renewal and a cancellation', async () => {
    const { id } = await createPolicyWithHistory(service, acme.live, 'MOT-HISTORY', '2026-03-11');
    const response = await get(`policies/${id.toUpperCase()}/history/`);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/policies/:policy_id/history'));
    expect(Object.keys(response.json)).toEqual(['count', 'next', 'previous', 'results', 'limit', 'offset']);
    expect(response.json).toMatchObject({ count: 3, next: null, previous: null, limit: 25, offset: 0 });
    const [imported, renewed, cancelled] = response.json.results;
    expect(imported).toMatchObject({
      stream: `policy-${id}`,
      revision: 0,
      type: 'PolicyImported.v1',
      recorded_at: '2026-03-11T10:00:00.000Z',
      effective_at: '2026-01-01',
      actor: { role: 'admin', key_id: expect.any(String) },
      command: 'ImportPolicyTerm',
      summary:
        'Policy MOT-HISTORY of Holder of MOT-HISTORY was imported: Motor Basic of Imported Insurance, 2026-01-01 to 2026-12-31, for NGN 365.00.',
    });
    expect(imported.changes[0]).toEqual({ path: '/policy_id', after: id });
    expect(imported.changes).toContainEqual({ path: '/cancellation_date', after: null });
    const view = await get(`policies/${id}`);
    expect(imported.changes.map(({ path }: { path: string }) => path)).toEqual(
      Object.keys(view.json).map((field) => `/${field}`),
    );
    expect(renewed).toEqual({
      stream: `policy-${id}`,
      revision: 1,
      position: expect.stringMatching(/^\d+$/),
      event_id: expect.any(String),
      type: 'PolicyRenewed.v1',
      recorded_at: '2026-03-12T10:00:00.000Z',
      effective_at: '2027-01-01',
      actor: { role: 'merchant', key_id: expect.any(String) },
      command: 'RenewPolicy',
      command_id: expect.any(String),
      request_id: 'renewed-by-test',
      summary:
        'The policy was renewed for 30 days: 2027-01-01 to 2027-01-30, for 30.00; it does not renew automatically.',
      // The day of the renewal is in the first term, which the policy still shows.
      changes: [{ path: '/renewal_date', before: '2027-01-01T00:00:00.000Z', after: '2027-01-31T00:00:00.000Z' }],
    });
    expect(cancelled).toMatchObject({
      type: 'PolicyCancelled.v1',
      summary: 'The policy was cancelled by Acme; 323.00 is returned.',
    });
    expect(cancelled.changes).toContainEqual({ path: '/cancellation_reason', before: null, after: 'Sold the car' });
    expect(JSON.stringify((await historyOf(`policies/${id}`)).document)).toBe(view.text);
    const positions = response.json.results.map(({ position }: { position: string }) => Number(position));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  test('is paged like every list', async () => {
    const { id } = await createPolicyWithHistory(service, acme.live, 'MOT-PAGED', '2026-03-14');
    const path = `policies/${id}/history`;
    const page = await get(`${path}?limit=1&offset=1`);
    expect(page.json).toMatchObject({
      count: 3,
      next: `${service.url}/api/v1/${path}?limit=1&offset=2`,
      previous: `${service.url}/api/v1/${path}?limit=1&offset=0`,
      limit: 1,
      offset: 1,
    });
    expect(page.headers.get('link')).toContain('rel="next"');
    expect(page.json.results).toEqual([(await get(path)).json.results[1]]);
    expect((await get(`${path}?offset=3`)).json).toMatchObject({ count: 3, results: [], next: null, offset: 3 });
    const wrong = await get(`${path}?limit=0`);
    expect([wrong.status, wrong.json.errors]).toMatchObject([400, [{ field: 'limit' }]]);
  });
});

describe('The history of a claim', () => {
  test('shows documents by their SHA-256, by id and by reference', async () => {
    service.clock.now = '2026-03-20T08:00:00.000Z';
    const content = Buffer.from('a photo');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { json: claim } = await post(service, acme.live.key, 'claims', {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01', claim_amount: '70' },
      documents: [{ document_name: 'a.jpg', evidence_type: 'photo', blob: content.toString('base64') }],
    });
    await service.admin('ReviewClaim', { claim_id: claim.claim_id, note: 'seen' });
    await service.admin('SendClaimForApproval', { claim_id: claim.claim_id });
    await service.admin('ApproveClaim', { claim_id: claim.claim_id, approved_amount: '65' });
    const response = await get(`claims/${claim.claim_id}/history`);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/claims/:id/history'));
    const byReference = await get(`claims/${claim.claim_reference_number}/history`);
    expect(byReference.json.results).toEqual(response.json.results);
    expect(response.text).not.toContain(content.toString('base64'));
    const { entries, document } = await historyOf(`claims/${claim.claim_id}`);
    expect(entries.map(({ summary }) => summary)).toEqual([
      `Claim ${claim.claim_reference_number} was filed: Glass on 2026-03-01, claiming 70.00, with 1 document.`,
      'The review of the claim began.',
      'The claim was sent for approval.',
      'The claim was approved for 65.00.',
    ]);
    expect(entries[1]?.changes).toEqual([
      { path: '/claim_status_timeline/1', after: { time_stamp: '2026-03-20 08:00:00', name: 'under review' } },
      { path: '/notes', before: null, after: 'seen' },
    ]);
    const { documents, ...rest } = (await get(`claims/${claim.claim_id}`)).json;
    const [{ blob: _, ...servedDocument }] = documents;
    expect(document).toEqual({ ...rest, documents: [{ ...servedDocument, sha256 }] });
  });

  test('requires the platform to name the merchant when several use the reference', async () => {
    const path = `claims/${acme.live.claimReference}`;
    for (const part of ['/history', '?known_at=2026-03-10T09:30:00Z']) {
      const unclear = await get(`${path}${part}`, auditorKey);
      expect([unclear.status, unclear.json.code]).toEqual([409, 'reference_ambiguous']);
      const choice = `${part.includes('?') ? '&' : '?'}environment_id=${beta.test.environmentId}`;
      const clear = await get(`${path}${part}${choice}`, auditorKey);
      expect(clear.status).toBe(200);
      expect(clear.text).toContain(beta.test.claimId);
    }
  });
});

describe('The history of a customer', () => {
  test('has every event of the customer, its policies and its claims, each with the changes of its resource', async () => {
    service.clock.now = '2026-04-01T08:00:00.000Z';
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow('MOT-CUSTOMER'));
    const { customer_id } = (await get(`policies/${policy_id}`)).json.policy_holder;
    const claim_details = { claim_type: 'Glass', incident_date: '2026-03-01' };
    const { claim_id } = (await post(service, acme.live.key, 'claims', { policy_id, claim_details })).json;
    await service.admin('ReviewClaim', { claim_id });
    await service.admin('DenyClaim', { claim_id, reason: 'old damage' });
    await post(service, acme.live.key, 'policies/renew', {
      policy_id,
      preferred_policy_start_date: '2027-01-01',
      policy_duration: 30,
    });
    const response = await get(`customers/${customer_id}/history`);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/customers/:id/history'));
    const { entries } = await historyOf(`customers/${customer_id}`);
    const [customer, policy, claim] = [`customers/${customer_id}`, `policies/${policy_id}`, `claims/${claim_id}`];
    expect(entries.map(({ type, resource }) => [type, resource])).toEqual([
      ['CustomerRegistered.v1', customer],
      ['PolicyImported.v1', policy],
      ['ClaimSubmitted.v1', claim],
      ['ClaimReviewStarted.v1', claim],
      ['ClaimDenied.v1', claim],
      ['PolicyRenewed.v1', policy],
    ]);
    for (const path of [policy, claim]) {
      const own = await historyOf(path);
      const ofResource = entries.filter(({ resource }) => resource === path);
      expect(ofResource).toEqual(own.entries.map((entry) => ({ ...entry, resource: path })));
    }
    expect(response.text).not.toContain('active_policies');
    const { links: _, ...view } = (await get(customer)).json;
    const lists = /_(policies|claims)(_count)?$/;
    expect(entries[0]?.changes.map(({ path, after }) => [path, after])).toEqual(
      Object.entries(view).flatMap(([name, value]) => (lists.test(name) ? [] : [[`/${name}`, value]])),
    );
  });

  test('shows the later import of an earlier term without changes', async () => {
    service.clock.now = '2026-04-01T09:00:00.000Z';
    const number = 'MOT-EARLIER-TERM';
    const { policy_id } = await importTerm(service, acme.live.environmentId, termRow(number));
    const earlier = { term_from: '2025-01-01', term_through: '2025-12-31' };
    await importTerm(service, acme.live.environmentId, termRow(number, earlier));
    const { customer_id } = (await get(`policies/${policy_id}`)).json.policy_holder;
    const { entries } = await historyOf(`customers/${customer_id}`);
    expect(entries.map(({ type }) => type)).toEqual([
      'CustomerRegistered.v1',
      'PolicyImported.v1',
      'PolicyTermImported.v1',
    ]);
    expect(entries.at(-1)).toMatchObject({ resource: `policies/${policy_id}`, changes: [] });
  });
});

describe('The history of a merchant', () => {
  test('is visible in full to the merchant, administrators and auditors, and to no other merchant', async () => {
    service.clock.now = '2026-04-02T08:00:00.000Z';
    const code = beta.shortCode;
    await service.admin('UpdateMerchant', { short_code: code, support_email: 'help@beta.example', address: null });
    const response = await get(`merchants/${code}/history`, beta.test.key);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/merchants/:short_code/history'));
    const { entries, document } = await historyOf(`merchants/${code.toLowerCase()}`, beta.live.key);
    expect(entries[0]).toMatchObject({ summary: `Beta was registered as merchant ${code}.` });
    expect(entries).toContainEqual(
      expect.objectContaining({ type: 'MerchantVerificationRequested.v1', revision: 1, changes: [] }),
    );
    expect(entries.at(-1)).toMatchObject({
      summary: "The merchant's support e-mail and address changed.",
      changes: [
        { path: '/updated_at', before: '2026-03-10T09:30:00.000Z', after: '2026-04-02T08:00:00.000Z' },
        { path: '/support_email', before: null, after: 'help@beta.example' },
        { path: '/address', before: 'Street of Beta', after: null },
      ],
    });
    expect(document).toEqual((await get(`merchants/${code}`, beta.live.key)).json);
    for (const key of [ADMIN_KEY, auditorKey]) {
      expect((await get(`merchants/${code}/history`, key)).json.results).toEqual(response.json.results);
    }
    const foreign = await get(`merchants/${code}/history`, acme.live.key);
    const absent = await get('merchants/NON-0000/history', acme.live.key);
    expect({ ...foreign.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
    expect([absent.status, absent.json.code]).toEqual([404, 'merchant_not_found']);
  });
});

describe('A parked document', () => {
  /** Appends an event that this version cannot decode, as a later version may have written. */
  async function appendUndecodable(stream: string, tags: object): Promise<void> {
    const last = await service.eventStore.readLast(stream);
    const metadata = {
      recordedAt: service.clock.now,
      $correlationId: randomUUID(),
      $causationId: randomUUID(),
      actor: { role: 'system', keyId: null },
      ...tags,
      command: { name: 'Smuggle', id: randomUUID() },
    };
    const event = { id: randomUUID(), type: 'PolicyPromised.v9', data: { secret: 'of later' }, metadata };
    const { position } = await appendTo(service.eventStore, stream, last?.revision ?? 'no_stream', [event]);
    expect(await service.projector.waitFor(position, 5_000)).toBe(true);
  }

  test('with an event that cannot be decoded, the history is complete, and known_at works up to the event, with as_of too', async () => {
    const { id, bodies } = await createPolicyWithHistory(service, acme.live, 'MOT-PARKED', '2026-05-01');
    const { customer_id } = JSON.parse(bodies[0] ?? '').policy_holder;
    const servedDocument = (await historyOf(`policies/${id}`)).document;
    service.clock.now = '2026-05-05T00:00:00.000Z';
    await appendUndecodable(`policy-${id}`, { customer: customer_id });
    expect((await get(`policies/${id}`)).status).toBe(503);
    const response = await get(`policies/${id}/history`);
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/policies/:policy_id/history'));
    expect(response.json.count).toBe(4);
    expect(response.json.results[3]).toMatchObject({
      type: 'PolicyPromised.v9',
      recorded_at: '2026-05-05T00:00:00.000Z',
      effective_at: null,
      actor: { role: 'system', key_id: null },
      command: 'Smuggle',
      summary: expect.stringContaining('is parked here'),
      changes: [],
    });
    expect(response.text).not.toContain('of later');
    expect((await historyOf(`policies/${id}`)).document).toEqual(servedDocument);
    expect((await get(`policies/${id}?known_at=2026-05-04T00:00:00Z`)).text).toBe(bodies[2]);
    const stopped = await get(`policies/${id}?known_at=2026-05-05T00:00:00Z`);
    expect([stopped.status, stopped.json.code]).toEqual([503, 'document_parked']);
    // Nothing is known of the business day of the event.
    const asOf = await get(`policies/${id}?as_of=2026-01-01`);
    expect([asOf.status, asOf.json.code]).toEqual([503, 'document_parked']);
    expect((await get(`policies/${id}?as_of=2026-05-03&known_at=2026-05-04T00:00:00Z`)).text).toBe(bodies[2]);
    await appendUndecodable(`policy-${id}`, { customer: customer_id });
    const [, , , stop, after] = (await get(`policies/${id}/history`)).json.results;
    expect(stop).toEqual(response.json.results[3]);
    expect(after).toMatchObject({
      revision: 4,
      summary: expect.stringContaining('does not show this one'),
      changes: [],
    });
    const ofCustomer = await get(`customers/${customer_id}/history`);
    expect(ofCustomer.json.results.at(-1)).toMatchObject({ type: 'PolicyPromised.v9', changes: [] });
  });

  test('when the first event cannot be decoded, the platform gets document_parked', async () => {
    const id = randomUUID();
    await appendUndecodable(`policy-${id}`, {});
    const response = await get(`policies/${id}/history`, auditorKey);
    expect([response.status, response.json.code]).toEqual([503, 'document_parked']);
    expect((await get(`policies/${id}/history`)).status).toBe(404);
  });
});
