import { describe, expect, test } from '@jest/globals';
import { createMerchant } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { BODY_ENCODINGS, encodeBody, encodeMultipart } from '../support/encode-body.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CLAIMS = '/api/v1/claims';

const service = await startSuiteService();
const acme = await createMerchant(service, 'Acme');

const post = async (
  path: string,
  sent: Awaited<ReturnType<typeof encodeBody>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> =>
  await service.send('POST', path, { key: acme.live.key, ...sent, headers: { ...sent.headers, ...headers } });

const fieldsOf = (response: ApiResponse): string[] => response.json.errors.map((one: { field: string }) => one.field);

/** Builds a multipart body from lines. */
const multipartBody = (...lines: readonly string[]): Awaited<ReturnType<typeof encodeBody>> => ({
  raw: `${lines.join('\r\n')}\r\n`,
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
});

const claim = (incidentDate: string) => ({
  policy_id: acme.live.policyId,
  claim_details: { claim_type: 'Collision', incident_date: incidentDate, claim_amount: '10.00' },
  claimant_metadata: { first_name: 'Ada', last_name: 'Obi', birth_date: '1990-01-01', email: 'ada@obi.example' },
});

describe('The three body encodings', () => {
  test.each(BODY_ENCODINGS)('reads numbers, booleans and null in %s as the types of the schema', async (kind) => {
    const sent = await encodeBody({ short_code: acme.shortCode, environment_name: kind, test_mode: false }, kind);
    const environment = await service.send('POST', '/api/v1/admin/commands/CreateEnvironment', {
      key: ADMIN_KEY,
      ...sent,
    });
    expect([environment.status, environment.json.code]).toEqual([201, undefined]);
    const key = await encodeBody({ environment_id: environment.json.result.environment_id, label: 'forms' }, kind);
    const issued = await service.send('POST', '/api/v1/admin/commands/IssueApiKey', { key: ADMIN_KEY, ...key });
    expect([issued.status, issued.json.code]).toEqual([201, undefined]);
  });

  test('repeats the response when the same content comes in another encoding with the same key', async () => {
    const key = { 'Idempotency-Key': 'one claim, three ways' };
    const first = await post(CLAIMS, await encodeBody(claim('2026-02-04'), 'json'), key);
    const before = (await service.log()).length;
    for (const kind of BODY_ENCODINGS) {
      const again = await post(CLAIMS, await encodeBody(claim('2026-02-04'), kind), key);
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', first.text]);
    }
    expect((await post(CLAIMS, await encodeBody(claim('2026-02-05'), 'form'), key)).status).toBe(422);
    expect(await service.log()).toHaveLength(before);
  });

  test.each(BODY_ENCODINGS)('reports invalid fields in %s by their dotted paths', async (kind) => {
    const body = {
      claim_details: { claim_type: '', incident_date: 'soon', colour: 'red' },
      documents: [{ blob: '?' }],
    };
    const response = await post(CLAIMS, await encodeBody(body, kind));
    expect([response.status, response.json.code]).toEqual([400, 'invalid_request']);
    expect(fieldsOf(response).toSorted()).toEqual([
      'claim_details.claim_type',
      'claim_details.colour',
      'claim_details.incident_date',
      'documents.0.blob',
      'documents.0.document_name',
      'documents.0.evidence_type',
      'policy_id',
    ]);
  });

  test('accepts a file as the content of a document', async () => {
    const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);
    const data = new FormData();
    data.append('policy_id', acme.live.policyId);
    data.append('claim_details[claim_type]', 'Collision');
    data.append('claim_details[incident_date]', '2026-02-06');
    data.append('documents[0][document_name]', 'Report');
    data.append('documents[0][evidence_type]', 'pdf');
    data.append('documents[0][blob]', new Blob([bytes]), '../../etc/report.pdf');
    const response = await post(`${CLAIMS}?include_blobs=true`, await encodeMultipart(data));
    expect([response.status, response.json.documents[0].blob]).toEqual([201, bytes.toString('base64')]);
    expect(response.text).not.toContain('etc/report');
  });

  test('rejects a file in a text field', async () => {
    const data = new FormData();
    data.append('name', new Blob(['Acme']), 'name.txt');
    data.append('support_email', 'a@b.example');
    data.append('support_phone', '1');
    const response = await post('/api/v1/onboarding/providers/registration', await encodeMultipart(data));
    expect([response.status, fieldsOf(response)]).toEqual([400, ['name']]);
  });
});

