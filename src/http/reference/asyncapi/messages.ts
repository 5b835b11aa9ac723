import { ATTRIBUTE_PREFIX, messageHeaders, type MessageHeaders } from '#public-events/headers.ts';
import { type JsonSchema, jsonSchemaOf, openSchemaOf } from '#public-events/definition.ts';
import { PUBLIC_EVENTS, schemaAddress, structuredEvent } from '#public-events/translate.ts';
import type { Json } from '../openapi/page.ts';
import { exampleOfSchema } from '../openapi/schema-examples.ts';

type PublicEvent = (typeof PUBLIC_EVENTS)[number];
type JsonObject = Record<string, Json>;

export const KAFKA_BINDING = '0.5.0';

/**
 * Returns the key of the message of a type in the components: in its topic in binary mode, in the feed in structured
 * mode.
 */
export function messageKey(type: string, mode: 'binary' | 'structured'): string {
  return mode === 'binary' ? type : `${type}.structured`;
}

/** Returns the messages of all types, in both modes. */
export function messages(): JsonObject {
  return Object.fromEntries(
    PUBLIC_EVENTS.flatMap((event) => [
      [messageKey(event.type, 'binary'), binaryMessage(event)],
      [messageKey(event.type, 'structured'), structuredMessage(event)],
    ]),
  );
}

/** The headers and the key of every Kafka message. */
export function messageTrait(): Json {
  return {
    contentType: 'application/json',
    headers: withoutDialect(openSchemaOf(messageHeaders)),
    bindings: {
      kafka: {
        key: {
          type: 'string',
          format: 'uuid',
          description:
            'The policy, claim, merchant (tenant id), provider or product. Messages of a key keep their order.',
        },
        bindingVersion: KAFKA_BINDING,
      },
    },
  };
}

/** The members of an event in structured mode, except `data`: the attributes of the message. */
export function cloudEvent(): Json {
  const { properties = {}, required = [] } = openSchemaOf(messageHeaders);
  const name = (header: string): string =>
    header === 'content-type' ? 'datacontenttype' : header.slice(ATTRIBUTE_PREFIX.length);
  const isAttribute = (header: string): boolean => header.startsWith(ATTRIBUTE_PREFIX) || header === 'content-type';
  return withFormat({
    type: 'object',
    description: 'A CloudEvent 1.0 in structured mode.',
    properties: Object.fromEntries(
      Object.entries(properties).flatMap(([header, schema]) =>
        isAttribute(header) ? [[name(header), schema as Json] as const] : [],
      ),
    ),
    required: [...required.filter(isAttribute).map(name), 'data'],
  });
}

function binaryMessage(event: PublicEvent): Json {
  const { type, description } = event;
  return {
    name: type,
    title: type,
    summary: description,
    // The type distinguishes the messages of a topic. The trait has the other headers.
    headers: { type: 'object', properties: { ce_type: { const: type } } },
    payload: withFormat(withoutDialect(jsonSchemaOf(event))),
    traits: [{ $ref: '#/components/messageTraits/CloudEvent' }],
    examples: [{ ...messageExample(event) }],
  };
}

function structuredMessage(event: PublicEvent): Json {
  const { type, description } = event;
  return {
    name: type,
    title: type,
    summary: description,
    contentType: 'application/cloudevents+json',
    payload: withFormat({
      allOf: [{ $ref: '#/components/schemas/CloudEvent/schema' }],
      properties: { type: { const: type }, data: { $ref: `#/components/messages/${type}/payload/schema` } },
    }),
    examples: [{ payload: structuredExample(messageExample(event)) }],
  };
}

/** Names the dialect of a schema, because that of AsyncAPI is draft 07. */
function withFormat(schema: Json): Json {
  return { schemaFormat: 'application/schema+json;version=draft-2020-12', schema };
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): Json {
  return schema as Json;
}

/** A public message with its value parsed. */
interface MessageExample {
  readonly headers: MessageHeaders;
  readonly payload: Json;
}

/** Makes an example of a message from the schemas of its headers and its data. */
export function messageExample(event: (typeof PUBLIC_EVENTS)[number]): MessageExample {
  const { type } = event;
  const headers = exampleOf(openSchemaOf(messageHeaders)) as MessageHeaders;
  const ce_dataschema = schemaAddress('https://surety.example', type);
  return { headers: { ...headers, ce_type: type, ce_dataschema }, payload: exampleOf(jsonSchemaOf(event)) };
}

function exampleOf(schema: JsonSchema): Json {
  return exampleOfSchema(schema, (reference) => schema.$defs?.[reference.split('/').at(-1) ?? ''] ?? {});
}

/** Returns the example as the feed serves it. */
export function structuredExample({ headers, payload }: MessageExample): Json {
  return JSON.parse(structuredEvent({ headers, value: JSON.stringify(payload) })) as Json;
}
