import { CSV_TYPE, JSON_LINES_TYPE } from '../../api/messages/download-formats.ts';
import { z } from 'zod';
import type { AnyCommand } from '#commands/command.ts';
import { basePathOf } from '../../api/messages/links.ts';
import { takesDocuments } from '../../api/bodies/command-body.ts';
import { BATCH_TYPE } from '../../feed/feed-response.ts';
import { PROBLEM_TYPES } from '../../api/messages/problem-types.ts';
import { withEnvironment } from '../../api/routers/admin.ts';
import { type Route, runsCommand, takesIdempotencyKey } from '../../server/route.ts';
import { codesOf, type Operation, operationsOf, rolesOf, takesIfMatch } from './operations.ts';
import { type Json, TAGS } from './page.ts';
import { HEADERS, headersOf, PARAMETERS, parametersOf, PROBLEM, problemResponse } from './parts.ts';
import { exampleOfSchema } from './schema-examples.ts';
import { Components, formSchema, type Schema } from './schemas.ts';

type JsonObject = Record<string, Json>;

interface DocumentOptions {
  readonly publicUrl: string | undefined;
  readonly version: string;
}

/** Makes the OpenAPI 3.1 document of these routes from the schemas that validate requests, and responses in tests. */
export function openApiDocument(routes: readonly Route[], { publicUrl, version }: DocumentOptions): Json {
  const components = new Components();
  components.register('Problem', PROBLEM as Schema);
  const responses: JsonObject = {};
  const basePath = basePathOf(publicUrl);
  const paths: Record<string, JsonObject> = {};
  for (const operation of routes.flatMap(operationsOf)) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.route.method.toLowerCase()] = operationObject(operation, components, responses, basePath);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Surety',
      version: '2.0.0',
      'x-program-version': version,
      description: introductionOf(publicUrl, version),
    },
    servers: [{ url: publicUrl ?? '/', description: 'This service' }],
    security: [{ ApiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths as unknown as Json,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key of a merchant or of the platform.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses,
      schemas: components.schemas as unknown as Json,
    },
  };
}

function operationObject(operation: Operation, components: Components, responses: JsonObject, basePath: string): Json {
  const { id, summary, tag } = operation;
  const description = operation.description.replaceAll('](/', `](${basePath}/`);
  const roles = rolesOf(operation);
  const keys = roles === undefined ? '' : `\n\nKeys: ${roles.join(', ')}.`;
  return {
    operationId: id,
    summary: summary.replace(/\.$/, ''),
    description: `${description}${keys}`,
    tags: [tag],
    ...(roles === undefined ? { security: [] } : { 'x-roles': [...roles] }),
    parameters: parameters(operation, components),
    ...requestBody(operation, components),
    responses: { ...success(operation, components), ...problems(operation, responses) },
  };
}

function parameters(operation: Operation, components: Components): Json[] {
  const { route, example } = operation;
  const { path: inPath, search } = route.reference;
  const result = [
    ...(operation.command === undefined
      ? membersOf('path', inPath ?? anyTextParameters(route), components, example.path)
      : []),
    ...membersOf('query', search, components, example.query),
  ];
  if (route.roles === 'anyone') {
    return [...result, ...parametersOf(route.reference.hasTag === true ? ['IfNoneMatch', 'RequestId'] : ['RequestId'])];
  }
  const keyed = operation.command?.identity === undefined ? (['IdempotencyKey', 'URequestId'] as const) : [];
  const conditional = takesIfMatch(operation) ? (['IfMatch'] as const) : [];
  const ofKind = takesIdempotencyKey(route)
    ? ([...keyed, ...conditional] as const)
    : hasTag(route)
      ? (['IfNoneMatch', 'MinPosition'] as const)
      : route.reference.paged === true || (route.kind === 'query' && route.reference.body !== undefined)
        ? (['MinPosition'] as const)
        : [];
  return [...result, ...parametersOf([...ofKind, 'RequestId', 'Traceparent'])];
}

