import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ZodObject } from 'zod';
import { COMMANDS } from '#commands/registry.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { problemOf, openShop } from '../support/bought-policies.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { exampleBody, type ExampleIds } from '../support/example-bodies.ts';
import { createMerchant } from '../support/merchant-fixture.ts';

type Json = ApiResponse['json'];

const shop = await openShop();
const { service, acme } = shop;
shop.setDay('2026-03-11');
const beta = await createMerchant(service, 'Beta');
shop.setDay('2026-03-20');
const policy = await shop.buy(await shop.offer());
const details = { claim_type: 'Glass', incident_date: '2026-03-20', claim_amount: '900.00', coverage_name: 'Theft' };
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const files = [
  { document_name: 'bill "No. 1" – März.pdf', evidence_type: 'invoice', blob: base64('%PDF-1.7 …') },
  { document_name: 'car.png', evidence_type: null, blob: PNG.toString('base64') },
  { document_name: 'page.html', evidence_type: 'letter', blob: base64('<script>alert(1)</script>') },
];
const filed = await shop.post('claims', { policy_id: policy.policy_id, claim_details: details, documents: files });
const { claim_id: claimId, documents } = filed.json;

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('The list of claims', () => {
  const list = async (search = '', key = ADMIN_KEY): Promise<ApiResponse> => await shop.get(`claims?${search}`, key);
  const idsOf = async (search: string, key = ADMIN_KEY): Promise<readonly string[]> =>
    (await list(search, key)).json.results.map(({ claim_id }: Json) => claim_id);

  test('has for the platform the claims of all merchants by the day of filing, without documents', async () => {
    const response = await list();
    expectDocumentedBody(response, getRoute(service, 'GET', '/api/v1/claims'));
    const all = [acme.live.claimId, beta.live.claimId, claimId];
    expect(await idsOf('')).toEqual(all);
    expect(await idsOf('order=newest')).toEqual(all.toReversed());
    expect(response.json.results[0]).not.toHaveProperty('documents');
    expect(await idsOf('test_mode=true')).toEqual([acme.test.claimId, beta.test.claimId]);
  });

  test('has for a merchant its own claims of its mode', async () => {
    expect(await idsOf('', acme.live.key)).toEqual([acme.live.claimId, claimId]);
    expect(await idsOf(`short_code=${acme.shortCode}`, acme.live.key)).toEqual([acme.live.claimId, claimId]);
    expect(await idsOf('', beta.test.key)).toEqual([beta.test.claimId]);
    expect(problemOf(await list(`short_code=${beta.shortCode}`, acme.live.key))).toEqual([404, 'merchant_not_found']);
    const handler = `assignee=${claimId}`;
    expect(problemOf(await list(handler, acme.live.key))).toEqual([400, 'invalid_request', 'assignee']);
  });

  test.each(['', 'order=newest&'])('goes on from page to page (%s)', async (order) => {
    const ids: string[] = [];
    for (let url = `/api/v1/claims?${order}limit=2`; ids.length < 9; ) {
      const { json } = await service.send('GET', url, { key: ADMIN_KEY });
      ids.push(...json.results.map(({ claim_id }: Json) => claim_id));
      if (json.next === null) break;
      url = json.next.slice(json.next.indexOf('/api/'));
    }
    expect(ids).toEqual(await idsOf(order));
  });

  test('keeps the place of a claim that moves during the walk', async () => {
    const first = await list('limit=2');
    await shop.admin('ReviewClaim', { claim_id: acme.live.claimId });
    await shop.admin('ReviewClaim', { claim_id: claimId });
    const { search } = new URL(first.json.next);
    expect((await list(search.slice(1))).json.results.map(({ claim_id }: Json) => claim_id)).toEqual([claimId]);
  });

  test('takes filters', async () => {
    expect(await idsOf('older_than=2026-03-20')).toEqual([acme.live.claimId, beta.live.claimId]);
    expect(await idsOf('older_than=2026-03-11')).toEqual([acme.live.claimId]);
    expect(await idsOf('older_than=2026-03-10')).toEqual([]);
    expect(await idsOf(`provider_id=${shop.providerId}`)).toEqual([claimId]);
    expect(await idsOf(`short_code=${acme.shortCode}&provider_id=${shop.providerId}`)).toEqual([claimId]);
    expect(await idsOf(`short_code=${beta.shortCode}`)).toEqual([beta.live.claimId]);
    await shop.admin('DenyClaim', { claim_id: beta.live.claimId, reason: 'No cover' });
    expect(await idsOf('claim_status=denied')).toEqual([beta.live.claimId]);
    expect(await idsOf('claim_status=open')).toEqual([acme.live.claimId, claimId]);
    await shop.admin('ReopenClaim', { claim_id: beta.live.claimId, reason: 'Covered' });
    expect(await idsOf('claim_status=open')).toEqual([acme.live.claimId, beta.live.claimId, claimId]);
    expect(await idsOf('claim_status=open&order=newest')).toEqual([claimId, beta.live.claimId, acme.live.claimId]);
    expect(await idsOf('claim_status=denied')).toEqual([]);
    const reviewed = [acme.live.claimId, beta.live.claimId, claimId];
    expect(await idsOf('stage=under%20review')).toEqual(reviewed);
    expect(await idsOf('stage=under%20review&claim_status=pending')).toEqual(reviewed);
    expect(await idsOf('stage=submitted')).toEqual([]);
    expect(await idsOf('stage=under%20review&claim_status=paid')).toEqual([]);
  });

  test('has the claims of an assignee', async () => {
    const { key_id: id } = await service.admin('IssueApiKey', { role: 'claims', label: 'desk' });
    await shop.admin('AssignClaim', { claim_id: claimId, assignee: id });
    expect(await idsOf(`assignee=${id}`)).toEqual([claimId]);
    expect(await idsOf(`assignee=${id}&test_mode=true`)).toEqual([]);
    expect(await idsOf(`assignee=${id}&short_code=${beta.shortCode}`)).toEqual([]);
    const person = { name: 'Ada', email: 'ada@surety.example', role: 'claims' };
    const { person_id: personId } = await service.admin('AddPerson', person);
    await shop.admin('AssignClaim', { claim_id: claimId, assignee: personId });
    expect(await idsOf(`assignee=${id}`)).toEqual([]);
    expect(await idsOf(`assignee=${String(personId).toUpperCase()}`)).toEqual([claimId]);
    await shop.admin('AssignClaim', { claim_id: claimId, assignee: null });
    expect(await idsOf(`assignee=${personId}`)).toEqual([]);
  });

  test.each([
    'claim_status=closed',
    'stage=closed',
    'order=random',
    'older_than=yesterday',
    'provider_id=Leadway',
    'after=x',
    'limit=0',
  ])('rejects %s and names the parameter', async (search) => {
    expect(problemOf(await list(search))).toEqual([400, 'invalid_request', search.split('=')[0]]);
  });
});

