import type { HttpDependencies } from '../../server/dependencies.ts';
import type { Caller } from '#service/security/key-ring.ts';
import { Refusal } from '../messages/problem-types.ts';
import type { OriginRequest } from '../messages/links.ts';
import { environmentAskedFor, findActingEnvironment, unknownEnvironment } from './acting-environment.ts';
import { cookieOf } from './cookies.ts';
import { requireSameOrigin } from './same-origin.ts';

export type IdentifyContext = Pick<HttpDependencies, 'keyRing' | 'sessions' | 'publicUrl' | 'projector' | 'readModels'>;

/**
 * Authenticates the caller of a request: by the key in `X-API-Key`, else by the cookie of a session.
 * @throws {Refusal} `api_key_missing`, `api_key_invalid`, `api_key_expired`, `session_ended`, `cross_site`,
 * `environment_not_found`, `read_models_building`
 * @throws {StoreUnavailable}
 */
export async function identify(request: IdentifiedRequest, context: IdentifyContext): Promise<Caller> {
  const asked = environmentAskedFor(request);
  const caller = await authenticate(request, asked, context);
  // A key is of one environment: the caller must not take it for another.
  const own = caller.environment?.environmentId;
  if (asked !== undefined && own !== undefined && asked !== String(own)) throw unknownEnvironment(asked);
  return caller;
}

async function authenticate(
  request: IdentifiedRequest,
  asked: string | undefined,
  context: IdentifyContext,
): Promise<Caller> {
  const session = sessionOf(request, context);
  if (session === undefined) {
    const key = keyOfRequest(request);
    if (key === undefined && request.headers.authorization !== undefined)
      throw new Refusal('api_key_missing', 'Send your API key in the header X-API-Key: Authorization is not read');
    return await context.keyRing.authenticate(key);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, context.publicUrl);
  return await context.sessions.authenticate(
    session,
    async (merchantId) => await findActingEnvironment(merchantId, asked, context),
  );
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
