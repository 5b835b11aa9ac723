import type { IncomingMessage } from 'node:http';
import { requireJsonObject } from '#event-sourcing/executor/json-object.ts';
import { Refusal } from '../messages/problem-types.ts';
import { coerceForm, type JsonSchema } from './coerce.ts';
import { type FormEntry, JsonParts, nestFields, withDocuments, urlencodedEntries } from './form-entries.ts';
import { checkJsonText, JSON_LIMITS, type JsonLimits } from './json-text.ts';
import { multipartEntries } from './multipart.ts';
import { type ReadBody, type ReadLimits, readBody } from './read-body.ts';

const MIB = 1024 * 1024;

export interface BodyRules {
  /** In bytes. */
  readonly limit: number;
  /** Maximum number of members of all objects together. */
  readonly members: number;
  readonly schema: JsonSchema;
}

/** Returns whether the body has documents, which may be files of a form. */
export function takesDocuments({ properties }: JsonSchema): boolean {
  return properties?.['documents'] !== undefined;
}

/** Of documents, and of what is imported. */
export const MANY_MEMBERS = 100_000;

export function bodyRulesOf(schema: JsonSchema, members = JSON_LIMITS.members): BodyRules {
  return takesDocuments(schema) ? { limit: 10 * MIB, members: MANY_MEMBERS, schema } : { limit: MIB, members, schema };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads and parses the body of a command: JSON, or a form whose texts are converted to the types of the schema. The
 * same content gives the same object in both formats, so that they share an idempotency key. Exception: where the
 * schema allows numbers and texts, a form gives a text.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_body`, `invalid_request`, `busy`
 * @throws {RequestAborted}
 */
export async function readCommandBody(
  request: IncomingMessage,
  { schema, members, ...limits }: BodyRules & ReadLimits,
): Promise<Body> {
  return await parseBody(await readBody(request, limits), { schema, members });
}

/**
 * Parses a body.
 * @throws {Refusal} `malformed_body`, `invalid_request`, `unsupported_media_type` for the charset of a part
 */
export async function parseBody(
  { type, bytes }: ReadBody,
  { schema, members }: Pick<BodyRules, 'schema' | 'members'>,
): Promise<Body> {
  const limits = { ...JSON_LIMITS, members };
  const json = new JsonParts(limits);
  switch (type.kind) {
    case 'json':
      return requireJsonObject(parseJson(bytes, limits));
    case 'form':
      return formBody(formOf(bytes, json), schema, json);
    case 'multipart':
      return formBody(withDocuments(await multipartEntries(bytes, type.boundary, json)), schema, json);
  }
}

/** curl -d sends JSON as a form unless it is given another type. @throws {Refusal} `malformed_body` */
function formOf(bytes: Uint8Array, json: JsonParts): readonly FormEntry[] {
  const entries = urlencodedEntries(bytes, json);
  if (entries.length === 1 && /^\s*\{/.test(entries[0]?.name ?? ''))
    throw new Refusal('malformed_body', 'The body looks like JSON; send Content-Type: application/json');
  return entries;
}

function formBody(entries: readonly FormEntry[], schema: JsonSchema, json: JsonParts): Body {
  // `coerceForm` parses the JSON in fields, so its objects are checked too.
  return requireJsonObject(coerceForm(nestFields(entries, json), schema));
}

function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  checkJsonText(bytes, { limits });
  try {
    // The decoder drops a byte order mark.
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    // Only the position: the message may quote the body.
    const [place = ''] = error instanceof SyntaxError ? (/ at position \d+/.exec(error.message) ?? []) : [];
    throw new Refusal('malformed_body', `The body is not JSON in UTF-8${place === '' ? '' : `: error${place}`}`);
  }
}
