import { codesOf, type Operation, operationsOf } from '#http/reference/openapi/operations.ts';
import type { Route } from '#http/server/route.ts';

/** Codes of requests that reach no route, whatever their path. */
const BEFORE_ROUTES: ReadonlySet<string> = new Set(['uri_too_long', 'malformed_request', 'method_not_allowed']);

/** Returns a function that throws when the code of a problem is none of the operation that the request names. */
export function operationCodes(routes: readonly Route[]) {
  // Names before parameters, as the router compares them.
  const operations = routes
    .flatMap(operationsOf)
    .map((operation) => ({ operation, pattern: patternOf(operation), codes: [...codesOf(operation).values()].flat() }))
    .toSorted((one, other) =>
      one.operation.path.replaceAll('{', '~') < other.operation.path.replaceAll('{', '~') ? -1 : 1,
    );
  return (method: string, path: string, code: string): void => {
    const { pathname } = new URL(path, 'http://surety.example');
    const asked = method === 'HEAD' ? 'GET' : method;
    const found = operations.find(
      ({ operation, pattern }) => operation.route.method === asked && pattern.test(pathname),
    );
    if (found === undefined || BEFORE_ROUTES.has(code) || found.codes.some((one) => one === code)) return;
    throw new Error(`${code} is none of the codes of ${found.operation.key}`);
  };
}

/** Throws when a logged request, however it was sent, got a code that no operation of its route has. */
export function requireLoggedCodes(routes: readonly Route[], lines: readonly string[]): void {
  const codes = new Map(
    routes.map((route) => [
      `${route.method} ${route.path}`,
      operationsOf(route).flatMap((operation): string[] => [
        ...[...codesOf(operation).values()].flat(),
        ...(route.reference.errors ?? []),
        ...(route.reference.pageErrors ?? []),
      ]),
    ]),
  );
  for (const line of lines.filter((text) => text.includes('"code":"'))) {
    const { method, route, code } = JSON.parse(line) as Readonly<Record<'method' | 'route' | 'code', string>>;
    const ofRoute = codes.get(`${method === 'HEAD' ? 'GET' : method} ${route}`) ?? [];
    if (ofRoute.length > 0 && !ofRoute.includes(code) && !BEFORE_ROUTES.has(code))
      throw new Error(`${code} is none of the codes of ${method} ${route}`);
  }
}

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
}
