import type { IncomingMessage } from 'node:http';
import { Refusal } from '../messages/problem-types.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { type AuthenticatedRoute, type Parameters, type Role, runsCommand } from '../../server/route.ts';
import type { Caller } from '#service/security/key-ring.ts';
import type { RequestState } from './begin-request.ts';

export type Authenticate = (
  request: Pick<IncomingMessage, 'headers'>,
  state: Pick<RequestState, 'caller' | 'headers'>,
) => Promise<Caller>;

/**
 * Makes the function that authenticates the caller by the API key, applies the rate limit of the key and stores both.
 * Only keys of merchants have a limit.
 * @throws {Refusal} `api_key_missing`, `api_key_invalid`, `api_key_expired`, `rate_limited`
 */
export function authenticatorOf({
  keyRing,
  rateLimiter,
}: Pick<HttpDependencies, 'keyRing' | 'rateLimiter'>): Authenticate {
  return async (request, state) => {
    const key = keyOfRequest(request);
    if (key === undefined && request.headers.authorization !== undefined)
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key: Authorization is not read');
    const caller = await keyRing.authenticate(key);
    state.caller = caller;
    if (rateLimiter === undefined || caller.reader.role !== 'merchant') return caller;
    const { allowed, headers } = rateLimiter.take(caller.actor.keyId);
    Object.assign(state.headers, headers);
    if (allowed) return caller;
    throw new Refusal('rate_limited', 'This key sends more requests a second than it may; wait a second');
  };
}

/** Returns the API key of a request; undefined without one. */
export function keyOfRequest({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const { 'x-api-key': header } = headers;
  // A repeated header is not a valid key.
  return typeof header === 'object' ? header.join(', ') : header;
}

const KEYS_OF: Record<Role, string> = {
  merchant: 'merchants',
  insurer: 'insurers',
  claims: 'claims handlers',
  admin: 'administrators',
  auditor: 'auditors',
};

/** @throws {Refusal} when the caller has no role of the route, or may only read and the request may append */
export function requireRole(
  route: AuthenticatedRoute,
  { reader, access }: Caller,
  { params, query }: { readonly params: Parameters; readonly query: string },
): void {
  const { wrongRoleCode, forbiddenHint } = route;
  const roles = route.rolesFor?.(params) ?? route.roles;
  if (access === 'read' && runsCommand(route) && !(route.hasPreview === true && isPreview(query)))
    throw new Refusal('forbidden', 'The key may only read');
  if (roles.includes(reader.role)) return;
  const detail =
    wrongRoleCode === 'merchant_key_required'
      ? "Only a merchant's key may do that here; the platform has a command for it"
      : `Only keys of ${roles.map((role) => KEYS_OF[role]).join(' and ')} may do that`;
  throw new Refusal(wrongRoleCode, forbiddenHint === undefined ? detail : `${detail}; ${forbiddenHint}`);
}

function isPreview(query: string): boolean {
  return new URLSearchParams(query).getAll('preview').join() === 'true';
}
