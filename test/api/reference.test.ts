import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RECORDED } from '../../src/http/openapi/examples.ts';
import { PAGES } from '../../src/http/openapi/operations/pages.ts';
import type { Json } from '../../src/http/openapi/page.ts';
import { isAsset } from '../../src/http/openapi/paths.ts';
import { ADMIN_KEY, type ApiService, startApiService } from '../support/api-service.ts';
import { ReferenceDocument } from '../support/reference-document.ts';
import { documentedOperations, formEntries, tellStory, type Told } from '../support/reference-story.ts';

/** `RECORD_ANSWERS=1` writes down what the service answers; read the difference before it is committed. */
const isRecording = process.env['RECORD_ANSWERS'] === '1';
const ANSWERS = fileURLToPath(new URL('../../src/http/openapi/answers.json', import.meta.url));

/** Headers that are told of where they can stand, and must be told of. */
const TOLD_OF = ['surety-position', 'surety-pending', 'idempotent-replayed', 'etag', 'link', 'ratelimit'];

/** In a form, a number that may also be a text is one: another request, which is no less valid. */
const HAS_NUMBERS_THAT_MAY_BE_TEXTS = new Set(['RenewPolicy', 'RequestQuotes', 'admin/RequestQuotes']);

type Members = Readonly<Record<string, Json>>;

let service: ApiService;
let reference: ReferenceDocument;
let told: ReadonlyMap<string, Told>;
let answers: Readonly<Record<string, Json>>;

beforeAll(async () => {
  service = await startApiService({ publicUrl: 'https://surety.example' });
  reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);
  ({ told, answers } = await tellStory(service));
  if (!isRecording) return;
  writeFileSync(ANSWERS, JSON.stringify(answers, null, 2));
  const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  spawnSync(process.execPath, [biome, 'format', '--write', ANSWERS]);
});

afterAll(async () => {
  await service.stop();
});

