import type { HttpDependencies } from '../../server/dependencies.ts';
import { type OriginRequest, originOf } from '../messages/links.ts';

type CookieContext = Pick<HttpDependencies, 'publicUrl' | 'sessions'>;

const PURPOSES = {
  /** Not sent with a request that another site causes. */
  session: 'Strict',
  /** A strict one does not come back from the issuer. */
  'sign-in': 'Lax',
} as const;
type Purpose = keyof typeof PURPOSES;

/** Returns the value of a cookie of this service; undefined without one. */
export function cookieOf(purpose: Purpose, request: OriginRequest, context: CookieContext): string | undefined {
  const start = `${nameOf(purpose, request, context)}=`;
  const { cookie = '' } = request.headers;
  const found = cookie.split(';').find((pair) => pair.trim().startsWith(start));
  return found?.trim().slice(start.length);
}

/**
 * Makes the value of `Set-Cookie`. With https the name has the prefix `__Host-`, so that no other host can set it.
 * @param seconds 0 clears the cookie
 */
export function setCookie(
  purpose: Purpose,
  { value, seconds }: { readonly value: string; readonly seconds: number },
  request: OriginRequest,
  context: CookieContext,
): string {
  const secure = isSecure(request, context) ? '; Secure' : '';
  const rules = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${PURPOSES[purpose]}${secure}`;
  return `${nameOf(purpose, request, context)}=${value}; ${rules}`;
}

export function clearCookie(purpose: Purpose, request: OriginRequest, context: CookieContext): string {
  return setCookie(purpose, { value: '', seconds: 0 }, request, context);
}

function nameOf(purpose: Purpose, request: OriginRequest, context: CookieContext): string {
  return `${isSecure(request, context) ? '__Host-' : ''}surety-${purpose}-${context.sessions.nameSuffix}`;
}

function isSecure(request: OriginRequest, { publicUrl }: CookieContext): boolean {
  return originOf(request, publicUrl).startsWith('https:');
}
