import type { IncomingMessage } from 'node:http';
import { plainObject } from '../../command-handling/plain-object.ts';
import { Refusal } from '../../domain/refusals.ts';
import { coerced, type JsonSchema } from './coerce.ts';
import { type FormEntry, nested } from './form-entries.ts';
import { checkJsonLimits } from './json-limits.ts';
import { multipartEntries } from './multipart.ts';
import { type ReadBody, readBody } from './read-body.ts';
import { urlencodedEntries } from './urlencoded.ts';

const MIB = 1024 * 1024;
/** The largest body of a request in bytes: that of a claim, which has documents. */
export const LARGEST_BODY = 10 * MIB;

/** Returns the most bytes that the body of a command may have. */
export function bodyLimitOf(command: string): number {
  return command === 'SubmitClaim' ? LARGEST_BODY : MIB;
}

/** How the body of a route is parsed. */
export interface BodyRules {
  /** The most bytes of the body as it is sent. */
  readonly limit: number;
  /** JSON Schema of the body, to which the texts of a form are coerced. */
  readonly schema: JsonSchema;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads and parses the body of a command, an object: JSON as it stands, a form with its texts made what the schema declares.
 * The same content is the same object in either way, so that an idempotency key holds for both, but for a number where the schema takes
 * numbers and texts: in a form it is a text.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_body`, `invalid_request`
 * @throws {RequestAborted}
 */
export async function readCommandBody(request: IncomingMessage, { limit, schema }: BodyRules): Promise<Body> {
  return await parsedBody(await readBody(request, limit), schema);
}

/**
 * A body that was read, as an object.
 * @throws {Refusal} `malformed_body`, `invalid_request`, `unsupported_media_type` for the charset of a part
 */
export async function parsedBody({ type, bytes }: ReadBody, schema: JsonSchema): Promise<Body> {
  switch (type.kind) {
    case 'json':
      return plainObject(jsonOf(bytes));
    case 'form':
      return formBody(urlencodedEntries(bytes), schema);
    case 'multipart':
      return formBody(await multipartEntries(bytes, type.boundary), schema);
  }
}

function formBody(entries: readonly FormEntry[], schema: JsonSchema): Body {
  // After the coercion, which reads the JSON parts.
  return plainObject(coerced(nested(entries), schema));
}

function jsonOf(bytes: Uint8Array): unknown {
  checkJsonLimits(bytes);
  try {
    // The decoder drops a byte order mark.
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('malformed_body', 'The body is not JSON in UTF-8');
  }
}
