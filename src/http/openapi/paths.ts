import type { Route } from '../route.ts';

/** Paths that are documented with a trailing slash. Both forms work. */
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
  '/api/v1/claims/:id/documents',
  '/api/v1/claims/:id/offer/accept',
  '/api/v1/claims/:id/offer/reject',
  '/api/v1/merchants/:short_code',
  '/api/v1/merchants/:short_code/history',
  '/api/v1/merchants/:short_code/policies',
  '/api/v1/merchants/:short_code/customers',
  '/api/v1/merchants/:short_code/claims',
  '/api/v1/merchants/:short_code/verify',
  '/api/v1/environments/:id',
  '/api/v1/audit/portfolio',
]);

/** Returns the path in the syntax of OpenAPI. */
export function documentedPath({ path }: Pick<Route, 'path'>): string {
  return path.replace(/:(\w+)/g, '{$1}') + (WITH_SLASH.has(path) || path === '/docs' ? '/' : '');
}

/** Returns whether the route serves a file of the API reference. */
export function isAsset({ path }: Pick<Route, 'path'>): boolean {
  return /^\/docs\/[^/]+\.(?:css|js|png)$/.test(path);
}

/** Returns whether the route is an operation of the API reference. */
export function isOperation(route: Pick<Route, 'path'>): boolean {
  return route.path !== '/' && !isAsset(route);
}
