import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../messages/problem-types.ts';

export type BodyType =
  | { readonly kind: 'json' | 'form' }
  /** `boundary` is undefined when it is missing, or not allowed by RFC 2046 (5.1.1). */
  | { readonly kind: 'multipart'; readonly boundary: string | undefined };

const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/**
 * Returns the format of a body: JSON, form or multipart, in UTF-8, not compressed.
 * @throws {Refusal} `unsupported_media_type`
 */
export function bodyTypeOf(headers: IncomingHttpHeaders): BodyType {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'The body must not be compressed');
  }
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const charset = valueOf(parameters, 'charset')?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal('unsupported_media_type', 'The body must be in UTF-8');
  }
  switch (type.trim().toLowerCase()) {
    case 'application/json':
      return { kind: 'json' };
    case 'application/x-www-form-urlencoded':
      return { kind: 'form' };
    case 'multipart/form-data': {
      const boundary = valueOf(parameters, 'boundary');
      return { kind: 'multipart', boundary: boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined };
    }
    default:
      throw new Refusal(
        'unsupported_media_type',
        'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data',
      );
  }
}

function valueOf(parameters: readonly string[], name: string): string | undefined {
  for (const parameter of parameters) {
    // Trimmed first, because matching white space on both sides would take quadratic time.
    const match = /^([^\s="]+)\s*=\s*(?:"([^"]*)"|(\S*))$/.exec(parameter.trim());
    if (match?.[1]?.toLowerCase() === name) return (match[2] ?? match[3]) || undefined;
  }
  return undefined;
}
