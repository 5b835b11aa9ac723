import type { Logger } from 'pino';
import { Refusal, asRefusal, problemResponseOf } from '../messages/problem-types.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { RequestAborted } from '../bodies/read-body.ts';
import type { RouteResponse } from '../messages/response.ts';
import type { ErrorMiddleware, ExpressResponse } from './begin-request.ts';
import type { OutageLog } from './outage-log.ts';
import type { SendResponse } from './send-response.ts';

interface ProblemOptions {
  readonly log: Logger;
  readonly outages: OutageLog;
  readonly send: SendResponse;
  /** Path below which the service is reached. */
  readonly basePath: string;
}

export function problemDetails({ log, outages, send, basePath }: ProblemOptions): ErrorMiddleware {
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, _request, response, _next) => {
    if (thrown instanceof RequestAborted) return void response.destroy();
    if (response.headersSent) {
      log.error(
        { err: thrown, request_id: response.locals.requestId },
        'A response failed after its headers were sent',
      );
      return void response.destroy();
    }
    const refusal = isUndecodablePath(thrown)
      ? new Refusal('invalid_request', 'The path is not validly percent-encoded')
      : asRefusal(thrown);
    const problem = problemOf(refusal, response, basePath);
    if (thrown instanceof StoreUnavailable) {
      outages.recordRefusal(thrown);
      const { store } = thrown;
      return send(response, store === undefined ? problem : { ...problem, log: { ...problem.log, store } });
    }
    if (problem.status === 500) {
      const { requestId, route } = response.locals;
      log.error({ err: thrown, request_id: requestId, route: route?.path }, 'A request failed');
    }
    send(response, problem);
  };
}

/** Makes the problem with the request id, in the media type that the client accepts. */
function problemOf(refusal: Refusal, { req, locals }: ExpressResponse, basePath: string): RouteResponse {
  const { requestId, route } = locals;
  const { accept } = req.headers;
  return problemResponseOf(refusal, { requestId, accept, basePath, members: route?.problemMembers });
}

/** Recognises the error of Express's router for an invalid percent-encoding in a path parameter. */
function isUndecodablePath(thrown: unknown): boolean {
  return thrown instanceof URIError && (thrown as { readonly status?: number }).status === 400;
}
