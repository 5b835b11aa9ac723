import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import { bodyTypeOf } from './media-type.ts';
import { readBody } from './read-body.ts';

/** More than any form of a page of Surety holds. */
const LARGEST_FORM = 16 * 1024;

/**
 * The fields of a form that a browser sends from one of Surety's own pages; of a field that is given twice, the last.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`
 * @throws {RequestAborted}
 */
export async function readSmallForm(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  if (bodyTypeOf(request.headers).kind !== 'form') {
    throw new Refusal('unsupported_media_type', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const { type, bytes } = await readBody(request, LARGEST_FORM);
  // Without a body there is no field.
  const text = type.kind === 'form' ? Buffer.from(bytes).toString('utf8') : '';
  return Object.fromEntries(new URLSearchParams(text));
}
