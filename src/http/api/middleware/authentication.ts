import type { IncomingMessage } from 'node:http';
import { Refusal } from '../messages/problem-types.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import type { AuthenticatedRoute, Role } from '../../server/route.ts';
import type { Middleware } from './begin-request.ts';

/**
 * Authenticates the caller by the API key and applies the rate limit of the key. Platform keys have no limit.
 * @throws {Refusal} `api_key_missing`, `api_key_invalid`, `rate_limited`
 */
export function authenticate({ keyRing, rateLimiter }: Pick<HttpDependencies, 'keyRing' | 'rateLimiter'>): Middleware {
  return async (request, response, next) => {
    const key = keyOfRequest(request);
    if (key === undefined && request.headers.authorization !== undefined)
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key: Authorization is not read');
    const caller = await keyRing.authenticate(key);
    response.locals.caller = caller;
    const { reader, actor } = caller;
    if (rateLimiter !== undefined && reader.role === 'merchant') {
      const { allowed, headers } = rateLimiter.take(actor.keyId);
      Object.assign(response.locals.headers, headers);
      if (!allowed)
        throw new Refusal('rate_limited', 'This key sends more requests a second than it may; wait a second');
    }
    next();
  };
}

/** Returns the API key of a request; undefined without one. */
export function keyOfRequest({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const { 'x-api-key': header } = headers;
  // A repeated header is not a valid key.
  return typeof header === 'object' ? header.join(', ') : header;
}

const KEYS_OF: Record<Role, string> = { merchant: 'merchants', admin: 'administrators', auditor: 'auditors' };

/** Makes the middleware that refuses callers without a role of the route; none when every role may call it. */
export function requireRole({ roles, wrongRoleCode, forbiddenHint }: AuthenticatedRoute): Middleware[] {
  if (Object.keys(KEYS_OF).every((role) => roles.includes(role as Role))) return [];
  const detail =
    wrongRoleCode === 'merchant_key_required'
      ? "Only a merchant's key may do that here; the back office has a command for it"
      : `Only keys of ${roles.map((role) => KEYS_OF[role]).join(' and ')} may do that`;
  const sentence = forbiddenHint === undefined ? detail : `${detail}; ${forbiddenHint}`;
  const check: Middleware = (_request, { locals: { caller } }, next) => {
    if (caller === undefined || !roles.includes(caller.reader.role)) throw new Refusal(wrongRoleCode, sentence);
    next();
  };
  return [check];
}
