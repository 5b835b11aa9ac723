import { Refusal } from '../messages/problem-types.ts';
import { type OriginRequest, originOf } from '../messages/links.ts';

/**
 * Requires that a page of this service has sent the request: the browser says so, and another site cannot send the
 * header `X-Surety-Console`.
 * @throws {Refusal} `cross_site`
 */
export function requireSameOrigin(request: OriginRequest, publicUrl: string | undefined): void {
  const { 'sec-fetch-site': site, origin = '', 'x-surety-console': mark } = request.headers;
  const own = [publicUrl, undefined].map((url) => new URL(originOf(request, url)).origin);
  // Browsers without `Sec-Fetch-Site` send `Origin` with what is no GET.
  const isSameOrigin = site === undefined ? own.includes(origin) : site === 'same-origin';
  if (isSameOrigin && mark === '1') return;
  throw new Refusal('cross_site', 'With a session only a page of this service may send that; use a key elsewhere');
}
