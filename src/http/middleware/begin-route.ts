import { runInRequestSpan } from '../../observability/traces.ts';
import type { Route } from '../route.ts';
import type { Middleware } from './exchange.ts';

/** Stores the route of the request, and runs the request in a span that ends when the response is closed. */
export function beginRoute(route: Route): Middleware {
  return (request, response, next) => {
    response.locals.route = route;
    const { method, headers } = request;
    const end = runInRequestSpan({ method, route: route.path, headers }, next);
    if (end !== undefined) response.once('close', () => end(response.headersSent ? response.statusCode : undefined));
  };
}
