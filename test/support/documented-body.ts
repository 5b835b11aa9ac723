import { expect } from '@jest/globals';
import type { Route } from '#http/server/route.ts';
import type { ApiResponse, ApiService } from './api-service.ts';

/** Returns the registered route. @throws {Error} when no route has this method and path */
export function getRoute(service: ApiService, method: string, path: string): Route {
  const found = service.http.routes.find((route) => route.method === method && route.path === path);
  if (found === undefined) throw new Error(`no route ${method} ${path}`);
  return found;
}

/** Checks status and body against the status and schema in the API reference. */
export function expectDocumentedBody(response: ApiResponse, route: Route): void {
  expect(response.status).toBe(route.reference.status ?? 200);
  const body = route.reference.paged ? response.json.results : response.json;
  expect(route.reference.response.safeParse(body).error?.issues ?? []).toEqual([]);
}
