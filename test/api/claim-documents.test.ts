import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type ApiRequest, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { expectDocumentedBody, getRoute } from '../support/documented-body.ts';
import { createMerchant } from '../support/merchant-fixture.ts';

let claimId: string;
let reference: string;
/** Reads of contents from records. */
let reads = 0;
/** Contents whose first row records have lost, or with a flipped bit. */
const [lost, flipped] = [new Set<string>(), new Set<string>()];

const service = await startSuiteService();
const { getBlobRow, putBlob } = service.records;
Object.assign(service.records, {
  putBlob: async (bytes: Uint8Array) => {
    const sha256 = await putBlob(bytes);
    for (const damaged of [lost, flipped]) damaged.delete(sha256);
    return sha256;
  },
  getBlobRow: async (sha256: string, row: number) => {
    reads += 1;
    const bytes = lost.has(sha256) ? undefined : await getBlobRow(sha256, row);
    return flipped.has(sha256) ? bytes?.with(-1, (bytes.at(-1) ?? 0) ^ 1) : bytes;
  },
});
const acme = await createMerchant(service, 'Acme');

beforeEach(async () => {
  const filed = await service.send('POST', '/api/v1/claims', {
    key: acme.live.key,
    body: {
      policy_id: acme.live.policyId,
      claim_details: { claim_type: 'Glass', incident_date: '2026-03-01' },
      documents: [document('first')],
    },
  });
  claimId = filed.json.claim_id;
  reference = filed.json.claim_reference_number;
});

const document = (content: string) => ({
  document_name: 'a file',
  evidence_type: 'file',
  blob: Buffer.from(content).toString('base64'),
});
const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
const outcome = ({ status, json }: ApiResponse) => [status, json?.code];

async function add(request: Partial<ApiRequest> = {}, id = claimId): Promise<ApiResponse> {
  const defaults = { key: acme.live.key, body: { documents: [document('second')] } };
  return await service.send('POST', `/api/v1/claims/${id}/documents/?include_blobs=true`, { ...defaults, ...request });
}
async function get(path = '', key = acme.live.key, headers = {}): Promise<ApiResponse> {
  return await service.send('GET', `/api/v1/claims/${claimId}${path}`, { key, headers });
}

