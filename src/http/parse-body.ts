import { plainObject } from '../domain/plain-object.ts';
import { Refusal } from '../domain/refusals.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body that is one JSON object. A byte order mark is tolerated.
 * @throws {Refusal} `malformed_body`, `invalid_request`
 */
export function parseBody(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('malformed_body', 'The body is not JSON in UTF-8');
  }
  return plainObject(value);
}
