import { describe, expect, test } from '@jest/globals';
import type { Json } from '#http/reference/openapi/page.ts';
import { ADMIN_KEY, type ApiRequest, type ApiResponse } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import { type ExampleCall, filledPath, runExamples, textOf } from '../support/reference-examples.ts';
import { type DocumentedOperation, operationsIn, valuesAt } from '../support/served-values/document-places.ts';
import { followPages } from '../support/served-values/pages.ts';
import { isAlwaysServed, isUnknown, KINDS, kindOf, referenceInputs } from '../support/served-values/references.ts';

type Member = DocumentedOperation['served'][number];
type Call = Awaited<ReturnType<typeof call>>;
type Members = Readonly<Record<string, Json>>;

const service = await startSuiteService();
const operations = operationsIn(new ReferenceDocument((await service.send('GET', '/openapi.json')).json));
const failures: string[] = [];
const triedCommands = new Set<string>();

/** Sends a request that must succeed. A policy that waits for its activation has no certificate. */
async function succeed(what: string, ...[method, path, request]: Parameters<typeof service.send>) {
  const response = await service.send(method, path, request);
  const hasNoCertificate = path.includes('/certificate') && response.json?.code === 'not_in_force_yet';
  if (response.status >= 300 && !hasNoCertificate) fail(`${what} → ${method} ${path}`, response);
  return response;
}

function fail(what: string, { status, text }: ApiResponse): void {
  failures.push(`${what}: ${status} ${text.slice(0, 300)}`);
}

/** Sends an example; with a command its `If-Match`, which counts only at that instant. */
async function sendExample(method: string, url: string, request: ApiRequest = {}): Promise<ApiResponse> {
  const id = request.headers?.['X-Request-Id']?.replace(/^example-(admin-)?/, (_, admin) => (admin ? 'Admin' : ''));
  const operation = operations.find((one) => one.id === id && one.isCommand);
  if (operation === undefined) return await service.send(method, url, request);
  triedCommands.add(operation.id);
  const sendWith = async (headers: Readonly<Record<string, string>>) =>
    await service.send(method, url, { ...request, headers });
  const { 'Idempotency-Key': _, ...headers } = request.headers ?? {};
  if (!operation.headers.includes('If-Match')) {
    const refused = await sendWith({ ...headers, 'If-Match': '*' });
    const isRefused = refused.status === 400 && refused.json.errors?.[0].field === 'If-Match';
    if (!isRefused) fail(`If-Match: * is not refused by ${id}`, refused);
    return await service.send(method, url, request);
  }
  const tag = await tagFor(operation, url, request);
  const response = await sendWith({ ...request.headers, 'If-Match': tag });
  const again = await sendWith({ ...headers, 'If-Match': tag });
  if (again.status !== 412) fail(`The ETag from before the change is accepted by ${id}`, again);
  return response;
}

/** Returns the `ETag` of the single view of the resource that a command names in its path, query string or body. */
async function tagFor({ id, path }: DocumentedOperation, url: string, request: ApiRequest) {
  const { pathname, searchParams } = new URL(url, service.url);
  const body = (request.body ?? {}) as Members;
  const named = Object.values(KINDS).flatMap((kind) => {
    const value = searchParams.get(kind.name ?? '') ?? body[kind.name ?? ''];
    return kind.hasView === true && typeof value === 'string' ? [`${kind.path}${encodeURIComponent(value)}`] : [];
  });
  const inPath = path.includes('{') ? pathname.split('/').slice(0, 5).join('/') : undefined;
  const search = typeof body['environment_id'] === 'number' ? `?environment_id=${body['environment_id']}` : '';
  const view = await succeed(`the view for ${id}`, 'GET', `${inPath ?? named[0]}${search}`, { key: request.key });
  return view.headers.get('etag') ?? '';
}

const examples = await runExamples(Object.create(service, { send: { value: sendExample } }));
const bodyOf = (key: string) => (examples.calls.get(key)?.request.body ?? {}) as Members;
// The examples end with the revocation of their key.
const body = bodyOf('admin/IssueApiKey');
const reissued = await service.send('POST', '/api/v1/admin/commands/IssueApiKey', { key: ADMIN_KEY, body });
const merchantKey = reissued.json.result.api_key;
const rating = { rate: { field: 'vehicle_mileage', percent: '1' } };
await service.admin('AddProduct', { ...bodyOf('admin/AddProduct'), name: 'Motor that makes no offer', rating });

