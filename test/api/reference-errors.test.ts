import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '../../src/domain/refusals.ts';
import { makeMerchant } from '../support/api-scene.ts';
import {
  ADMIN_KEY,
  type ApiAnswer,
  type ApiRequest,
  type ApiService,
  startApiService,
} from '../support/api-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import { type Operation, tellStory, type Told } from '../support/reference-story.ts';

let service: ApiService;
let reference: ReferenceDocument;
let told: readonly Told[];
let keys: { readonly merchant: string; readonly admin: string; readonly auditor: string };

beforeAll(async () => {
  service = await startApiService();
  reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
  const story = await tellStory(service);
  told = [...story.told.values()];
  const environment_id = story.told.get('admin/CreateEnvironment')?.answer.json.result.environment_id;
  const merchant = await service.admin('IssueApiKey', { environment_id });
  const auditor = await service.admin('IssueApiKey', { role: 'auditor' });
  keys = { merchant: merchant.api_key, admin: ADMIN_KEY, auditor: auditor.api_key };
});

afterAll(async () => {
  await service.stop();
});

const isOpen = ({ route }: Operation): boolean => route.roles === 'anyone';
const isPost = ({ route }: Operation): boolean => route.method === 'POST';

/** A role that may. */
function keyFor({ route }: Operation): { readonly key?: string } {
  if (route.roles === 'anyone') return {};
  return { key: route.roles.includes('merchant') ? keys.merchant : keys.admin };
}

/** The path of the example, with other values where they are given. */
function pathOf({ operation, request }: Told, other?: string): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(other ?? String(request.path?.[name])),
  );
}

async function ask({ operation }: Told, path: string, request: ApiRequest): Promise<ApiAnswer> {
  return await service.send(operation.route.method, path, request);
}

/** The answer is a problem of this code, as the document tells of this operation. */
function expectProblem({ operation }: Told, answer: ApiAnswer, code: RefusalCode): void {
  const { key, path, route } = operation;
  expect([key, answer.status, answer.json?.code]).toEqual([key, answer.status, code]);
  const place = reference.responsePath(path, route.method.toLowerCase(), answer.status);
  expect([key, code, place === undefined ? 'not documented' : '']).toEqual([key, code, '']);
  const schema = [...(place ?? []), 'content', 'application/problem+json', 'schema'];
  expect([key, code, reference.errors(answer.json, ...schema)]).toEqual([key, code, []]);
  expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
}

describe('the claims of several merchants', () => {
  test('given a reference that two of them use, then every operation that names the claim by it answers as documented', async () => {
    const [one, other] = [await makeMerchant(service, 'Acme'), await makeMerchant(service, 'Beta')];
    expect(one.live.claimReference).toBe(other.live.claimReference);
    const byReference = told.filter(({ operation: { path } }) => path.startsWith('/api/v1/claims/{id}'));
    expect(byReference.map(({ operation: { key } }) => key)).toEqual(['GetClaim', 'GetClaimHistory']);
    for (const claim of byReference) {
      const answer = await ask(claim, pathOf(claim, one.live.claimReference), { key: keys.auditor });
      expectProblem(claim, answer, 'reference_ambiguous');
    }
  });
});

