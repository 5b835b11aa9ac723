import { createHash } from 'node:crypto';
import { parse, v5 } from 'uuid';
import { z } from 'zod';

/** Namespace of everything Surety derives; chosen once, never changed, or retries would no longer find what they made. */
const SURETY = parse('6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');

/** A uuid made from parts, always the same for the same parts. */
export function derivedId(...parts: readonly string[]): string {
  const text = parts.map((part) => `${part.length}:${part}`).join('|');
  // Bytes, because an import derives a million ids and uuid takes twice as long for texts.
  return v5(Buffer.from(text, 'utf8'), SURETY);
}

/** Lower-case hex SHA-256 of a text. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Unicode NFC, white space trimmed and folded, lower case: how names and e-mails are compared. */
export function normalised(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

export const uuid = z.uuid('must be a UUID');
