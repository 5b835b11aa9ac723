import type { Route } from '../route.ts';

/** The paths that the specification writes with a slash at their end. Both forms work; the document shows the written one. */
const WITH_SLASH: ReadonlySet<string> = new Set([
  '/api/v1/quotes/:quote_code',
  '/api/v1/products/:id',
  '/api/v1/insurers',
  '/api/v1/providers/search',
  '/api/v1/onboarding/providers/registration',
  '/api/v1/policies',
  '/api/v1/policies/:policy_id',
  '/api/v1/policies/:policy_id/history',
  '/api/v1/policies/renew',
  '/api/v1/customers/:id',
  '/api/v1/customers/:id/claims',
  '/api/v1/customers/:id/history',
  '/api/v1/claims/:id',
  '/api/v1/claims/:id/history',
  '/api/v1/merchants/:merchant_id',
  '/api/v1/merchants/:merchant_id/history',
  '/api/v1/merchants/:merchant_id/verify',
  '/api/v1/environments/:id',
]);

/** The specification lists the reading of policies with a slash, so their purchase at the same path has one as well. */
export function documentedPath({ path }: Pick<Route, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}') + (WITH_SLASH.has(path) || path === '/docs' ? '/' : '');
}

/** Files that a page of the reference loads; they are no operations. */
export function isAsset({ path }: Pick<Route, 'path'>): boolean {
  return /^\/docs\/[^/]+\.(?:css|js|png)$/.test(path);
}
