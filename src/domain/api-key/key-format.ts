import { createHash } from 'node:crypto';
import { sha256 } from '#event-sourcing/identifiers.ts';

export type KeyKind = 'live' | 'test' | 'platform';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
/** 20 bytes (160 bits) need 27 digits of base 62. */
export const SECRET_BYTES = 20;
const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const PATTERN = /^sk_(live|test|platform)_([0-9A-Za-z]{12})_([0-9A-Za-z]{33})$/;

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

export function keyIdFrom(text: string): string {
  return base62(createHash('sha256').update(text, 'utf8').digest().subarray(0, 16), ID_LENGTH);
}

/** Formats a key as `sk_live_<id>_<secret><checksum>`. @param secret `SECRET_BYTES` random bytes */
export function formatKey(kind: KeyKind, keyId: string, secret: Uint8Array): string {
  const body = `sk_${kind}_${keyId}_${base62(secret, SECRET_LENGTH)}`;
  return body + checksum(body);
}

/**
 * Returns kind and public id of a key; undefined when its format or checksum is wrong. Does not authenticate the key.
 */
export function parseKey(text: string): { readonly kind: KeyKind; readonly keyId: string } | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind: match[1] as KeyKind, keyId: match[2] as string };
}

export function hashKey(text: string): string {
  return sha256(text);
}