function anyTextParameters({ path }: Route): z.ZodType {
  return z.object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()])));
}

function membersOf(
  location: 'path' | 'query',
  schema: z.ZodType,
  components: Components,
  examples: Readonly<Record<string, Json>> = {},
): JsonObject[] {
  const { properties = {}, required = [] } = components.input(schema) as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, examples: ofSchema, ...member }]) => ({
    name,
    in: location,
    ...(location === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: (location === 'path' || ofSchema === undefined ? member : { ...member, examples: ofSchema }) as Json,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}

function requestBody(
  { route, example: { body: example, form }, key, command }: Operation,
  components: Components,
): JsonObject {
  const { body } = route.reference;
  if (body === undefined) return {};
  const jsonSchema =
    command === undefined ? components.input(body) : withEnvironment(components.input(command.input), command);
  // Of a form, generators write parameters instead of a model, so no component.
  if (route.reference.isForm === true) {
    const content = { 'application/x-www-form-urlencoded': { schema: jsonSchema as Json } };
    return { requestBody: { required: true, content } };
  }
  const schema = components.register(`${key.replace('admin/', 'Admin')}Request`, jsonSchema) as Json;
  // Generated clients send every type that is listed, so other forms are described in docs/api.md only.
  const content = { schema, ...(example === undefined ? {} : { example }) };
  const files =
    command === undefined && takesDocuments(jsonSchema)
      ? { 'multipart/form-data': { schema: formSchema(jsonSchema, form) as Json } }
      : {};
  return { requestBody: { required: true, content: { 'application/json': content, ...files } } };
}

function success({ route, result, command }: Operation, components: Components): JsonObject {
  const { reference } = route;
  const status = command?.creates === true ? 201 : (reference.status ?? 200);
  if (status === 204) return { '204': { description: 'Done.', headers: headersOf(['RequestId', 'SetCookie']) } };
  const schema = responseSchema(route, result, components);
  const example = reference.mediaType === undefined ? { example: exampleOfResponse(schema, command, components) } : {};
  const headers = [
    'RequestId' as const,
    ...(route.roles !== 'anyone' && runsCommand(route) ? (['Position', 'Pending', 'Replayed'] as const) : []),
    ...(hasTag(route) ? (['ETag'] as const) : []),
    ...(reference.isFeed === true ? (['Position', 'Link', 'RetryAfter'] as const) : []),
    ...(route.kind === 'query' && reference.body !== undefined ? (['Incomplete'] as const) : []),
    ...(reference.hasLocation === true ? (['Location'] as const) : []),
    ...(reference.paged === true && route.method === 'GET' ? (['Link'] as const) : []),
    ...(route.roles !== 'anyone' && route.roles.includes('merchant')
      ? (['RateLimit', 'RateLimitPolicy'] as const)
      : []),
  ];
  const done = {
    description: status === 201 ? 'Created.' : 'Success.',
    headers: headersOf(headers),
    content: {
      [reference.mediaType ?? 'application/json']: { schema, ...example },
      ...otherTypes(route, schema, components),
    },
  };
  const unchanged = {
    description: 'Not modified: the resource has an `ETag` of `If-None-Match`.',
    headers: headersOf(['RequestId', 'ETag']),
  };
  return {
    [String(status)]: done,
    ...(hasTag(route) ? { '304': unchanged } : {}),
    ...(reference.otherStatus === undefined
      ? {}
      : { [String(reference.otherStatus)]: { ...done, description: 'Not ready.' } }),
  };
}

function exampleOfResponse(schema: Json, command: AnyCommand | undefined, { schemas }: Components): Json {
  const example = exampleOfSchema(schema as Schema, (reference) => schemas[reference.split('/').at(-1) ?? ''] ?? {});
  return command === undefined ? example : { ...(example as JsonObject), command: command.name };
}

function otherTypes({ reference }: Route, schema: Json, components: Components): JsonObject {
  if (reference.isFeed === true) return { [BATCH_TYPE]: { schema } };
  if (reference.isDownloadable !== true) return {};
  const { items } = components.output(reference.response);
  const lines = { description: 'One item of `results` in each line', ...(items as JsonObject) };
  const table = {
    type: 'string',
    description: 'RFC 4180, with a heading; a cell like a formula begins with an apostrophe',
  };
  return { [CSV_TYPE]: { schema: table }, [JSON_LINES_TYPE]: { schema: lines } };
}

function responseSchema({ reference }: Route, result: z.ZodType | undefined, components: Components): Json {
  const response = components.output(reference.response);
  if (result !== undefined) {
    const properties = { ...(response['properties'] as JsonObject), result: components.output(result) as Json };
    return { ...response, properties } as Json;
  }
  if (reference.paged !== true) return response as Json;
  if (reference.byCursor === true) {
    const next = { type: ['string', 'null'], format: 'uri', description: 'URL of the next page; null on the last one' };
    const properties = { next, results: response as Json };
    return { type: 'object', properties, required: ['next', 'results'] };
  }
  const link = { type: ['string', 'null'], format: 'uri', description: 'URL of the next or previous page' };
  const beside: JsonObject = {};
  for (const [name, schema] of Object.entries(reference.besideResults ?? {}))
    beside[name] = components.output(schema) as Json;
  return {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 0, description: 'Number of all items, on all pages' },
      next: link,
      previous: link,
      results: response as Json,
      ...(reference.showsPaging === true ? { limit: { type: 'integer' }, offset: { type: 'integer' } } : {}),
      ...beside,
    },
    required: [
      'count',
      'next',
      'previous',
      'results',
      ...(reference.showsPaging === true ? ['limit', 'offset'] : []),
      ...Object.keys(beside),
    ],
  };
}

