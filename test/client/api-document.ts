import { cloudEvent } from '#http/reference/asyncapi/messages.ts';
import { jsonSchemaOf } from '#public-events/definition.ts';
import { PUBLIC_EVENTS } from '#public-events/translate.ts';

type Json = ReturnType<typeof JSON.parse>;

/** Returns what the types of the client are generated from: the operations under `/api/` and the public events. */
export function documentOfClient({ paths, components, ...document }: Json): Json {
  const operations = Object.entries<Json>(paths).filter(([path]) => path.startsWith('/api/'));
  return {
    ...document,
    paths: Object.fromEntries(operations.map(([path, methods]) => [path, mapValues(methods, typedPartsOf)])),
    components: {
      schemas: withoutExamples({
        ...components.schemas,
        // The code of a problem is one of these, or a text: an editor completes the known ones.
        KnownCode: components.schemas.Problem.properties.code.anyOf[0],
        ...eventSchemas(),
      }),
    },
  };
}

/**
 * Keeps the parts of an operation that its caller sees: the client sets the headers itself, and makes errors of
 * problems.
 */
function typedPartsOf({ parameters, responses, ...operation }: Json): Json {
  const successes = Object.entries<Json>(responses).filter(([status]) => Number(status) < 300);
  return withoutExamples({
    ...operation,
    parameters: parameters.filter(({ in: location }: Json) => location === 'query' || location === 'path'),
    responses: Object.fromEntries(successes.map(([status, { headers: _, ...response }]) => [status, response])),
  });
}

function eventSchemas(): Json {
  // The attribute `type` is different in every event.
  const { properties, required, ...envelope } = (cloudEvent() as Json).schema;
  const { type: _, ...attributes } = properties;
  const isAttribute = (name: string): boolean => name in attributes;
  const events = PUBLIC_EVENTS.map((event) => {
    const { $schema: __, title: ___, ...data } = jsonSchemaOf(event) as Json;
    const own = { type: 'object', properties: { type: { const: event.type }, data }, required: ['type', 'data'] };
    const allOf = [{ $ref: '#/components/schemas/CloudEvent' }, own];
    return [nameOf(event.type), { description: event.description, allOf }] as const;
  });
  const union = { oneOf: events.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
  const common = { ...envelope, properties: attributes, required: required.filter(isAttribute) };
  return Object.fromEntries([['CloudEvent', common], ...events, ['PublicEvent', union]]);
}

/** `surety.policy.term_imported.v1` is `PolicyTermImported`. */
function nameOf(type: string): string {
  const words = type.split('.').slice(1, -1).join('_').split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Examples contain ids of the sample data, and are in the API reference. */
function withoutExamples(value: Json, isMap = false): Json {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries<Json>(value).filter(([name]) => isMap || !['example', 'examples'].includes(name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, withoutExamples(member, ['properties', 'schemas'].includes(name))]),
  );
}

function mapValues(object: Json, map: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries<Json>(object).map(([name, value]) => [name, map(value)]));
}
