import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { MAX_BODY_BYTES } from '../bodies/command-body.ts';
import type { BodyStream } from '../../../queries/query.ts';
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
  readonly isStopping: () => boolean;
}

export type SendAnswer = (response: ExchangeResponse, answer: Answer) => void;

/** Makes the function that logs, counts and writes an answer. Writes nothing to a closed connection. */
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
      ...(body === undefined || isStream(body) ? undefined : { 'Content-Length': length }),
      ...(isStopping() || status === 413 ? { Connection: 'close' } : undefined),
    });
    if (method === 'HEAD') return void response.end();
    if (!isStream(body)) return responses.end(response, body, length);
    responses.stream(response, body).catch((error: unknown) => {
      log.error({ err: error, request_id: requestId }, 'An answer failed after its headers were sent');
    });
  };
  return send;
}

/**
 * Refuses a request when its answer would exceed the limit of waiting bytes. Checked before a command runs, because the answer of an
 * executed command is always sent, and is about as large as the body.
 */
export function checkResponseCapacity(responses: WaitingResponses): Middleware {
  return (request, _response, next) => {
    if (!responses.canBuffer(bodyLengthOf(request))) throw busyRefusal();
    next();
  };
}

/** Returns the length of a body; of a stream what it holds in memory. */
function lengthOf({ body }: Pick<Answer, 'body'>): number {
  if (body === undefined) return 0;
  return isStream(body) ? body.heldBytes : Buffer.byteLength(body);
}

function isStream(body: Answer['body']): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body;
}

/** Returns whether the answer is of an executed command. A 503 must not replace it, because the client would retry. */
function isExecuted({ headers }: Answer): boolean {
  return 'Surety-Position' in headers;
}

function bodyLengthOf({ headers }: IncomingMessage): number {
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : MAX_BODY_BYTES;
  return Math.min(declared, MAX_BODY_BYTES);
}

function busyRefusal(): Refusal {
  return new Refusal('busy', 'Too many bytes of answers wait to be read by clients: send the same request again');
}
