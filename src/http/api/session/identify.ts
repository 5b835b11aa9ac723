import type { HttpDependencies } from '../../server/dependencies.ts';
import type { Caller } from '#service/security/key-ring.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { OriginRequest } from '../messages/links.ts';
import { cookieOf } from './cookies.ts';
import { requireSameOrigin } from './same-origin.ts';

type IdentifyContext = Pick<HttpDependencies, 'keyRing' | 'sessions' | 'publicUrl'>;

/**
 * Authenticates the caller of a request: by the key in `X-API-Key`, else by the cookie of a session.
 * @throws {Refusal} `api_key_missing`, `api_key_invalid`, `api_key_expired`, `session_ended`, `cross_site`
 * @throws {StoreUnavailable}
 */
export async function identify(request: IdentifiedRequest, context: IdentifyContext): Promise<Caller> {
  const key = keyOfRequest(request);
  const session = sessionOf(request, context);
  if (session === undefined) {
    if (key === undefined && request.headers.authorization !== undefined)
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key: Authorization is not read');
    return await context.keyRing.authenticate(key);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, context.publicUrl);
  return await context.sessions.authenticate(session);
}

export type IdentifiedRequest = OriginRequest & { readonly method: string };

/** Returns the session of a request; undefined where it has none, or a key in its place. */
export function sessionOf(
  request: OriginRequest,
  context: Pick<IdentifyContext, 'sessions' | 'publicUrl'>,
): string | undefined {
  return keyOfRequest(request) === undefined ? cookieOf('session', request, context) : undefined;
}

/** Returns the API key of a request; undefined without one. */
export function keyOfRequest({ headers }: Pick<OriginRequest, 'headers'>): string | undefined {
  const { 'x-api-key': header } = headers;
  // A repeated header is not a valid key.
  return typeof header === 'object' ? header.join(', ') : header;
}