/** Reads as an example does, about another resource if `path` names it; a command was called before. */
async function call(
  { operation: { id, route, path: template }, request: example, response }: ExampleCall,
  other?: Members,
) {
  const path = other ?? example.path ?? {};
  const operation = operations.find((one) => one.id === id) as DocumentedOperation;
  const search = new URLSearchParams(
    Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [name, textOf(value)]),
  );
  if (operation.query.includes('limit')) search.set('limit', '100');
  const url = `${filledPath(template, path)}?${search.toString()}`;
  // A merchant lists merchants of which it can read no more.
  const isOwn = route.roles.includes('merchant') && id !== 'ListMerchants';
  const request = { key: isOwn ? merchantKey : ADMIN_KEY, body: example.body };
  // The parked document was retried.
  const isAgain = id === 'RequestQuotes' || (!operation.isCommand && id !== 'ListParked');
  const again = isAgain ? await succeed(id, operation.method, url, request) : response;
  return { operation, url, path, request, response: id === 'AdminIssueApiKey' ? reissued : again };
}

const [problem] = operations as [DocumentedOperation];
const refused = await service.send('GET', '/api/v1/policies/unknown/', { key: merchantKey });
const calls: Call[] = [
  { operation: problem, url: '', path: {}, request: { key: merchantKey, body: undefined }, response: refused },
];
const paid = await service.send('GET', `/api/v1/claims/${textOf(bodyOf('admin/PayClaim')['claim_id'])}`, {
  key: ADMIN_KEY,
});
const idOfPaid: Readonly<Record<string, string>> = {
  '/api/v1/claims/': paid.json.claim_id,
  '/api/v1/policies/': paid.json.policy,
  '/api/v1/customers/': paid.json.claimant.customer_id,
};
for (const example of examples.calls.values()) {
  calls.push(await call(example));
  const { parameters, method } = calls.at(-1)?.operation ?? problem;
  const [name, id] = [parameters[0]?.name ?? '', idOfPaid[parameters[0]?.before ?? '']];
  if (method === 'GET' && id !== undefined && parameters.length === 1) calls.push(await call(example, { [name]: id }));
}

const callOf = (operation: DocumentedOperation) => calls.find((call) => call.operation === operation);
const reads = operations.filter(({ id, isCommand, roles }) => id !== 'Problem' && !isCommand && roles.length > 0);
/**
 * Inputs of reads that got a value that was served, and the requests, so that what several operations served is sent
 * once.
 */
const [used, sent] = [new Set<string>(), new Set<string>()];

/** Sends the last value of a reference to every read that takes it. */
async function sendBack(call: Call, member: Member): Promise<void> {
  const [kind, value] = [KINDS[kindOf(member) ?? ''], valuesIn(call, member).at(-1)];
  if (kind === undefined || value === undefined) return;
  const what = `${call.operation.id} ${member.place.join('.')}`;
  for (const read of reads) {
    const inPath = read.parameters.find(({ before }) => before === kind.path)?.name;
    if (inPath !== undefined) await sendTo(read, inPath, value, call);
    if (kind.name !== undefined && read.query.includes(kind.name)) await sendTo(read, kind.name, value, call);
  }
  if (kind.header !== undefined) {
    const key = kind.header === 'X-API-Key' ? undefined : ADMIN_KEY;
    await succeed(what, 'GET', '/api/v1/products', { key, headers: { [kind.header]: value } });
  }
  if (kind.url === undefined) return;
  const { pathname, search } = new URL(`${kind.url.prefix}${value}`, service.url);
  await succeed(what, kind.url.method, `${pathname}${search}`, { key: call.request.key });
}

