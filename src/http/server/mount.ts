import type { IRouter } from 'express';
import { inRequestSpan } from '#service/observability/traces.ts';
import { Refusal } from '../api/messages/problem-types.ts';
import { readCommandBody } from '../api/bodies/command-body.ts';
import { splitUrl } from '../api/messages/query-string.ts';
import { type Authenticate, requireRole } from '../api/middleware/authentication.ts';
import type { ExpressResponse, Middleware } from '../api/middleware/begin-request.ts';
import { requireSameOrigin } from '../api/session/same-origin.ts';
import type { SendResponse } from '../api/middleware/send-response.ts';
import { type Call, type Method, type Route, type RouteContext, runsCommand } from './route.ts';

type RouteRequest = Call['request'];

interface MountOptions {
  readonly context: RouteContext;
  readonly authenticate: Authenticate;
  readonly send: SendResponse;
}

/** Mounts routes. A request is checked in this order: path, method, key, role, body. */
export function mountRoutes(router: IRouter, routes: readonly Route[], options: MountOptions): void {
  // Express uses the first matching path, so names are sorted before parameters: in ASCII, ~ follows every letter.
  const paths = Map.groupBy(routes, ({ path }) => path.replaceAll(':', '~'));
  for (const [, routesOfPath] of [...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    mountPath(router, routesOfPath, options);
}

function mountPath(router: IRouter, routes: readonly Route[], options: MountOptions): void {
  const mounted = router.route(routes[0]?.path ?? '');
  const refuse = refuseOtherMethods(allowedMethods(routes), options);
  for (const route of routes) {
    // Express answers HEAD like GET; HEAD must not run a command.
    if (route.method === 'GET' && runsCommand(route)) mounted.head(refuse);
    mounted[route.method.toLowerCase() as Lowercase<Method>](handlerOf(route, options));
  }
  mounted.all(refuse);
}

/** Makes the handler of a route: a single one, because from one to the next Express takes longer than most steps do. */
function handlerOf(route: Route, { context, authenticate, send }: MountOptions): Middleware {
  const answer: Middleware = async (request, response, next) => {
    try {
      if (route.roles === 'anyone') {
        if (route.isSameOrigin === true) requireSameOrigin(request, context.publicUrl);
        send(response, await route.handle(await callOf(route, request, response, context), context));
        return;
      }
      const caller = await authenticate(request, response.locals);
      requireRole(route, caller, { params: request.params, query: splitUrl(request.url).search });
      const call = await callOf(route, request, response, context);
      send(response, await route.handle({ ...call, caller, route }, context));
    } catch (error) {
      // Within the span, of which the response to the error is a part.
      next(error);
    }
  };
  return async (request, response, next) => {
    response.locals.route = route;
    await inRequestSpan(request, response, route.path, async () => await answer(request, response, next));
  };
}

async function callOf(
  { path, body: rulesOf }: Route,
  request: RouteRequest,
  response: ExpressResponse,
  { bodyMemory }: RouteContext,
): Promise<Call> {
  const { params: parameters } = request;
  const { requestId, caller } = response.locals;
  const limits = rulesOf && { ...rulesOf(parameters), hold: bodyMemory.holderFor(response, caller?.id) };
  const body = limits === undefined ? {} : await readCommandBody(request, limits);
  return { request, response, path, parameters, requestId, body, ...splitUrl(request.url) };
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
