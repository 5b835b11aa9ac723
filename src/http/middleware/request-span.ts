import { runInRequestSpan } from '../../runtime/traces.ts';
import type { Middleware } from './exchange.ts';

/** Runs the rest of a request on its route in a span, which ends when the connection is done with the answer. */
export const requestSpan: Middleware = (request, response, next) => {
  const { method, headers } = request;
  const end = runInRequestSpan({ method, route: response.locals.route?.path ?? '', headers }, next);
  if (end !== undefined) response.once('close', () => end(response.headersSent ? response.statusCode : undefined));
};