/** Returns whether responses have an entity tag, as those with a single resource do. */
function hasTag({ kind, reference }: Route): boolean {
  const isPage = reference.paged === true || reference.isFeed === true;
  return reference.hasTag === true || (kind === 'query' && !isPage && reference.body === undefined);
}

function problems(operation: Operation, responses: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [status, codes] of codesOf(operation)) {
    const asPage = operation.route.reference.pageErrors?.filter((code) => PROBLEM_TYPES[code].status === status) ?? [];
    const name = [...codes, ...asPage.map((code) => `${code}-page`)].join('.');
    const more =
      status === 401 ? (['Authenticate'] as const) : status === 429 || status === 503 ? (['RetryAfter'] as const) : [];
    responses[name] ??= problemResponse(codes, ['RequestId', ...more], asPage);
    result[String(status)] = { $ref: `#/components/responses/${name}` };
  }
  return result;
}

/**
 * Returns the description of the document: short, because the reference begins with it. The guide of the API has the
 * rules in full.
 */
function introductionOf(publicUrl: string | undefined, version: string): string {
  const docs = `${basePathOf(publicUrl)}/docs`;
  return `Surety is an insurance service: merchants request quotes, purchase, renew, change and cancel policies, and file claims. This is version ${version} of the program; the interface is labelled 2.0.0.

- **Keys**: every operation except those of *Service* needs a key in \`X-API-Key\`. A merchant's key is valid for one environment, live (\`sk_live_…\`) or test
  (\`sk_test_…\`); platform keys (\`sk_platform_…\`) are those of administrators and auditors.
- **Retries**: a \`POST\`, \`PATCH\` or \`PUT\` with an \`Idempotency-Key\` is executed once. After a broken connection or a 5xx, repeat it unchanged.
- **Read your writes**: send \`Surety-Position\` of a response as \`Surety-Min-Position\` of a \`GET\`.
- **Errors** are problems (RFC 9457) with a \`code\`: [all codes](${docs}/errors).
- **Money** is a decimal string, **dates** are days in the \`time_zone\` of the environment, date-times are UTC.

[The API in short](${docs}/guides/api) has all rules: bodies and forms, lists, conditional requests, limits, the order of checks. Fields and codes may be added; existing
ones keep their meaning. Generated clients: send \`application/json\`.
`;
}
