import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusals.ts';

/** More than any form of a page of Surety holds. */
const LARGEST_FORM = 16 * 1024;

/**
 * The fields of a form that a browser sends from one of Surety's own pages; of a field that is given twice, the last.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
export async function readSmallForm(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  const [type = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new Refusal('unsupported_media_type', 'The body must be a form: application/x-www-form-urlencoded');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= LARGEST_FORM) chunks.push(chunk);
      else if (size > 4 * LARGEST_FORM) break;
    }
  } catch {
    // The client went away: nobody reads what it is told.
    throw new Refusal('malformed_body', 'The form did not arrive whole');
  }
  if (size > LARGEST_FORM) throw new Refusal('body_too_large', `The form is larger than ${LARGEST_FORM / 1024} KiB`);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks, size).toString('utf8')));
}