describe('the verification page', () => {
  test('given a wrong token, then the answer is a page, as documented', async () => {
    const page = told.find(({ operation: { key } }) => key === 'VerifyOnPage');
    if (page === undefined) throw new Error('the story has no verification page');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await ask(page, pathOf(page), { raw: 'token=wrong', headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const place = reference.responsePath(page.operation.path, 'post', 400) ?? [];
    const content = reference.at(...place, 'content') ?? {};
    expect(Object.keys(content)).toEqual(['application/problem+json', 'text/html']);
    expect(reference.errors(answer.text, ...place, 'content', 'text/html', 'schema')).toEqual([]);
  });
});

describe('every documented operation', () => {
  test('given no key or a wrong one, then it answers as documented', async () => {
    for (const one of told.filter(({ operation }) => !isOpen(operation))) {
      const body = isPost(one.operation) ? { body: one.request.body } : {};
      expectProblem(one, await ask(one, pathOf(one), body), 'api_key_missing');
      expectProblem(one, await ask(one, pathOf(one), { ...body, key: 'sk_live_wrong' }), 'api_key_invalid');
    }
  });

  test('given the key of a role that may not, then it answers as documented', async () => {
    for (const one of told) {
      const { roles, wrongRoleCode } = one.operation.route as { roles: unknown; wrongRoleCode: RefusalCode };
      for (const role of ['merchant', 'admin', 'auditor'] as const) {
        if (roles === 'anyone' || (roles as readonly string[]).includes(role)) continue;
        const body = isPost(one.operation) ? { body: one.request.body } : {};
        expectProblem(one, await ask(one, pathOf(one), { ...body, key: keys[role] }), wrongRoleCode);
      }
    }
  });

  test('given a parameter that nobody knows, then it answers as documented', async () => {
    for (const one of told) {
      const { operation, request } = one;
      const given = new URLSearchParams({ ...(request.query as Record<string, string>), odd: '1' });
      const body = isPost(operation) ? { body: request.body } : {};
      if (operation.page?.formOnly === true) continue;
      const answer = await ask(one, `${pathOf(one)}?${given.toString()}`, { ...keyFor(operation), ...body });
      expectProblem(one, answer, 'invalid_request');
      expect(answer.json.errors.map(({ field }: { field: string }) => field)).toContain('odd');
    }
  });

  test('given a field that nobody knows, a broken body or another type, then it answers as documented', async () => {
    for (const one of told.filter(({ operation }) => isPost(operation) && !isOpen(operation))) {
      const key = keyFor(one.operation);
      const send = async (raw: string, type: string): Promise<ApiAnswer> =>
        await ask(one, pathOf(one), { ...key, raw, headers: { 'Content-Type': type } });
      const odd = await ask(one, pathOf(one), { ...key, body: { ...(one.request.body as object), odd: 1 } });
      expectProblem(one, odd, 'invalid_request');
      expectProblem(one, await send('{', 'application/json'), 'malformed_body');
      expectProblem(one, await send('<a/>', 'application/xml'), 'unsupported_media_type');
    }
  });

  test('given the key of another request, then it answers as documented', async () => {
    for (const one of told.filter(({ operation }) => isPost(operation) && !isOpen(operation))) {
      if (one.operation.command?.identity !== undefined) continue;
      const headers = { 'Idempotency-Key': `example-${one.operation.key.replaceAll('/', '-')}` };
      const other = otherBody(one.request.body as Record<string, unknown>);
      if (other === undefined) continue;
      // The story was told with a key that is revoked at its end; the platform's is another sender than the merchant's.
      const answer = await ask(one, pathOf(one), { ...keyFor(one.operation), headers, body: other });
      expectProblem(one, answer, 'idempotency_key_reused');
    }
  });

  test('given an id that nobody has, then it answers as documented', async () => {
    for (const one of told.filter(({ operation }) => operation.path.includes('{') && !isOpen(operation))) {
      const answer = await ask(one, pathOf(one, '00000000-0000-4000-8000-000000000000'), keyFor(one.operation));
      const code = one.operation.page?.codes?.[0];
      if (one.operation.key !== 'VerifyMerchant')
        expect([one.operation.key, answer.status]).toEqual([one.operation.key, 404]);
      expectProblem(one, answer, code ?? 'internal_error');
    }
  });

  test('given what the client knows already, then 304 where that is documented', async () => {
    const tagged = told.filter(({ operation: { path, route } }) =>
      reference.responsePath(path, route.method.toLowerCase(), 304),
    );
    expect(tagged.length).toBeGreaterThan(8);
    for (const one of tagged) {
      const read = await ask(one, pathOf(one), keyFor(one.operation));
      const headers = { 'If-None-Match': read.headers.get('etag') ?? '' };
      const again = await ask(one, pathOf(one), { ...keyFor(one.operation), headers });
      expect([one.operation.key, again.status, again.text]).toEqual([one.operation.key, 304, '']);
    }
  });

  test('given a tag of another revision, then 412 where If-Match is documented', async () => {
    const conditional = told.filter(({ operation: { page } }) => page?.ifMatch === true);
    for (const one of conditional) {
      const headers = { 'If-Match': '"1-999"' };
      const answer = await ask(one, pathOf(one), { ...keyFor(one.operation), headers, body: one.request.body });
      expectProblem(one, answer, 'precondition_failed');
    }
  });

  test('given a method that the path does not know, then 405 with Allow', async () => {
    for (const one of told) {
      const answer = await service.send('PATCH', pathOf(one), {});
      expect([one.operation.key, answer.status, answer.json.code]).toEqual([
        one.operation.key,
        405,
        'method_not_allowed',
      ]);
      expect(answer.headers.get('allow')).toContain(one.operation.route.method);
    }
  });
});

/** A valid body that differs; undefined where the example leaves nothing to change. */
function otherBody(body: Readonly<Record<string, unknown>>): object | undefined {
  const text = Object.entries(body).find(
    ([name, value]) =>
      typeof value === 'string' &&
      /^(name|label|reason|note|support_\w+|cancellation_reason|customer_name)$/.test(name),
  );
  if (text === undefined) return undefined;
  const [name, value] = text;
  return { ...body, [name]: name === 'support_email' ? 'other@other.example' : `${String(value)}1` };
}
