import { Refusal } from '../messages/problem-types.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { type AuthenticatedRoute, type Parameters, type Role, runsCommand } from '../../server/route.ts';
import type { Caller } from '#service/security/key-ring.ts';
import { clearCookie } from '../session/cookies.ts';
import { type IdentifiedRequest, type IdentifyContext, identify, sessionOf } from '../session/identify.ts';
import type { RequestState } from './begin-request.ts';

export type Authenticate = (
  request: IdentifiedRequest,
  state: Pick<RequestState, 'caller' | 'headers'>,
) => Promise<Caller>;

/** What a browser must not keep, because it would show it after the session, or to another one. */
const SESSION_HEADERS = { 'Cache-Control': 'no-store', Vary: 'Cookie, X-API-Key, Accept' };

/**
 * Makes the function that authenticates the caller by the API key or the session, applies the rate limit and stores
 * both. Only merchants have a limit.
 * @throws {Refusal} as `identify`, and `rate_limited`
 */
export function authenticatorOf(dependencies: IdentifyContext & Pick<HttpDependencies, 'rateLimiter'>): Authenticate {
  const { rateLimiter } = dependencies;
  return async (request, state) => {
    if (sessionOf(request, dependencies) !== undefined) Object.assign(state.headers, SESSION_HEADERS);
    const caller = await identify(request, dependencies).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'session_ended')
        state.headers['Set-Cookie'] = clearCookie('session', request, dependencies);
      throw error;
    });
    state.caller = caller;
    if (rateLimiter === undefined || caller.reader.role !== 'merchant') return caller;
    const { allowed, headers } = rateLimiter.take(caller.id);
    Object.assign(state.headers, headers);
    if (allowed) return caller;
    throw new Refusal('rate_limited', 'This key sends more requests a second than it may; wait a second');
  };
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
  const mayOnlyRead = access === 'read' && runsCommand(route) && route.readersMay?.(params) !== true;
  if (mayOnlyRead && !(route.hasPreview === true && isPreview(query)))
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
