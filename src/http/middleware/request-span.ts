import { withRequestSpan } from '../../runtime/traces.ts';
import type { Middleware } from './exchange.ts';

/** Runs the rest of a request on its route in a span, which ends when the connection is done with the answer. */
export const requestSpan: Middleware = (request, response, next) => {
  const { method, headers } = request;
  const traced = { method, route: response.locals.route?.path ?? '', headers };
  const untilClosed = async (): Promise<void> => {
    const closed = Promise.withResolvers<void>();
    response.once('close', closed.resolve);
    next();
    await closed.promise;
  };
  void withRequestSpan(traced, untilClosed, () => (response.headersSent ? response.statusCode : undefined));
};