describe('Allowed moves', () => {
  const moves = async (id: string, key?: string): Promise<readonly Json[]> =>
    (await shop.get(`claims/${id}`, key)).json.allowed_moves;

  test('are sent by a merchant to their paths, and by others as commands', async () => {
    const { claim_id: id } = (await shop.post('claims', { policy_id: policy.policy_id, claim_details: details })).json;
    for (const command of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'SendClaimOffer']) {
      expect(await moves(id, ADMIN_KEY)).toContainEqual({ command, public_path: null, fields: [] });
      expect((await shop.admin(command, { claim_id: id })).status).toBe(200);
    }
    const values: Json = { reason: 'Too low', text: 'Called', documents: files };
    const tried = (await moves(id)).toReversed();
    expect(tried.map(({ command }) => command)).toEqual([
      'AddClaimNote',
      'AddClaimDocuments',
      'WithdrawClaim',
      'RejectClaimOffer',
      'AcceptClaimOffer',
    ]);
    for (const { public_path, fields } of tried.filter(({ command }) => command !== 'WithdrawClaim')) {
      const body = Object.fromEntries(fields.map((field: string) => [field, values[field]]));
      const { status, json } = await shop.post(public_path.slice('/api/v1/'.length), body);
      expect([public_path, status]).toEqual([
        public_path,
        fields[0] === 'documents' || fields[0] === 'text' ? 201 : 200,
      ]);
      expect(json.allowed_moves).toEqual(await moves(id));
      if (public_path.endsWith('/reject/')) await shop.admin('SendClaimOffer', { claim_id: id });
    }
  });

  test('are all that each role may send', async () => {
    const { claim_id: id } = (await shop.post('claims', { policy_id: policy.policy_id, claim_details: details })).json;
    const keyOf = async (role: object) =>
      String((await service.admin('IssueApiKey', { label: 'walk', ...role })).api_key);
    const keys = [
      ADMIN_KEY,
      await keyOf({ role: 'claims' }),
      await keyOf({ role: 'insurer', provider_id: shop.providerId }),
      await keyOf({ role: 'auditor' }),
      acme.live.key,
    ];
    const values: Json = { claimId: id, paymentId: randomUUID(), keyId: 'none', incidentDay: '2026-03-20' };
    const ofClaims = COMMANDS.filter(({ input }) => Object.hasOwn((input as ZodObject).shape, 'claim_id'));
    const before = (await service.log()).length;
    for (const key of keys) {
      const allowed = new Set((await moves(id, key)).map(({ command }) => command));
      expect(allowed.size > 0).toBe(key !== keys[3]);
      for (const { name } of ofClaims.filter((one) => key === acme.live.key || !allowed.has(one.name))) {
        const body = exampleBody(name, values as ExampleIds);
        const { status } = await service.send('POST', `/api/v1/admin/commands/${name}`, { key, body });
        // ReversePayment names a payment that the claim does not have.
        const expected = [acme.live.key, keys[3]].includes(key) ? 403 : name === 'ReversePayment' ? 400 : 409;
        expect([name, status]).toEqual([name, expected]);
      }
    }
    expect((await service.log()).length).toBe(before);
  });

  test('are none for a key that only reads, and change the entity tag', async () => {
    const key = async (access: string) =>
      String((await service.admin('IssueApiKey', { role: 'claims', label: access, access })).api_key);
    const [reads, works] = [await key('read'), await key('full')];
    expect(await moves(claimId, reads)).toEqual([]);
    expect(await moves(claimId, works)).not.toEqual([]);
    const tag = async (by: string) => (await shop.get(`claims/${claimId}`, by)).headers.get('etag');
    expect(await tag(reads)).not.toBe(await tag(works));
  });
});

