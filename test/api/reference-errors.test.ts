import { describe, expect, test } from '@jest/globals';
import type { ProblemCode } from '#http/api/messages/problem-types.ts';
import { sendsBody } from '#http/server/route.ts';
import { createMerchant, importClaim } from '../support/merchant-fixture.ts';
import { ADMIN_KEY, type ApiResponse, type ApiRequest } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import { rolesOf } from '#http/reference/openapi/operations.ts';
import { type Operation, runExamples, type ExampleCall, headersOfPage, textOf } from '../support/reference-examples.ts';

const service = await startSuiteService();
const reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
const story = await runExamples(service);
const calls: readonly ExampleCall[] = [...story.calls.values()];
const issued = story.calls.get('admin/IssueApiKey');
const merchant = await service.admin('IssueApiKey', issued?.request.body);
const auditor = await service.admin('IssueApiKey', { role: 'auditor', label: 'audit' });
const keys: { readonly merchant: string; readonly admin: string; readonly auditor: string } = {
  merchant: merchant.api_key,
  admin: ADMIN_KEY,
  auditor: auditor.api_key,
};

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const isOpen = ({ route }: Operation): boolean => route.roles === 'anyone';
const hasBody = ({ route }: Operation): boolean => sendsBody(route);

/** Returns a role that is allowed to use the operation. */
function keyFor({ route }: Operation): { readonly key?: string } {
  if (route.roles === 'anyone') return {};
  return { key: route.roles.includes('merchant') ? keys.merchant : keys.admin };
}

/** Returns the path of the example, with overrides. */
function pathOf({ operation, request }: ExampleCall, other?: string): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(other ?? textOf(request.path?.[name])),
  );
}

async function ask({ operation }: ExampleCall, path: string, request: ApiRequest): Promise<ApiResponse> {
  const headers = { ...headersOfPage(operation.route), ...request.headers };
  return await service.send(operation.route.method, path, { ...request, headers });
}

/** Checks that the response is the documented problem with this code. */
function expectProblem({ operation }: ExampleCall, response: ApiResponse, code: ProblemCode): void {
  const { key, path, route } = operation;
  expect([key, response.status, response.json?.code]).toEqual([key, response.status, code]);
  const place = reference.responsePath(path, route.method.toLowerCase(), response.status);
  expect([key, code, place === undefined ? 'not documented' : '']).toEqual([key, code, '']);
  const content = [...(place ?? []), 'content', 'application/problem+json'];
  expect([key, code, Object.keys(reference.at(...content, 'examples') ?? {})]).toEqual([
    key,
    code,
    expect.arrayContaining([code]),
  ]);
  expect([key, code, reference.errors(response.json, ...content, 'schema')]).toEqual([key, code, []]);
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
}

describe('Claims and policies of several merchants', () => {
  test('every operation with an ambiguous reference or policy number responds as documented', async () => {
    const [one, other] = [await createMerchant(service, 'Acme'), await createMerchant(service, 'Beta')];
    const claimReference = 'OLD-7';
    for (const { live } of [one, other]) await importClaim(service, live, claimReference);
    const byReference = calls.filter(
      ({ operation: { path, route } }) => path.startsWith('/api/v1/claims/{id}') && route.method === 'GET',
    );
    expect(byReference.map(({ operation: { key } }) => key)).toEqual([
      'GetClaim',
      'GetClaimHistory',
      'GetClaimDocument',
    ]);
    const byNumber = calls.filter(
      ({ operation: { path, route } }) => path.startsWith('/api/v1/policies/{policy_id}') && route.method === 'GET',
    );
    expect(byNumber.map(({ operation: { key } }) => key)).toEqual([
      'GetPolicy',
      'GetPolicyHistory',
      'ListPolicyTerms',
      'GetCertificate',
      'ListPolicyTransactions',
      'ListPolicyClaims',
    ]);
    for (const [asked, reference] of [
      ...byReference.map((claim) => [claim, claimReference] as const),
      ...byNumber.map((policy) => [policy, one.live.policyNumber] as const),
    ]) {
      const response = await ask(asked, pathOf(asked, reference), { key: keys.auditor });
      expectProblem(asked, response, 'reference_ambiguous');
    }
  });
});

