import { Refusal } from '../messages/problem-types.ts';
import { headerValues } from '../messages/headers.ts';
import type { Middleware } from './begin-request.ts';

const MAX_URL_LENGTH = 8_192;

/** Refuses a request with a too long URL, or without exactly one header Host. */
export const checkRequestLine: Middleware = (request, _response, next) => {
  if (request.url.length > MAX_URL_LENGTH) throw new Refusal('uri_too_long', 'The address is too long');
  const hosts = headerValues(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new Refusal('malformed_request', 'HTTP/1.1 needs the header Host once (RFC 9112, 3.2)');
  }
  next();
};

/**
 * Returns a request target in origin form, also for the absolute form (RFC 9112, 3.2.2). An invalid target becomes a
 * path without a route, because Express would parse it as another URL.
 */
export function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, '');
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest.replace(/[#\s\ufeff]/g, encodeURIComponent) : `/${encodeURIComponent(rest)}`;
}