describe('Documents', () => {
  test('show their type by the first bytes, and their size', () => {
    expect(documents.map(({ content_type, size }: Json) => [content_type, size])).toEqual([
      ['application/pdf', Buffer.byteLength('%PDF-1.7 …')],
      ['image/png', 9],
      ['application/octet-stream', 25],
    ]);
  });

  test('are downloaded under their name, as an attachment of their type', async () => {
    const headers = await Promise.all(
      documents.map(async ({ sha256 }: Json) => (await shop.get(`claims/${claimId}/documents/${sha256}`)).headers),
    );
    const shown = headers.map((each) => [
      each.get('content-type'),
      each.get('content-disposition'),
      each.get('x-content-type-options'),
    ]);
    const encoded = "filename*=UTF-8''bill%20%22No.%201%22%20%E2%80%93%20M%C3%A4rz.pdf";
    expect(shown).toEqual([
      ['application/pdf', expect.stringMatching(/^attachment; filename="/), 'nosniff'],
      ['image/png', 'attachment; filename=car.png', 'nosniff'],
      ['application/octet-stream', 'attachment; filename=page.html', 'nosniff'],
    ]);
    expect(shown[0]?.[1]).toContain(encoded);
  });

  test('are shown without contents with include_blobs=false', async () => {
    const without = await shop.get(`claims/${claimId}?include_blobs=false`);
    expectDocumentedBody(without, getRoute(service, 'GET', '/api/v1/claims/:id'));
    const whole = (await shop.get(`claims/${claimId}?include_blobs=true`)).json;
    expect(whole).toEqual((await shop.get(`claims/${claimId}`)).json);
    const { documents: shown, ...claim } = whole;
    expect(without.json).toEqual({ ...claim, documents: shown.map(({ blob: _, ...entry }: Json) => entry) });
    expect(problemOf(await shop.get(`claims/${claimId}?include_blobs=no`))).toEqual([
      400,
      'invalid_request',
      'include_blobs',
    ]);
  });

  test('are left out of the view of a day too', async () => {
    const { json } = await shop.get(`claims/${claimId}?include_blobs=false&as_of=2026-03-20`);
    expect(json.documents[0]).not.toHaveProperty('blob');
    expect(json.documents[0].sha256).toBe(documents[0].sha256);
  });
});
