import { createHash } from 'node:crypto';
import { parse, v5 } from 'uuid';
import { z } from 'zod';

/** Namespace of all derived ids. It must never change, or retries would not find the events of earlier attempts. */
const SURETY = parse('6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');

/** Derives a UUID (version 5) from parts. The same parts always give the same id. */
export function derivedId(...parts: readonly string[]): string {
  const text = parts.map((part) => `${part.length}:${part}`).join('|');
  // An import derives a million ids, and `uuid` takes twice as long for a string as for bytes.
  return v5(Buffer.from(text, 'utf8'), SURETY);
}

/** Returns the UUID of version 5 (RFC 9562, 5.5) of a name within a namespace, which is a UUID. */
export function namedId(namespace: string, name: string): string {
  return v5(name, namespace);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Characters that show nothing: zero-width spaces and joiners, soft hyphens, variation selectors, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Removes the characters that show nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Normalises a text for comparison, as of names and e-mails: without invisible characters, in Unicode NFC, single spaces, lower case. */
export function normalise(text: string): string {
  return withoutInvisible(text).normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Compares texts for sorting, such as days, instants and padded positions. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export const uuid = z.uuid('must be a UUID');

export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** Returns the stream that reserves a value. It is appended with "no stream", so only one owner gets it, and never released. */
export function reservationStream(kind: string, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalise(value))}`;
}
