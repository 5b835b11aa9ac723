import { expect } from '@jest/globals';
import type { Route } from '../../src/http/route.ts';
import type { ApiAnswer, ApiService } from './api-service.ts';

/** The route of the registry with this method and path. */
export function routeOf(service: ApiService, method: string, path: string): Route {
  const found = service.http.routes.find((route) => route.method === method && route.path === path);
  if (found === undefined) throw new Error(`no route ${method} ${path}`);
  return found;
}

/** Checks status and body against the very schema that the reference shows. */
export function expectShape(answer: ApiAnswer, route: Route): void {
  expect(answer.status).toBe(route.reference.status);
  const body = route.reference.paged ? answer.json.results : answer.json;
  expect(route.reference.answer.safeParse(body).error?.issues ?? []).toEqual([]);
}
