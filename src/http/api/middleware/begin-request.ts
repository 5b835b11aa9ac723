import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { requestIdOf } from '../messages/headers.ts';
import type { Parameters, Route } from '../../server/route.ts';
import type { Caller } from '#service/security/key-ring.ts';

export interface RequestState {
  requestId: string;
  startedAt: number;
  /** Headers of every response. Passed to `writeHead` together, which is faster than `setHeader`. */
  headers: Record<string, string>;
  route?: Route;
  caller?: Caller;
}

export type ExpressResponse = Response<unknown, RequestState>;
export type Middleware = RequestHandler<Parameters, unknown, unknown, unknown, RequestState>;
export type ErrorMiddleware = ErrorRequestHandler<Parameters, unknown, unknown, unknown, RequestState>;

export const beginRequest: Middleware = (request, response, next) => {
  const { locals } = response;
  locals.startedAt = performance.now();
  locals.requestId = requestIdOf(request.headers);
  locals.headers = { 'X-Request-Id': locals.requestId, 'X-Content-Type-Options': 'nosniff' };
  next();
};
