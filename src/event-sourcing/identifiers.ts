import { hash } from 'node:crypto';
import { z } from 'zod';

/** Namespace of all derived ids. It must never change, or retries would not find the events of earlier attempts. */
const SURETY = bytesOfUuid('6f1d2f0c-5b0e-5f52-9c3a-5e1a7c1f2b64');

/** Derives a UUID (version 5) from parts. The same parts always give the same id. */
export function derivedId(...parts: readonly string[]): string {
  return uuidV5(SURETY, parts.map((part) => `${part.length}:${part}`).join('|'));
}

/** Returns the UUID of version 5 (RFC 9562, 5.5) of a name within a namespace, which is a UUID. */
export function namedId(namespace: string, name: string): string {
  return uuidV5(bytesOfUuid(namespace), name);
}

/** `crypto.hash` takes a quarter of the time of a `Hash` object, and a command derives many ids. */
function uuidV5(namespace: Buffer, name: string): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'hex');
  // The two bits of the variant are `10`.
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  // V8 would keep all these parts for as long as the id, in seven times its memory; states keep many ids.
  return Buffer.from(id, 'latin1').toString('latin1');
}

function bytesOfUuid(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Characters that show nothing: zero-width spaces and joiners, soft hyphens, variation selectors, marks of direction.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Removes the characters that show nothing. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * Normalises a text for comparison, as of names and e-mails: without invisible characters, in Unicode NFC, single
 * spaces, lower case.
 */
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

/**
 * Returns the stream that reserves a value. It is appended with "no stream", so only one owner gets it, and never
 * released.
 */
export function reservationStream(kind: string, scope: string, value: string): string {
  return `${kind}-${scope}-${sha256(normalise(value))}`;
}
