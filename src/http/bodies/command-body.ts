import type { IncomingMessage } from 'node:http';
import { requireJsonObject } from '../../command-handling/json-object.ts';
import { Refusal } from '../messages/problem-types.ts';
import { coerceForm, type JsonSchema } from './coerce.ts';
import { type FormEntry, nestFields, withDocuments } from './form-entries.ts';
import { checkJsonText } from './json-text.ts';
import { multipartEntries } from './multipart.ts';
import { type ReadBody, type ReadLimits, readBody } from './read-body.ts';
import { urlencodedEntries } from './urlencoded.ts';

const MIB = 1024 * 1024;

export interface BodyRules {
  /** In bytes. */
  readonly limit: number;
  readonly schema: JsonSchema;
}

/** Returns whether the body has documents, which may be files of a form. */
export function takesDocuments({ properties }: JsonSchema): boolean {
  return properties?.['documents'] !== undefined;
}

export function bodyRulesOf(schema: JsonSchema): BodyRules {
  return { limit: takesDocuments(schema) ? 10 * MIB : MIB, schema };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads and parses the body of a command: JSON, or a form whose texts are converted to the types of the schema. The same content gives the same
 * object in both formats, so that they share an idempotency key. Exception: where the schema allows numbers and texts, a form gives a text.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_body`, `invalid_request`, `busy` @throws {RequestAborted}
 */
export async function readCommandBody(
  request: IncomingMessage,
  { schema, ...limits }: BodyRules & ReadLimits,
): Promise<Body> {
  return await parseBody(await readBody(request, limits), schema);
}

/** Parses a body. @throws {Refusal} `malformed_body`, `invalid_request`, `unsupported_media_type` for the charset of a part */
export async function parseBody({ type, bytes }: ReadBody, schema: JsonSchema): Promise<Body> {
  switch (type.kind) {
    case 'json':
      return requireJsonObject(parseJson(bytes));
    case 'form':
      return formBody(formOf(bytes), schema);
    case 'multipart':
      return formBody(withDocuments(await multipartEntries(bytes, type.boundary)), schema);
  }
}

/** curl -d sends JSON as a form unless it is given another type. @throws {Refusal} `malformed_body` */
function formOf(bytes: Uint8Array): readonly FormEntry[] {
  const entries = urlencodedEntries(bytes);
  if (entries.length === 1 && /^\s*\{/.test(entries[0]?.name ?? ''))
    throw new Refusal('malformed_body', 'The body looks like JSON; send Content-Type: application/json');
  return entries;
}

function formBody(entries: readonly FormEntry[], schema: JsonSchema): Body {
  // `coerceForm` parses the JSON in fields, so its objects are checked too.
  return requireJsonObject(coerceForm(nestFields(entries), schema));
}

function parseJson(bytes: Uint8Array): unknown {
  checkJsonText(bytes);
  try {
    // The decoder drops a byte order mark.
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    // Only the position: the message may quote the body.
    const [place = ''] = error instanceof SyntaxError ? (/ at position \d+/.exec(error.message) ?? []) : [];
    throw new Refusal('malformed_body', `The body is not JSON in UTF-8${place === '' ? '' : `: error${place}`}`);
  }
}