describe('Adding documents', () => {
  test.each(['id', 'reference'])('by %s answers 201 with the claim, its contents included', async (by) => {
    const response = await add({}, by === 'id' ? claimId : reference);
    expect(response.status).toBe(201);
    expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/claims/:id/documents'));
    expect(response.json.documents).toEqual(
      ['first', 'second'].map((content) => ({
        ...document(content),
        content_type: 'application/octet-stream',
        size: content.length,
        sha256: hashOf(content),
        uploaded_at: '2026-03-10T09:30:00.000Z',
      })),
    );
    expect((await get()).json).toEqual(response.json);
  });

  test('is answered without contents unless they are asked for, and a key counts either way', async () => {
    const path = `/api/v1/claims/${claimId}/notes`;
    const send = async (search: string): Promise<ApiResponse> =>
      await service.send('POST', `${path}${search}`, {
        key: acme.live.key,
        body: { text: 'called' },
        headers: { 'Idempotency-Key': `note-${claimId}` },
      });
    const [without, with_, again] = [
      await send(''),
      await send('?include_blobs=true'),
      await send('?include_blobs=false'),
    ];
    expect(without.json.documents[0]).not.toHaveProperty('blob');
    expect(with_.json.documents[0].blob).toBe(document('first').blob);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([without.text, 'true']);
  });

  test('takes each file `documents` of a form as a document without an evidence type', async () => {
    const form = new FormData();
    form.append('documents', new Blob(['second'], { type: 'text/plain' }), '../Bericht Müller.txt');
    form.append('documents', new Blob(['{"speed": 50}'], { type: 'application/json' }), 'sensor.json');
    const post = async (headers: Record<string, string>) =>
      await fetch(`${service.url}/api/v1/claims/${claimId}/documents`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.live.key, ...headers },
        body: form,
      });
    const key = { 'Idempotency-Key': `files-${claimId}` };
    const response = await post(key);
    expect(response.status).toBe(201);
    const [, ...added] = (await get()).json.documents;
    expect(added).toEqual(
      [['Bericht Müller.txt', 'second'] as const, ['sensor.json', '{"speed": 50}'] as const].map(
        ([document_name, content]) => ({
          document_name,
          evidence_type: null,
          content_type: 'application/octet-stream',
          size: content.length,
          sha256: hashOf(content),
          blob: Buffer.from(content).toString('base64'),
          uploaded_at: '2026-03-10T09:30:00.000Z',
        }),
      ),
    );
    const json = {
      documents: added.map(({ document_name, blob }: (typeof added)[0]) => ({
        document_name,
        evidence_type: null,
        blob,
      })),
    };
    const again = await add({ headers: key, body: json });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    form.append('documents', new Blob(['third']), ' ');
    const refused = await post({});
    const { errors } = (await refused.json()) as { readonly errors: readonly { readonly field: string }[] };
    expect([refused.status, errors.map(({ field }) => field)]).toEqual([400, ['documents.2.document_name']]);
  });

  test('keeps the name of a file without folders and marks of direction, the same from JSON and from a form', async () => {
    const names = [
      ['/home/ada/bill.pdf', 'bill.pdf'],
      ['C:\\scans\\bill.pdf', 'bill.pdf'],
      ['\u202Efdp.exe', 'fdp.exe'],
      ['bill\u200E \u2066of\u2069 \u200Fmay.pdf', 'bill of may.pdf'],
      ['..', undefined],
      ['a/..', undefined],
      ['a/', undefined],
      ['\u202E', undefined],
    ] as const;
    for (const [given, kept] of names) {
      const form = new FormData();
      form.append('documents', new Blob(['x']), given);
      const init = { method: 'POST', headers: { 'X-API-Key': acme.live.key }, body: form };
      const ofForm = await fetch(`${service.url}/api/v1/claims/${claimId}/documents`, init);
      const ofJson = await add({ body: { documents: [{ ...document(given), document_name: given }] } });
      const status = kept === undefined ? 400 : 201;
      expect([given, ofForm.status, ofJson.status]).toEqual([given, status, status]);
      if (given.endsWith('..'))
        expect(ofJson.json.errors).toEqual([
          { field: 'documents.0.document_name', message: 'must not be one of: ., ..' },
        ]);
      if (kept === undefined) continue;
      const added = (await get()).json.documents.slice(-2);
      expect(added.map(({ document_name }: { document_name: string }) => document_name)).toEqual([kept, kept]);
      const { headers } = await get(`/documents/${hashOf('x')}`);
      expect(headers.get('content-disposition')).not.toMatch(/[^\x20-\x7e]|%E2%80/);
    }
  });

  test('takes a claim as the page of the reference sends its form: objects as JSON texts, with files or an empty field', async () => {
    const details = { claim_type: 'Collision', incident_date: '2026-02-06' };
    for (const files of [['photo.jpg'], []]) {
      const form = new FormData();
      form.append('policy_id', acme.live.policyId);
      form.append('claim_details', JSON.stringify(details));
      if (files.length === 0) form.append('documents', '');
      for (const name of files) form.append('documents', new Blob([name], { type: 'image/jpeg' }), name);
      const request = { method: 'POST', headers: { 'X-API-Key': acme.live.key }, body: form };
      const response = await fetch(`${service.url}/api/v1/claims`, request);
      const { documents } = (await response.json()) as {
        readonly documents: readonly { readonly document_name: string }[];
      };
      expect([response.status, documents.map(({ document_name }) => document_name)]).toEqual([201, files]);
    }
  });

  test('takes files beside documents with fields, and ignores a file input without a file', async () => {
    const form = new FormData();
    form.append('documents', new Blob(['second']), 'second.txt');
    form.append('documents', new Blob([]), '');
    form.append('documents[0][document_name]', 'a file');
    form.append('documents[0][evidence_type]', 'photo');
    form.append('documents[0][blob]', new Blob(['third']), 'third.txt');
    const response = await fetch(`${service.url}/api/v1/claims/${claimId}/documents`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.live.key },
      body: form,
    });
    expect(response.status).toBe(201);
    const added = (await get()).json.documents.slice(1);
    const namesAndHashes = added.map(({ document_name, sha256 }: Readonly<Record<string, string>>) => [
      document_name,
      sha256,
    ]);
    expect(namesAndHashes).toEqual([
      ['a file', hashOf('third')],
      ['second.txt', hashOf('second')],
    ]);
  });

  test('is possible after the denial, and refused once the claim is withdrawn', async () => {
    await service.admin('DenyClaim', { claim_id: claimId, reason: 'no cover' });
    expect((await add()).status).toBe(201);
    await service.admin('ReopenClaim', { claim_id: claimId, reason: 'a new paper' });
    await service.admin('WithdrawClaim', { claim_id: claimId, reason: 'found' });
    expect(outcome(await add())).toEqual([409, 'claim_withdrawn']);
  });
});

