import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { wrongField } from '#domain/refusals.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const POSITION = /^\d{1,18}$/;
const VISIBLE = /^[\x20-\x7e]{1,255}$/;

export function requestIdOf(headers: IncomingHttpHeaders): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : randomUUID();
}

export function traceparentOf(headers: IncomingHttpHeaders): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

/** Returns the position that the response must reflect. @throws {Refusal} `invalid_request` */
export function minPositionOf(headers: IncomingHttpHeaders): bigint | undefined {
  const position = headers['surety-min-position'];
  if (position === undefined) return undefined;
  if (typeof position === 'string' && POSITION.test(position)) return BigInt(position);
  throw wrongField('Surety-Min-Position', 'must be a position as in Surety-Position: decimal digits');
}

/**
 * Returns the idempotency key, from `Idempotency-Key` or its alias `U-Request-Id`, bare or quoted.
 * @throws {Refusal} `invalid_request`
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const keys = ['Idempotency-Key', 'U-Request-Id'].flatMap((name) => {
    const values = headerValues(request, name.toLowerCase());
    if (values.length > 1) throw wrongField(name, 'must be given once');
    return values.map((text) => keyFrom(name, text));
  });
  if (new Set(keys).size > 1) throw wrongField('U-Request-Id', 'must be the same as Idempotency-Key, or be left out');
  return keys[0];
}

/** Returns the values of a header, from `rawHeaders` because Node merges repeated ones. @param name in lower case */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}

function keyFrom(name: string, text: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text);
  const key = quoted?.[1]?.replace(/\\(.)/g, '$1') ?? text;
  if (VISIBLE.test(key)) return key;
  throw wrongField(name, 'must be 1 to 255 printable ASCII characters, bare or quoted');
}
