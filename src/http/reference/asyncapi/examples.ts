import { type MessageHeaders, messageHeaders } from '#public-events/headers.ts';
import { type JsonSchema, jsonSchemaOf, openSchemaOf } from '#public-events/json-schema.ts';
import { type PUBLIC_EVENTS, schemaAddress, structuredEvent } from '#public-events/translate.ts';
import type { Json } from '../openapi/page.ts';
import { exampleOfSchema } from '../openapi/schema-examples.ts';

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
