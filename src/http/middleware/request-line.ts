import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import type { Middleware } from './exchange.ts';

/** Longer addresses are refused; lists and lookups need a few hundred characters. */
const LONGEST_URL = 8_192;

/** Refuses a request whose address is too long or that does not have the header Host once. */
export const checkRequestLine: Middleware = (request, _response, next) => {
  if (request.url.length > LONGEST_URL) throw new Refusal('uri_too_long', 'The address is too long');
  const hosts = hostsOf(request);
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    throw new Refusal('malformed_request', 'HTTP/1.1 needs the header Host once (RFC 9112, 3.2)');
  }
  next();
};

/** Returns how often the header Host was sent: Node joins or drops repeated headers, but not the raw ones. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * Returns a request target as path and query, without the origin that some clients put before it (RFC 9112, 3.2.2). What is no such target
 * becomes a path that no route has, because Express would take another address out of it.
 */
export function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?]*(?=[/?]|$)/i, '');
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest.replace(/[#\s\ufeff]/g, encodeURIComponent) : `/${encodeURIComponent(rest)}`;
}