describe('The verification page', () => {
  test('responds to an invalid token with a page, as documented', async () => {
    const page = calls.find(({ operation: { key } }) => key === 'VerifyOnPage');
    if (page === undefined) throw new Error('the story has no verification page');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await ask(page, pathOf(page), { raw: 'token=wrong', headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const place = reference.responsePath(page.operation.path, 'post', 400) ?? [];
    const content = reference.at(...place, 'content') ?? {};
    expect(Object.keys(content)).toEqual(['application/problem+json', 'text/html']);
    expect(reference.errors(response.text, ...place, 'content', 'text/html', 'schema')).toEqual([]);
  });
});

describe('Every documented operation', () => {
  test('responds as documented to a missing or invalid key', async () => {
    for (const one of calls.filter(({ operation }) => !isOpen(operation))) {
      const body = hasBody(one.operation) ? { body: one.request.body } : {};
      expectProblem(one, await ask(one, pathOf(one), body), 'api_key_missing');
      expectProblem(one, await ask(one, pathOf(one), { ...body, key: 'sk_live_wrong' }), 'api_key_invalid');
    }
  });

  test('responds as documented to the key of a forbidden role', async () => {
    for (const one of calls) {
      const { wrongRoleCode } = one.operation.route as { wrongRoleCode: ProblemCode };
      const roles = rolesOf(one.operation);
      for (const role of ['merchant', 'admin', 'auditor'] as const) {
        if (roles === undefined || roles.includes(role)) continue;
        const body = hasBody(one.operation) ? { body: one.request.body } : {};
        expectProblem(one, await ask(one, pathOf(one), { ...body, key: keys[role] }), wrongRoleCode);
      }
    }
  });

  test('responds as documented to an unknown parameter', async () => {
    for (const one of calls) {
      const { operation, request } = one;
      const given = new URLSearchParams({ ...(request.query as Record<string, string>), odd: '1' });
      const body = hasBody(operation) ? { body: request.body } : {};
      if (operation.route.reference.isForm === true) continue;
      const response = await ask(one, `${pathOf(one)}?${given.toString()}`, { ...keyFor(operation), ...body });
      expectProblem(one, response, 'invalid_request');
      expect(response.json.errors.map(({ field }: { field: string }) => field)).toContain('odd');
    }
  });

  test('responds as documented to an unknown field, a malformed body and another type', async () => {
    for (const one of calls.filter(({ operation }) => hasBody(operation) && !isOpen(operation))) {
      const key = keyFor(one.operation);
      const send = async (raw: string, type: string): Promise<ApiResponse> =>
        await ask(one, pathOf(one), { ...key, raw, headers: { 'Content-Type': type } });
      const odd = await ask(one, pathOf(one), { ...key, body: { ...(one.request.body as object), odd: 1 } });
      expectProblem(one, odd, 'invalid_request');
      expectProblem(one, await send('{', 'application/json'), 'malformed_body');
      expectProblem(one, await send('<a/>', 'application/xml'), 'unsupported_media_type');
    }
  });

  test('responds as documented to the idempotency key of another request', async () => {
    for (const one of calls.filter(({ operation }) => hasBody(operation) && !isOpen(operation))) {
      if (one.operation.command?.identity !== undefined) continue;
      const headers = { 'Idempotency-Key': `example-${one.operation.key.replaceAll('/', '-')}` };
      const other = otherBody(one.request.body as Record<string, unknown>);
      if (other === undefined) continue;
      // The examples used a key that is revoked now; the platform's idempotency keys are separate from the merchant's.
      const response = await ask(one, pathOf(one), { ...keyFor(one.operation), headers, body: other });
      expectProblem(one, response, 'idempotency_key_reused');
    }
  });

  test('responds as documented to an unknown id', async () => {
    for (const one of calls.filter(({ operation }) => operation.path.includes('{') && !isOpen(operation))) {
      const response = await ask(one, pathOf(one, '00000000-0000-4000-8000-000000000000'), {
        ...keyFor(one.operation),
        body: one.request.body,
      });
      const code = one.operation.errors[0];
      if (one.operation.key !== 'VerifyMerchant')
        expect([one.operation.key, response.status]).toEqual([one.operation.key, 404]);
      expectProblem(one, response, code ?? 'internal_error');
    }
  });

  test('responds as documented to an unknown id in the body of a command of the platform', async () => {
    const unknown: Readonly<Record<string, string>> = {
      ...Object.fromEntries(
        ['policy_id', 'claim_id', 'customer_id', 'provider_id', 'product_id', 'job_id'].map((id) => [id, UNKNOWN]),
      ),
      short_code: 'NON-0000',
      key_id: 'unknown',
    };
    const named = calls.flatMap((one) => {
      const id = Object.keys((one.request.body ?? {}) as object).find((name) => name in unknown);
      return one.operation.key.startsWith('admin/') && id !== undefined ? [[one, id] as const] : [];
    });
    expect(named.length).toBeGreaterThan(25);
    for (const [one, id] of named) {
      const body = { ...(one.request.body as object), [id]: unknown[id] };
      const before = await service.eventStore.lastPosition();
      const response = await ask(one, pathOf(one), { key: keys.admin, body });
      const isClick = one.operation.key === 'admin/VerifyMerchant';
      expect([one.operation.key, response.status]).toEqual([one.operation.key, isClick ? 400 : 404]);
      expect(response.json.code).toMatch(isClick ? 'invalid_verification_token' : /^[a-z_]+_not_found$/);
      expect(await service.eventStore.lastPosition()).toBe(before);
    }
  });

  test('answers 412 to the tag of another revision where If-Match is documented', async () => {
    const conditional = calls.filter(({ operation: { path, route } }) =>
      reference.responsePath(path, route.method.toLowerCase(), 412),
    );
    expect(conditional.map(({ operation: { key } }) => key)).toEqual(
      expect.arrayContaining(['AddClaimDocuments', 'AcceptClaimOffer', 'RejectClaimOffer', 'RenewPolicy']),
    );
    for (const one of conditional) {
      const headers = { 'If-Match': '"1-999"' };
      const response = await ask(one, pathOf(one), { ...keyFor(one.operation), headers, body: one.request.body });
      expectProblem(one, response, 'precondition_failed');
    }
  });
});

/** Returns a different valid body; undefined when the example has no field to change. */
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
