import { describe, expect, test } from '@jest/globals';
import { isAsset } from '#http/reference/openapi/operations.ts';
import type { Json } from '#http/reference/openapi/page.ts';
import { takesIdempotencyKey } from '#http/server/route.ts';
import { ADMIN_KEY, startApiService } from '../support/api-service.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import {
  documentedOperations,
  filledPath,
  formEntries,
  runExamples,
  runShownExamples,
} from '../support/reference-examples.ts';

/** Headers that must be documented wherever they occur. */
const TOLD_OF = [
  'surety-position',
  'surety-pending',
  'surety-incomplete',
  'idempotent-replayed',
  'etag',
  'link',
  'ratelimit',
];

/** In a form, a value that may be number or text is read as a number: a different but valid request. */
const HAS_NUMBERS_THAT_MAY_BE_TEXTS = new Set([
  'RenewPolicy',
  'admin/RenewPolicy',
  'RequestQuotes',
  'admin/RequestQuotes',
]);

type Members = Readonly<Record<string, Json>>;

const service = await startSuiteService({ publicUrl: 'https://surety.example' });
const reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
const { calls } = await runExamples(service);
describe('The API reference', () => {
  test('has a page, an example and a document entry for every operation', () => {
    const operations = documentedOperations(service);
    expect([...operations.keys()].toSorted()).toEqual([...calls.keys()].toSorted());
    const inDocument = [...reference.operations].map(([id, { path, method }]) => `${id} ${method} ${path}`);
    const expected = [...operations.values()].map(
      ({ id, route, path }) => `${id} ${route.method.toLowerCase()} ${path}`,
    );
    expect(inDocument.toSorted()).toEqual(expected.toSorted());
  });

  test('every other route is a file that a page of the reference loads or links', async () => {
    const [reference = '', publicEvents = ''] = await Promise.all(
      ['/docs/', '/docs/public-events/'].map(async (path) => (await service.send('GET', path)).text),
    );
    for (const { path } of service.http.routes.filter(isAsset)) {
      if (path.startsWith('/console') || path.startsWith('/sign-in') || path.startsWith('/docs/guides')) continue;
      if (path.startsWith('/docs/public-events/')) expect(publicEvents).toContain(`href="${path}"`);
      else expect(reference).toContain(`"${path.slice('/docs/'.length)}"`);
    }
  });

  test('shows a response that fits its schema', () => {
    for (const { path, method, content } of reference.operations.values()) {
      const [status = ''] = Object.keys(content['responses'] as Members);
      const place = ['paths', path, method, 'responses', status, 'content', 'application/json'];
      const { example } = reference.at(...place) ?? {};
      if (example !== undefined) expect([path, reference.errors(example, ...place, 'schema')]).toEqual([path, []]);
    }
  });

  test('describes every operation and explains its problems', async () => {
    const errorPage = (await service.send('GET', '/docs/errors')).text;
    for (const [id, { path, method, content }] of reference.operations) {
      expect([id, JSON.stringify(content['description']).length > 40]).toEqual([id, true]);
      for (const status of Object.keys(content['responses'] as Members).filter((text) => Number(text) >= 400)) {
        const place = reference.responsePath(path, method, Number(status)) ?? [];
        const { examples = {} } = (reference.at(...place, 'content', 'application/problem+json') ?? {}) as {
          examples?: Members;
        };
        for (const code of Object.keys(examples)) expect(errorPage).toContain(`<section id="${code}">`);
      }
    }
  });
});

