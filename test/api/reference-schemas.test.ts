import { expect, test } from '@jest/globals';
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
  const place = ['paths', '/api/v1/claims', 'post', 'requestBody', 'content', 'multipart/form-data', 'schema'] as const;
  const { claim_details, documents } = reference.at(...place, 'properties') ?? {};
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

test('no member of a request has a default, which generators read as always present', () => {
  const schemas = reference.schemasIn(reference.content);
  expect(schemas.filter((schema) => schema['default'] !== undefined)).toEqual([]);
  const place = ['components', 'schemas', 'AdminAddProductRequest', 'properties'] as const;
  expect(reference.at(...place, 'renewable')).toMatchObject({ description: 'Default: true' });
  expect(reference.at(...place, 'currency', 'description')).toMatch(/^Code of .*\. Default: "NGN"$/);
});

// Generators write no model of a component that is a form, and name the parameters of such an operation
// `<operation>Request`.
test('a form is described where it is sent, and is no component', () => {
  const bodies = [...reference.operations.values()].map(({ content }) => content['requestBody'] ?? {});
  const forms = bodies.flatMap((body) =>
    Object.entries((body as { readonly content?: Members }).content ?? {})
      .filter(([type]) => type !== JSON_TYPE)
      .map(([, media]) => (media as { readonly schema: Members }).schema),
  );
  expect(forms).toHaveLength(3);
  expect(forms.filter((schema) => schema['type'] !== 'object')).toEqual([]);
  expect(Object.keys(reference.at('components', 'schemas') ?? {}).filter((name) => name.endsWith('Form'))).toEqual([]);
  expect(reference.at('components', 'schemas', 'VerifyOnPageRequest')).toBeUndefined();
});
