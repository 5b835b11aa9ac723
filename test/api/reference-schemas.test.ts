import { expect, test } from '@jest/globals';
import type { Json } from '../../src/http/openapi/page.ts';
import { startSuiteService } from '../support/suite-service.ts';
import { type Members, ReferenceDocument } from '../support/reference-document.ts';

const JSON_TYPE = 'application/json';

const service = await startSuiteService();
const reference = new ReferenceDocument((await service.send('GET', '/openapi.json')).json);

const isClosed = (schema: Members): boolean => schema['additionalProperties'] === false;

test('what is sent is open, and what is taken is closed', () => {
  const operations = [...reference.operations.values()].map(({ content }) => content);
  const responses = reference.schemasIn(operations.map(({ responses = {} }) => responses));
  expect(responses.length).toBeGreaterThan(50);
  expect(responses.filter(isClosed)).toEqual([]);
  const requests = reference.schemasIn(operations.map(({ requestBody = {} }) => requestBody));
  const withMembers = requests.filter(({ properties }) => properties !== undefined);
  expect(withMembers.length).toBeGreaterThan(50);
  expect(withMembers.filter((schema) => !isClosed(schema))).toEqual([]);
});

test('a body is JSON, or has files where a claim has documents', () => {
  const types = [...reference.operations].flatMap(([id, { content }]) => {
    const { content: byType = {} } = (content['requestBody'] ?? {}) as { readonly content?: Members };
    return Object.keys(byType).map((type) => `${id} ${type}`);
  });
  expect(types.filter((one) => one.endsWith(JSON_TYPE)).length).toBeGreaterThan(40);
  expect(types.filter((one) => !one.endsWith(JSON_TYPE)).toSorted()).toEqual([
    'AddClaimDocuments multipart/form-data',
    'SubmitClaim multipart/form-data',
    'VerifyOnPage application/x-www-form-urlencoded',
  ]);
  const { claim_details, documents } = reference.at('components', 'schemas', 'SubmitClaimForm', 'properties') ?? {};
  expect(documents).toMatchObject({ type: 'array', items: { type: 'string', format: 'binary' } });
  expect(claim_details).toMatchObject({ type: 'object', required: ['claim_type', 'incident_date'] });
});

test.each([
  ['GetClaimDocument', 'application/octet-stream'],
  ['GetCertificate', 'application/pdf'],
])('%s is downloaded as bytes', (name, type) => {
  const { path } = reference.operations.get(name) ?? { path: '' };
  const place = reference.responsePath(path, 'get', 200) ?? [];
  expect(reference.at(...place, 'content', type, 'schema')).toMatchObject({ type: 'string', format: 'binary' });
});

test('no default stands beside a choice of types', () => {
  const withDefault = reference
    .schemasIn(reference.content as Json)
    .filter((schema) => schema['default'] !== undefined);
  expect(withDefault.length).toBeGreaterThan(5);
  expect(withDefault.filter(({ type }) => typeof type !== 'string')).toEqual([]);
});