describe('the reference as a whole', () => {
  test('given the routes, then every operation has its page, its example and its place in the document', () => {
    const operations = documentedOperations(service);
    expect([...operations.keys()].filter((key) => PAGES[key] === undefined)).toEqual([]);
    expect(Object.keys(PAGES).filter((key) => !operations.has(key))).toEqual([]);
    expect([...operations.keys()].toSorted()).toEqual([...told.keys()].toSorted());
    const inDocument = [...reference.operations].map(([id, { path, method }]) => `${id} ${method} ${path}`);
    const expected = [...operations.values()].map(
      ({ id, route, path }) => `${id} ${route.method.toLowerCase()} ${path}`,
    );
    expect(inDocument.toSorted()).toEqual(expected.toSorted());
  });

  test('given a route that is no operation, then it is a file that a page of the reference loads', async () => {
    const page = (await service.send('GET', '/docs/')).text;
    for (const route of service.http.routes.filter(isAsset)) {
      expect(page).toContain(`"${route.path.slice('/docs/'.length)}"`);
    }
  });

  test('given every operation, then it has a description, and every problem of it an explanation', async () => {
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

describe('every documented operation', () => {
  test('given its documented example, then status, headers and body are as documented', () => {
    for (const [key, { operation, answer }] of told) {
      const method = operation.route.method.toLowerCase();
      const responses = Object.keys(reference.at('paths', operation.path, method, 'responses') ?? {});
      const success = responses.find((status) => Number(status) < 300) ?? '';
      expect([key, String(answer.status), answer.status === 200 || answer.status === 201 ? '' : answer.text]).toEqual([
        key,
        success,
        '',
      ]);
      const place = reference.responsePath(operation.path, method, answer.status) ?? [];
      const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
      expect([key, Object.keys(reference.at(...place, 'content') ?? {})]).toEqual([key, [mediaType]]);
      const body = mediaType === 'application/json' ? answer.json : answer.text;
      expect([key, reference.errors(body, ...place, 'content', mediaType, 'schema')]).toEqual([key, []]);
      checkHeaders(key, answer.headers, place);
    }
  });

  test('given its documented example, then the request fits its schemas and is the one that is shown', () => {
    for (const [key, { operation, request }] of told) {
      const method = operation.route.method.toLowerCase();
      const place = ['paths', operation.path, method];
      const parameters = (reference.at(...place)?.['parameters'] ?? []) as Members[];
      for (const [index, parameter] of parameters.entries()) {
        const { name = '', in: where, example } = parameter as Record<string, string>;
        if (where !== 'path' && where !== 'query') continue;
        const given = (where === 'path' ? request.path : request.query)?.[name];
        expect([key, name, example]).toEqual([key, name, given]);
        if (given === undefined) continue;
        expect([key, name, reference.errors(given, ...place, 'parameters', String(index), 'schema')]).toEqual([
          key,
          name,
          [],
        ]);
      }
      if (request.body === undefined || operation.page?.formOnly === true) continue;
      const json = [...place, 'requestBody', 'content', 'application/json'];
      expect([key, reference.at(...json)?.['example']]).toEqual([key, request.body]);
      expect([key, reference.errors(request.body, ...json, 'schema')]).toEqual([key, []]);
    }
  });

  test('given its documented example as a form, then it is the same request, which was carried out already', async () => {
    const merchantKey = await keyOfTheSameEnvironment();
    for (const [key, { operation, request, answer }] of told) {
      const { route, command, page, path } = operation;
      if (route.method !== 'POST' || page?.formOnly === true || command?.identity !== undefined) continue;
      if (HAS_NUMBERS_THAT_MAY_BE_TEXTS.has(key)) continue;
      const entries = formEntries(request.body ?? {});
      const parts = new FormData();
      for (const [name, value] of entries) parts.append(name, value);
      const search = new URLSearchParams(request.query as Record<string, string>).toString();
      for (const body of [new URLSearchParams(entries), parts]) {
        const again = await fetch(`${service.url}${path}?${search}`, {
          method: 'POST',
          headers: {
            'X-API-Key': route.roles.includes('merchant') ? merchantKey : ADMIN_KEY,
            'Idempotency-Key': `example-${key.replaceAll('/', '-')}`,
          },
          body,
        });
        const text = await again.text();
        expect([key, again.status, again.status < 300 ? '' : text]).toEqual([key, answer.status, '']);
        expect([key, again.headers.get('idempotent-replayed')]).toEqual([key, 'true']);
      }
    }
  });

  test('given its documented example, then the answer is the one that is shown', () => {
    expect(answers).toEqual(isRecording ? answers : RECORDED);
  });
});

/** The key of the story is revoked at its end. */
async function keyOfTheSameEnvironment(): Promise<string> {
  const environment_id = told.get('admin/CreateEnvironment')?.answer.json.result.environment_id;
  return (await service.admin('IssueApiKey', { environment_id })).api_key;
}

function checkHeaders(key: string, headers: Headers, place: readonly string[]): void {
  const documented = Object.keys(reference.at(...place, 'headers') ?? {});
  expect([key, headers.get('x-request-id')]).toEqual([key, `example-${key.replaceAll('/', '-')}`]);
  const names = new Map(documented.map((name) => [name.toLowerCase(), name]));
  for (const name of TOLD_OF) {
    const value = headers.get(name);
    if (value === null) {
      // What is always sent where it is documented; the others depend on the moment.
      if (name === 'surety-position' || name === 'etag') expect([key, names.has(name)]).toEqual([key, false]);
      continue;
    }
    expect([key, name, names.has(name)]).toEqual([key, name, true]);
    const { headers: references } = reference.at(...place) as { headers: Record<string, { $ref: string }> };
    const header = references[names.get(name) ?? '']?.$ref.slice(2).split('/') ?? [];
    expect([key, reference.errors(value, ...header, 'schema')]).toEqual([key, []]);
  }
}
