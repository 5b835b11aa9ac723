import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Caller } from '../../security/caller.ts';
import { requestIdOf } from '../messages/headers.ts';
import type { Call, Parameters, Route } from '../route.ts';

/** A request while it is in flight: `response.locals`, filled by one middleware after the other. */
export interface Exchange {
  requestId: string;
  startedAt: number;
  /** Headers of the answer, whatever it is; `writeHead` takes all headers at once, because `setHeader` is slower. */
  headers: Record<string, string>;
  route?: Route;
  caller?: Caller;
  body?: Call['body'];
}

export type ExchangeResponse = Response<unknown, Exchange>;
export type Middleware = RequestHandler<Parameters, unknown, unknown, unknown, Exchange>;
export type ErrorMiddleware = ErrorRequestHandler<Parameters, unknown, unknown, unknown, Exchange>;

/** Names the request, and sets the headers of every answer. */
export const beginExchange: Middleware = (request, response, next) => {
  const { locals } = response;
  locals.startedAt = performance.now();
  locals.requestId = requestIdOf(request.headers);
  locals.headers = { 'X-Request-Id': locals.requestId, 'X-Content-Type-Options': 'nosniff' };
  next();
};
