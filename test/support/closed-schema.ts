import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from '#http/reference/openapi/page.ts';

type Members = Readonly<Record<string, Json>>;

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^https?:\/\/\S+$/,
  'uri-reference': /^\S+$/,
  base64: true,
  binary: true,
};

/** Makes a validator of JSON Schema that is independent of the zod schemas. */
export function schemaValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  return ajv;
}

/**
 * Returns the schema with all objects closed to members that they do not declare. The schemas of responses are open, so
 * that clients accept members that are added later; a test must notice these.
 */
export function closedSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closedSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, closedSchema(member)]));
  const declares = members['type'] === 'object' && isObject(members['properties']);
  return declares ? { additionalProperties: false, ...members } : members;
}

function isObject(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes an error of a validation in one line. */
export function formatError({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath || '(root)'} ${message} ${JSON.stringify(params)}`;
}