describe('JSON in the fields of a form', () => {
  const part = (disposition: string, type: string, content: string): readonly string[] => [
    '--b',
    `Content-Disposition: form-data; ${disposition}`,
    `Content-Type: ${type}`,
    '',
    content,
  ];
  const jsonPart = (name: string, value: unknown): readonly string[] =>
    part(`name="${name}"`, 'application/json', typeof value === 'string' ? value : JSON.stringify(value));
  const details = { claim_type: 'Collision', incident_date: '2026-02-08', claim_amount: '10.00' };
  const policy = (): readonly string[] => part('name="policy_id"', 'text/plain', acme.live.policyId);

  test('objects and lists as JSON parts or JSON texts are the same request as JSON', async () => {
    const key = { 'Idempotency-Key': 'a claim in JSON parts' };
    const documents = [{ document_name: 'Report', evidence_type: 'text', blob: 'YWJj' }];
    const body = { policy_id: acme.live.policyId, claim_details: details, documents };
    const first = await post(CLAIMS, await encodeBody(body, 'json'), key);
    const partsBody = multipartBody(
      ...policy(),
      ...jsonPart('claim_details', details),
      ...part('name="documents"', 'Application/JSON; charset=utf-8', JSON.stringify(documents)),
      '--b--',
    );
    // As FormData sends a Blob: with a file name.
    const data = new FormData();
    data.append('policy_id', acme.live.policyId);
    data.append('claim_details', new Blob([JSON.stringify(details)], { type: 'application/json' }));
    data.append('documents', JSON.stringify(documents));
    const texts = new URLSearchParams({
      policy_id: acme.live.policyId,
      claim_details: JSON.stringify(details),
      documents: ` ${JSON.stringify(documents, null, 2)}`,
    });
    for (const sent of [partsBody, await encodeMultipart(data), { raw: texts.toString(), headers: FORM }]) {
      const again = await post(CLAIMS, sent, key);
      expect([again.status, again.headers.get('idempotent-replayed'), again.text]).toEqual([201, 'true', first.text]);
    }
  });

  test('stores a JSON file as the content of a document', async () => {
    const data = new FormData();
    data.append('policy_id', acme.live.policyId);
    data.append('claim_details', new Blob([JSON.stringify(details)], { type: 'application/json' }));
    data.append('documents[0][document_name]', 'Sensor');
    data.append('documents[0][evidence_type]', 'json');
    data.append('documents[0][blob]', new Blob(['{"g": 9}'], { type: 'application/json' }), 'sensor.json');
    const response = await post(`${CLAIMS}?include_blobs=true`, await encodeMultipart(data));
    expect([response.status, response.json.documents[0].blob]).toEqual([
      201,
      Buffer.from('{"g": 9}').toString('base64'),
    ]);
  });

  test('reads a JSON part as text where the schema allows no object', async () => {
    const cancel = multipartBody(
      ...policy(),
      ...jsonPart('cancellation_reason', '"sold the car"'),
      ...jsonPart('alternative_offerings', '{"a":1}'),
      '--b--',
    );
    const key = { 'Idempotency-Key': 'a reason in JSON' };
    expect((await post('/api/v1/policies/cancel', cancel, key)).json.data.cancellation_reason).toBe('"sold the car"');
    const same = {
      cancellation_reason: '"sold the car"',
      alternative_offerings: { a: 1 },
      policy_id: acme.live.policyId,
    };
    const again = await post('/api/v1/policies/cancel', await encodeBody(same, 'json'), key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test.each([
    ['JSON that is malformed', jsonPart('claim_details', '{"claim_type":'), 'claim_details', /JSON/],
    ['brackets in its name', jsonPart('documents[0]', '{}'), 'documents[0]', /brackets/],
    ['NUL in a text', jsonPart('policy_number', '"a\0"'), 'policy_number', /NUL/],
    ['a dangerous name', jsonPart('claim_details', '{"__proto__":{}}'), 'claim_details.__proto__', /can be used/],
    ['NUL', jsonPart('claim_details', '{"claim_type":"a\\u0000"}'), 'claim_details.claim_type', /NUL/],
    ['a member twice', jsonPart('claim_details', '{"a":1,"\\u0061":2}'), 'claim_details.a', /must be given once/],
    ['a wrong member', jsonPart('claim_details', { ...details, claim_type: '' }), 'claim_details.claim_type', /./],
  ])('reports the field of %s', async (_what, lines, field, message) => {
    const response = await post(CLAIMS, multipartBody(...policy(), ...lines, '--b--'));
    expect([response.status, response.json.code]).toEqual([400, 'invalid_request']);
    expect(response.json.errors).toContainEqual({ field, message: expect.stringMatching(message) });
  });

  test('rejects a field that occurs twice, or as JSON and by its members', async () => {
    const twice = multipartBody(...jsonPart('claim_details', details), ...jsonPart('claim_details', details), '--b--');
    const mixed = multipartBody(
      ...jsonPart('claim_details', details),
      ...part('name="claim_details[claim_type]"', 'text/plain', 'Fire'),
      '--b--',
    );
    for (const sent of [twice, mixed]) {
      const response = await post(CLAIMS, sent);
      expect([response.status, fieldsOf(response)]).toEqual([400, ['claim_details']]);
    }
  });

  test.each([
    [
      'JSON that curl sends as a form',
      FORM,
      '{"claim_id": "1", "a=b": 1}',
      'The body looks like JSON; send Content-Type: application/json',
    ],
    [
      'a trailing comma',
      { 'Content-Type': 'application/json' },
      '{"a": 1,}',
      'The body is not JSON in UTF-8: error at position 8',
    ],
    ['an end that is missing', { 'Content-Type': 'application/json' }, '{"a": ', 'The body is not JSON in UTF-8'],
    [
      'bytes that are not UTF-8',
      { 'Content-Type': 'application/json' },
      Buffer.from([0xff]),
      'The body is not JSON in UTF-8',
    ],
  ])('says how to correct %s', async (_what, headers, raw, detail) => {
    const response = await post(CLAIMS, { raw, headers });
    expect(response.json).toMatchObject({ status: 400, code: 'malformed_body', detail });
  });

  test('says that an amount is a text or a number', async () => {
    const { claim_details, ...rest } = claim('2026-02-03');
    const body = { ...rest, claim_details: { ...claim_details, claim_amount: true } };
    const response = await service.send('POST', CLAIMS, { key: acme.live.key, body });
    const message =
      'must be an amount with at most 8 integer and 2 decimal digits, as a decimal string such as "1250.00" or a number';
    expect(response.json.errors).toEqual([{ field: 'claim_details.claim_amount', message }]);
  });

  test('answers 400 malformed_body when the parts together exceed the structural characters of one JSON body', async () => {
    const list = `[${'0,'.repeat(60_000)}0]`;
    const response = await post(
      CLAIMS,
      multipartBody(...jsonPart('claim_details', list), ...jsonPart('documents', list), '--b--'),
    );
    expect([response.status, response.json.code]).toEqual([400, 'malformed_body']);
    expect(response.json.detail).toContain('more than 100,000 structural characters');
  });
});

describe('Unreadable bodies', () => {
  test.each([
    ['empty lists', '{"documents":[', '[],', '[]]}', 'more than 100,000 structural characters'],
    ['zeros', '{"documents":[', '0,', '0]}', 'more than 100,000 structural characters'],
    ['lists inside each other', '{"documents":', '[', '', 'deeper than 64 levels'],
  ])('refuses 10 MB of %s with 400 malformed_body that names the limit', async (_what, head, one, tail, limit) => {
    const raw = `${head}${one.repeat(Math.floor(10_000_000 / one.length))}${tail}`;
    const response = await post(CLAIMS, { raw, headers: { 'Content-Type': 'application/json' } });
    expect([response.status, response.json.code]).toEqual([400, 'malformed_body']);
    expect(response.json.detail).toContain(limit);
  });

  const wide = (members: number): object =>
    Object.fromEntries(Array.from({ length: members }, (_, index) => [`m${index}`, index]));
  const DECLINED = [400, 'malformed_body'];
  const send = async (path: string, key: string, request: object) => {
    const { status, json } = await service.send('POST', `/api/v1/${path}`, { key, ...request });
    return [status, json.code];
  };

  test('refuses more than 10,000 members before it checks any, also where members are free', async () => {
    const { key } = acme.live;
    const renew = (members: number): object => ({ body: { coverage_details: wide(members - 1) } });
    expect(await send('policies/renew', key, renew(10_000))).toEqual([400, 'invalid_request']);
    expect(await send('policies/renew', key, renew(10_001))).toEqual(DECLINED);
    expect(await send('policies/x/changes', key, { body: wide(33_000) })).toEqual(DECLINED);
    const form = new URLSearchParams({ coverage_details: JSON.stringify(wide(10_000)) }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await send('policies/renew', key, { raw: form, headers })).toEqual(DECLINED);
    const data = new FormData();
    data.append('coverage_details', new Blob([JSON.stringify(wide(10_000))], { type: 'application/json' }), 'c.json');
    expect(await send('policies/renew', key, await encodeMultipart(data))).toEqual(DECLINED);
    for (const command of ['ApproveClaim', 'VerifyMerchant'])
      expect(await send(`admin/commands/${command}`, ADMIN_KEY, { body: wide(10_001) })).toEqual(DECLINED);
  });

  test('checks more members of imports and of documents, and names 50 of them', async () => {
    const body = { body: wide(40_000) };
    expect(await send('admin/commands/ImportPolicyTerm', ADMIN_KEY, body)).toEqual([400, 'invalid_request']);
    expect(await send('admin/commands/ImportClaim', ADMIN_KEY, body)).toEqual([400, 'invalid_request']);
    for (const documents of [[wide(40_000)], Array.from({ length: 33_000 }, () => ({}))]) {
      const response = await service.send('POST', `${CLAIMS}/${acme.live.claimId}/documents`, {
        key: acme.live.key,
        body: { documents },
      });
      expect([response.status, response.json.code]).toEqual([400, 'invalid_request']);
      expect(response.json.errors.length).toBeLessThanOrEqual(50);
    }
  });

  test('accepts a multipart claim of 9 MiB and refuses one above 10 MiB with 413', async () => {
    const withFile = async (bytes: number) => {
      const data = new FormData();
      data.append('policy_id', acme.live.policyId);
      data.append('claim_details[claim_type]', 'Fire');
      data.append('claim_details[incident_date]', '2026-02-07');
      data.append('documents[0][document_name]', 'Film');
      data.append('documents[0][evidence_type]', 'mp4');
      data.append('documents[0][blob]', new Blob([new Uint8Array(bytes)]), 'film.mp4');
      return (await post(CLAIMS, await encodeMultipart(data))).status;
    };
    expect(await withFile(9 * 1024 * 1024)).toBe(201);
    expect(await withFile(10 * 1024 * 1024)).toBe(413);
  });
});

describe('An invalid query with an invalid body', () => {
  test('reports all errors in one 400', async () => {
    const response = await service.send('POST', '/api/v1/policies/cancel?colour=red&policy_id=x', {
      key: acme.live.key,
      body: { merchant_feedback: 1 },
    });
    expect([response.status, fieldsOf(response).toSorted()]).toEqual([
      400,
      ['cancellation_reason', 'colour', 'merchant_feedback', 'policy_id'],
    ]);
  });

  test('reports all errors of an admin command in one 400', async () => {
    const response = await service.send('POST', '/api/v1/admin/commands/RegisterMerchant?colour=red', {
      key: ADMIN_KEY,
      body: { name: 'x' },
    });
    expect([response.status, fieldsOf(response).toSorted()]).toEqual([400, ['business_email', 'colour']]);
  });
});