describe('The single view of a claim', () => {
  test('reads no content for a 304, for HEAD, or for a list', async () => {
    const { headers } = await get();
    const before = reads;
    const unchanged = await get('', acme.live.key, { 'If-None-Match': headers.get('etag') ?? '' });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    const head = await service.send('HEAD', `/api/v1/claims/${claimId}`, { key: acme.live.key });
    expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')]);
    const list = await service.send('GET', `/api/v1/customers/${acme.live.customerId}/claims`, { key: acme.live.key });
    expect(list.text).not.toContain('blob');
    expect(reads).toBe(before);
  });
});

describe('A damaged content', () => {
  afterEach(() => {
    lost.clear();
    flipped.clear();
  });

  test.each([
    ['lost', lost],
    ['with a flipped bit', flipped],
  ])('%s is 500 in every response that has it, and never sent', async (_name, damaged) => {
    await add();
    damaged.add(hashOf('second'));
    expect(outcome(await get())).toEqual([500, 'document_damaged']);
    expect(outcome(await get(`/documents/${hashOf('second')}`))).toEqual([500, 'document_damaged']);
    expect(service.logged.filter((line) => line.includes('A request failed'))).not.toEqual([]);
    expect((await get(`/documents/${hashOf('first')}`)).text).toBe('first');
  });

  test('is null in the response of a command, which is executed once and whose key still answers', async () => {
    await service.admin('ReviewClaim', { claim_id: claimId });
    await service.admin('SendClaimForApproval', { claim_id: claimId });
    await service.admin('ApproveClaim', { claim_id: claimId, approved_amount: '10.00' });
    await service.admin('SendClaimOffer', { claim_id: claimId, offer_amount: '10.00' });
    await add();
    lost.add(hashOf('second'));
    const path = `/api/v1/claims/${claimId}/offer/accept?include_blobs=true`;
    const request = { key: acme.live.key, body: {}, headers: { 'Idempotency-Key': `accept-${claimId}` } };
    const [response, again] = [await service.send('POST', path, request), await service.send('POST', path, request)];
    expect([response.status, again.status, again.text]).toEqual([200, 200, response.text]);
    expectDocumentedBody(response, getRoute(service, 'POST', '/api/v1/claims/:id/offer/accept'));
    expect(response.headers.get('surety-position')).toMatch(/^\d+$/);
    const contents = response.json.documents.map(({ blob }: { readonly blob: string | null }) => blob);
    expect(contents).toEqual([document('first').blob, null]);
  });

  test('is repaired by adding it again, beside another damaged one', async () => {
    await add();
    for (const content of ['first', 'second']) lost.add(hashOf(content));
    expect((await add()).json.documents.map(({ blob }: { readonly blob: string | null }) => blob)).toEqual([
      null,
      document('second').blob,
      document('second').blob,
    ]);
  });
});

describe('Downloading a document', () => {
  test('sends the bytes as an attachment', async () => {
    const response = await get(`/documents/${hashOf('first')}`);
    expect([response.status, response.text]).toEqual([200, 'first']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="a file"',
      'content-length': '5',
      'x-content-type-options': 'nosniff',
      etag: `"${hashOf('first')}"`,
    });
  });

  test('sends any bytes unchanged, also to the platform', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    await add({ body: { documents: [{ ...document(''), blob: bytes.toString('base64') }] } });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const response = await fetch(`${service.url}/api/v1/claims/${claimId}/documents/${sha256}`, {
      headers: { 'X-API-Key': ADMIN_KEY },
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test('reads nothing for a 304', async () => {
    const before = reads;
    const response = await get(`/documents/${hashOf('first')}`, acme.live.key, {
      'If-None-Match': `"${hashOf('first')}"`,
    });
    expect([response.status, response.text, reads]).toEqual([304, '', before]);
  });

  test.each([hashOf('first').toUpperCase(), hashOf('a'), 'x', '..%2f..%2fetc%2fpasswd'])(
    'that the claim does not have is 404 (%s)',
    async (sha256) => {
      // Every claim of the fixtures has the document `a`.
      expect(outcome(await get(`/documents/${sha256}`))).toEqual([404, 'document_not_found']);
    },
  );
});
