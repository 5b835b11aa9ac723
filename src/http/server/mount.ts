import { Router } from 'express';
import { runInRequestSpan } from '#service/observability/traces.ts';
import { Refusal } from '../api/messages/problem-types.ts';
import { readCommandBody } from '../api/bodies/command-body.ts';
import { splitUrl } from '../api/messages/query-string.ts';
import { requireRole } from '../api/middleware/authentication.ts';
import type { Middleware } from '../api/middleware/begin-request.ts';
import type { SendResponse } from '../api/middleware/send-response.ts';
import { type Method, type Route, type RouteContext, runsCommand } from './route.ts';

export interface MountOptions {
  readonly context: RouteContext;
  readonly authenticate: Middleware;
  readonly send: SendResponse;
}

/** Makes a router that checks a request in this order: path, method, key, role, body. */
export function routerOf(routes: readonly Route[], options: MountOptions): Router {
  const router = Router({ caseSensitive: true });
  // Express uses the first matching path, so names are sorted before parameters: in ASCII, ~ follows every letter.
  const paths = Map.groupBy(routes, ({ path }) => path.replaceAll(':', '~'));
  for (const [, routesOfPath] of [...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    mountPath(router, routesOfPath, options);
  return router;
}

function mountPath(router: Router, routes: readonly Route[], options: MountOptions): void {
  const mounted = router.route(routes[0]?.path ?? '');
  const refuse = refuseOtherMethods(allowedMethods(routes), options);
  for (const route of routes) {
    // Express answers HEAD like GET; HEAD must not run a command.
    if (route.method === 'GET' && runsCommand(route)) mounted.head(refuse);
    mounted[route.method.toLowerCase() as Lowercase<Method>](...middlewareOf(route, options));
  }
  mounted.all(refuse);
}

function middlewareOf(route: Route, { context, authenticate, send }: MountOptions): Middleware[] {
  const { body } = route;
  const parseBody =
    (declared: NonNullable<Route['body']>): Middleware =>
    async (request, response, next) => {
      const { locals } = response;
      const hold = context.bodyMemory.holderFor(response, locals.caller?.actor.keyId);
      locals.body = await readCommandBody(request, { ...declared(request.params), hold });
      next();
    };
  const handle: Middleware = async (request, response) => {
    const { requestId, caller, body = {} } = response.locals;
    const { path } = route;
    const call = { request, response, path, parameters: request.params, requestId, body, ...splitUrl(request.url) };
    if (route.roles === 'anyone') return send(response, await route.handle(call, context));
    if (caller === undefined) throw new Error('an authenticated route was called without a caller');
    send(response, await route.handle({ ...call, caller }, context));
  };
  const authentication = route.roles === 'anyone' ? [] : [authenticate, ...requireRole(route)];
  return [beginRoute(route), ...authentication, ...(body === undefined ? [] : [parseBody(body)]), handle];
}

/** Stores the route of the request, and runs the request in a span that ends when the response is closed. */
function beginRoute(route: Route): Middleware {
  return (request, response, next) => {
    response.locals.route = route;
    const { method, headers } = request;
    const end = runInRequestSpan({ method, route: route.path, headers }, next);
    if (end !== undefined) response.once('close', () => end(response.headersSent ? response.statusCode : undefined));
  };
}

function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.flatMap((route) =>
    route.method === 'GET' && !runsCommand(route) ? ['GET', 'HEAD'] : [route.method],
  );
  return [...methods, 'OPTIONS'].join(', ');
}

function refuseOtherMethods(allow: string, { send }: MountOptions): Middleware {
  return (request, response) => {
    if (request.method === 'OPTIONS')
      return send(response, { status: 204, headers: { Allow: allow }, body: undefined });
    response.locals.headers['Allow'] = allow;
    throw new Refusal('method_not_allowed', `The path supports ${allow}`);
  };
}

/** @throws {Error} when two routes have the same method and path, of which Express would ignore the second */
export function requireDistinct(routes: readonly Route[]): void {
  const names = routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Two routes answer ${repeated}`);
}
