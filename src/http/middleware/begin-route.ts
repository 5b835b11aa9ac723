import { runInRequestSpan } from '../../observability/traces.ts';
import type { Route } from '../route.ts';
import type { Middleware } from './exchange.ts';

/** Notes the route of a request, and runs the rest of it in a span, which ends when the connection is done with the answer. */
export function beginRoute(route: Route): Middleware {
  return (request, response, next) => {
    response.locals.route = route;
    const { method, headers } = request;
    const end = runInRequestSpan({ method, route: route.path, headers }, next);
    if (end !== undefined) response.once('close', () => end(response.headersSent ? response.statusCode : undefined));
  };
}
