import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { LARGEST_BODY } from '../bodies/command-body.ts';
import { Refusal } from '../../domain/refusals.ts';
import type { Answer } from '../messages/answer.ts';
import { logRequest } from './access-log.ts';
import type { ExchangeResponse, Middleware } from './exchange.ts';
import type { ObserveRequest } from './http-metrics.ts';
import { problemOf } from './problem-details.ts';
import type { WaitingResponses } from './response-limits.ts';

export interface SendOptions {
  readonly log: Logger;
  readonly observe: ObserveRequest;
  readonly responses: WaitingResponses;
  /** Whether connections end with their answer. */
  readonly isStopping: () => boolean;
}

export type SendAnswer = (response: ExchangeResponse, answer: Answer) => void;

/** Makes the function that logs, counts and writes an answer. It writes nothing to a client that has left. */
export function answerSender({ log, observe, responses, isStopping }: SendOptions): SendAnswer {
  const send: SendAnswer = (response, answer) => {
    const { method } = response.req;
    const { requestId, startedAt, route, caller } = response.locals;
    const length = lengthOf(answer);
    if (method !== 'HEAD' && !isExecuted(answer) && !responses.canBuffer(length))
      return send(response, problemOf(busyRefusal(), response));
    const { status, headers, body, log: more } = answer;
    const ms = performance.now() - startedAt;
    observe(route, method, status, ms);
    logRequest(log, { requestId, method, route, status, ms, keyId: caller?.actor.keyId, more });
    if (response.destroyed || response.headersSent) return;
    response.writeHead(status, {
      ...headers,
      ...response.locals.headers,
      ...(body === undefined ? undefined : { 'Content-Length': length }),
      ...(isStopping() || status === 413 ? { Connection: 'close' } : undefined),
    });
    if (method === 'HEAD') response.end();
    else responses.end(response, body, length);
  };
  return send;
}

/**
 * Refuses a request when there is no room for its answer, before a command runs: the answer of an executed command is always sent,
 * and it is about as large as the body.
 */
export function checkResponseCapacity(responses: WaitingResponses): Middleware {
  return (request, _response, next) => {
    if (!responses.canBuffer(bodyLengthOf(request))) throw busyRefusal();
    next();
  };
}

function lengthOf({ body }: Pick<Answer, 'body'>): number {
  return body === undefined ? 0 : Buffer.byteLength(body);
}

/** Returns whether it is the answer of a command that was executed, which no 503 may replace: the client would send it again. */
function isExecuted({ headers }: Answer): boolean {
  return 'Surety-Position' in headers;
}

/** Returns the most bytes of a request that may be read as its body. */
function bodyLengthOf({ headers }: IncomingMessage): number {
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGEST_BODY;
  return Math.min(declared, LARGEST_BODY);
}

function busyRefusal(): Refusal {
  return new Refusal('busy', 'Too many bytes of answers wait to be read by clients: send the same request again');
}
