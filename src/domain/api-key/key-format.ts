import { createHash } from 'node:crypto';
import { sha256 } from '../../event-sourcing/identifiers.ts';

/** Which door a key opens: a merchant's live or test environment, or the platform. */
export type KeyKind = 'live' | 'test' | 'platform';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** 20 bytes, 160 bits, need 27 digits of base 62. */
export const SECRET_BYTES = 20;
const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^sk_(live|test|platform)_([0-9A-Za-z]{12})_([0-9A-Za-z]{33})$/;

function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < length; i++) {
    digits = BASE62[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}

function checksum(text: string): string {
  return base62(createHash('sha256').update(text, 'utf8').digest().subarray(0, 8), CHECKSUM_LENGTH);
}

/** The public id of a key, from any text that is used for one key only. */
export function keyIdFrom(text: string): string {
  return base62(createHash('sha256').update(text, 'utf8').digest().subarray(0, 16), ID_LENGTH);
}

/** `sk_live_<id>_<secret><checksum>` from the secret's random bytes (`SECRET_BYTES` of them). */
export function formatKey(kind: KeyKind, keyId: string, secret: Uint8Array): string {
  const body = `sk_${kind}_${keyId}_${base62(secret, SECRET_LENGTH)}`;
  return body + checksum(body);
}

/** Kind and public id of a key; undefined when it was not made by Surety or was mistyped. Proves nothing else. */
export function parseKey(text: string): { readonly kind: KeyKind; readonly keyId: string } | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind: match[1] as KeyKind, keyId: match[2] as string };
}

/** What is kept of a key: its lower-case hex SHA-256. */
export function hashKey(text: string): string {
  return sha256(text);
}
