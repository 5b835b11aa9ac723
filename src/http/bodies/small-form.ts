import type { IncomingMessage } from 'node:http';
import { Refusal } from '../messages/problem-types.ts';
import { bodyTypeOf } from './media-type.ts';
import type { HoldBytes } from './body-memory.ts';
import { readBody } from './read-body.ts';

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Reads the fields of a form from one of Surety's pages. Of a repeated field it returns the last value.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `busy`
 * @throws {RequestAborted}
 */
export async function readSmallForm(
  request: IncomingMessage,
  hold: HoldBytes,
): Promise<Readonly<Record<string, string>>> {
  if (bodyTypeOf(request.headers).kind !== 'form') {
    throw new Refusal('unsupported_media_type', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const { type, bytes } = await readBody(request, { limit: MAX_FORM_BYTES, hold });
  const text = type.kind === 'form' ? Buffer.from(bytes).toString('utf8') : '';
  return Object.fromEntries(new URLSearchParams(text));
}