describe('Every documented example', () => {
  test('gets the documented status, headers and body', () => {
    for (const [key, { operation, response }] of calls) {
      const method = operation.route.method.toLowerCase();
      const responses = Object.keys(reference.at('paths', operation.path, method, 'responses') ?? {});
      const success = responses.find((status) => Number(status) < 300) ?? '';
      expect([key, String(response.status), response.status < 300 ? '' : response.text]).toEqual([key, success, '']);
      const place = reference.responsePath(operation.path, method, response.status) ?? [];
      const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
      expect([key, Object.keys(reference.at(...place, 'content') ?? { '': 0 })[0]]).toEqual([key, mediaType]);
      const body = mediaType === 'application/json' ? response.json : response.text;
      const errors =
        mediaType === '' ? [body].filter(Boolean) : reference.errors(body, ...place, 'content', mediaType, 'schema');
      expect([key, errors]).toEqual([key, []]);
      checkHeaders(key, response.headers, place);
    }
  });

  test('of the platform succeeds as it is shown where the public operation has not done the same', async () => {
    const other = await startApiService();
    try {
      for (const [key, { status, text }] of await runShownExamples(other))
        expect([key, status < 300 ? '' : text]).toEqual([key, '']);
    } finally {
      await other.stop();
    }
  });

  test('is shown as sent and fits the schemas of the request', () => {
    for (const [key, { operation, request }] of calls) {
      const method = operation.route.method.toLowerCase();
      const place = ['paths', operation.path, method];
      const parameters = (reference.at(...place)?.['parameters'] ?? []) as Members[];
      for (const [index, parameter] of parameters.entries()) {
        const { name = '', in: where, example } = parameter as Record<string, string>;
        if (where !== 'path' && where !== 'query') continue;
        const given = (where === 'path' ? request.path : request.query)?.[name];
        const shown = (where === 'path' ? operation.example.path : operation.example.query)?.[name];
        expect([key, name, example]).toEqual([key, name, shown]);
        if (given === undefined) {
          expect([key, name, parameter['required'] === true]).toEqual([key, name, false]);
          continue;
        }
        expect([key, name, reference.errors(given, ...place, 'parameters', String(index), 'schema')]).toEqual([
          key,
          name,
          [],
        ]);
      }
      if (request.body === undefined || operation.route.reference.isForm === true) continue;
      const json = [...place, 'requestBody', 'content', 'application/json'];
      expect([key, reference.at(...json)?.['example']]).toEqual([key, operation.example.body]);
      expect([key, reference.errors(operation.example.body, ...json, 'schema')]).toEqual([key, []]);
    }
  });

  test('is repeated with its key, as JSON or as a form, and writes nothing', async () => {
    const merchantKey = await keyOfTheSameEnvironment();
    const before = await service.eventStore.lastPosition();
    for (const [key, { operation, request, response }] of calls) {
      const { route, command, path } = operation;
      if (!takesIdempotencyKey(route) || route.reference.isForm === true || command?.identity !== undefined) continue;
      const entries = formEntries(request.body ?? {});
      const parts = new FormData();
      for (const [name, value] of entries) parts.append(name, value);
      const forms = HAS_NUMBERS_THAT_MAY_BE_TEXTS.has(key) ? [] : [new URLSearchParams(entries), parts];
      const search = new URLSearchParams(request.query as Record<string, string>).toString();
      for (const body of [new Blob([JSON.stringify(request.body ?? {})], { type: 'application/json' }), ...forms]) {
        const again = await fetch(`${service.url}${filledPath(path, request.path)}?${search}`, {
          method: route.method,
          headers: {
            'X-API-Key': route.roles.includes('merchant') ? merchantKey : ADMIN_KEY,
            'Idempotency-Key': `example-${key.replaceAll('/', '-')}`,
          },
          body,
        });
        const text = await again.text();
        expect([key, again.status, again.status < 300 ? '' : text]).toEqual([key, response.status, '']);
        expect([key, again.headers.get('idempotent-replayed')]).toEqual([key, 'true']);
        const result = response.json?.result as Members | undefined;
        // A key and a ticket are shown once.
        if (result !== undefined)
          expect([key, JSON.parse(text).result]).toEqual([
            key,
            { ...result, ...('api_key' in result && { api_key: null }), ...('ticket' in result && { ticket: null }) },
          ]);
      }
    }
    expect(await service.eventStore.lastPosition()).toBe(before);
  });
});

/** Issues a new key, because the key of the examples is revoked at their end. */
async function keyOfTheSameEnvironment(): Promise<string> {
  return (await service.admin('IssueApiKey', calls.get('admin/IssueApiKey')?.request.body)).api_key;
}

function checkHeaders(key: string, headers: Headers, place: readonly string[]): void {
  const documented = Object.keys(reference.at(...place, 'headers') ?? {});
  expect([key, headers.get('x-request-id')]).toEqual([key, `example-${key.replaceAll('/', '-')}`]);
  const names = new Map(documented.map((name) => [name.toLowerCase(), name]));
  for (const name of TOLD_OF) {
    const value = headers.get(name);
    if (value === null) {
      // Headers that are always sent where they are documented; the others depend on the state.
      if (name === 'surety-position' || name === 'etag') expect([key, names.has(name)]).toEqual([key, false]);
      continue;
    }
    expect([key, name, names.has(name)]).toEqual([key, name, true]);
    const { headers: references } = reference.at(...place) as { headers: Record<string, { $ref: string }> };
    const header = references[names.get(name) ?? '']?.$ref.slice(2).split('/') ?? [];
    expect([key, reference.errors(value, ...header, 'schema')]).toEqual([key, []]);
  }
}