/** Sends a value to a read, in its path or query string, with the key that it was served to, if that may. */
async function sendTo(read: DocumentedOperation, input: string, value: string, call: Call): Promise<void> {
  const path = Object.fromEntries(
    read.parameters.map(({ name, before }) => {
      const same = call.operation.parameters.find((one) => one.before === before)?.name;
      const beside = call.operation.served.filter((member) => KINDS[kindOf(member) ?? '']?.path === before);
      const found = same === undefined ? beside.flatMap((member) => valuesIn(call, member)).at(-1) : call.path[same];
      return [name, name === input ? value : found];
    }),
  );
  if (Object.values(path).includes(undefined)) return;
  // What the read requires comes from its example.
  const example = new URLSearchParams(callOf(read)?.url.split('?')[1]);
  const search = new URLSearchParams(read.required.map((name): [string, string] => [name, example.get(name) ?? '']));
  if (!(input in path)) search.set(input, value);
  const isOwn = read.roles.includes('merchant') && input !== 'environment_id';
  const key = isOwn ? call.request.key : ADMIN_KEY;
  const url = `${filledPath(read.path, path as Members)}?${search.toString()}`;
  used.add(`${read.id}.${input}`);
  if (sent.has(`${key} ${url}`)) return;
  sent.add(`${key} ${url}`);
  await succeed(`${call.operation.id} ${value}`, 'GET', url, { key });
}

function valuesIn({ response: { json, text } }: Call, { place }: Member): readonly string[] {
  if (json !== undefined || !text.startsWith('{')) return valuesAt(json, place);
  const lines = text.trimEnd().split('\n');
  return lines.flatMap((line) => valuesAt(JSON.parse(line), place));
}

describe('What the API serves', () => {
  test('works when it comes back: references, ETags and positions', async () => {
    const position = calls.findLast((call) => call.response.headers.has('surety-position'))?.response.headers;
    const minimum = { 'Surety-Min-Position': position?.get('surety-position') ?? '' };
    for (const call of calls) {
      const { operation, url, request, response } = call;
      const { id, method, headers, servedHeaders, served } = operation;
      for (const member of served) await sendBack(call, member);
      if (headers.includes('Surety-Min-Position'))
        await succeed(`${id} Surety-Min-Position`, method, url, { ...request, headers: minimum });
      for (const name of ['X-Request-Id', 'Surety-Position'])
        if (servedHeaders.includes(name) && !response.headers.has(name)) failures.push(`${id} has no ${name}`);
      if (!servedHeaders.includes('ETag')) continue;
      const tag = (await succeed(id, method, url, request)).headers.get('etag') ?? '';
      const again = await service.send(method, url, { ...request, headers: { 'If-None-Match': tag } });
      if (again.status !== 304) fail(`${id} with If-None-Match: ${tag}`, again);
    }
    expect(failures).toEqual([]);
    expect(operations.filter(({ id, isCommand }) => isCommand && !triedCommands.has(id))).toEqual([]);
    // Each input of a read that takes a reference got one that was served.
    const inputs = reads.flatMap((read) => referenceInputs(read).map((name) => `${read.id}.${name}`));
    expect(inputs.filter((input) => !used.has(input))).toEqual([]);
  });

  test('is sent back by this suite, every reference of every operation of the OpenAPI document', () => {
    const members = operations.flatMap(({ served }) => served);
    // Say in test/support/served-values/references.ts where it may go, or why it goes nowhere.
    expect(members.filter(isUnknown).map(({ path }) => path)).toEqual([]);
    const found = new Set(
      calls
        .flatMap((call) => call.operation.served.filter((one) => valuesIn(call, one).length > 0))
        .map(({ path }) => path),
    );
    const expected = operations.filter((one) => one !== problem).flatMap(({ served }) => served);
    const never = expected.filter((one) => kindOf(one) !== undefined && isAlwaysServed(one) && !found.has(one.path));
    expect(never.map(({ path }) => path)).toEqual([]);
  });
});

test('The links of every list lead to all of its pages and back', async () => {
  const wrong: string[] = [];
  const paged = new Set<string>();
  const lists = calls.filter(({ operation }) => operation.served.some(({ place }) => place.join('.') === 'next'));
  for (const { operation, url, request } of lists) {
    const { id, method, required } = operation;
    if (paged.has(id)) continue;
    const read = async (link: string) => await succeed(`a page of ${id}`, method, link, request);
    const all = `${url.split('?')[0]}?${required.includes('name') ? 'name=a&' : ''}`;
    const result = await followPages(all, { isNew: method !== 'GET', origin: service.url }, read);
    wrong.push(...result.wrong);
    if (result.pages > 1) paged.add(id);
  }
  expect([...failures, ...wrong]).toEqual([]);
  // The others have one item here.
  const others = lists.map(({ operation: { id } }) => id).filter((id) => !paged.has(id));
  expect(others.toSorted()).toEqual(['ListMailJobs', 'ListParked']);
});
