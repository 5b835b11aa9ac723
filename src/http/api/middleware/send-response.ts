import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { BodyStream } from '#queries/query.ts';
import { type BodyMemory, tooManyBytes } from '../bodies/body-memory.ts';
import type { RouteResponse } from '../messages/response.ts';
import { type Route, runsCommand } from '../../server/route.ts';
import type { ExpressResponse } from './begin-request.ts';
import type { ObserveRequest } from './http-metrics.ts';

export interface SendOptions {
  readonly log: Logger;
  readonly observe: ObserveRequest;
  readonly bodyMemory: BodyMemory;
  readonly isStopping: () => boolean;
  /** Milliseconds after which a response is cut of which the operating system accepts no byte. */
  readonly stalledResponseTimeout: number;
  readonly onStalled: () => void;
}

/** @throws {Refusal} `busy`, before it writes anything */
export type SendResponse = (response: ExpressResponse, content: RouteResponse) => void;

/** Longer bodies count as bodies in memory until they are sent. */
const SMALL_BYTES = 64 * 1024;
/** What a body that is sent in parts holds, about: a row of a stored document, or a part of a list. */
const STREAM_BYTES = 256 * 1024;

/** Makes the function that logs, counts and writes a response. Writes nothing to a closed connection. */
export function responseSender(options: SendOptions): SendResponse {
  const { log, observe, bodyMemory, isStopping, stalledResponseTimeout, onStalled } = options;
  return (response, content) => {
    const { method } = response.req;
    const { requestId, startedAt, route, caller } = response.locals;
    const { status, headers, body, log: more } = content;
    const canSend = !response.destroyed && !response.headersSent;
    const length = lengthOf(body);
    // Bytes that need no key are files of the reference, which are in memory anyway.
    const isMade = typeof body === 'string' || (caller !== undefined && body !== undefined && !isStream(body));
    const isLarge = isMade && body.length > SMALL_BYTES;
    const held = isStream(body) ? Math.min(length ?? STREAM_BYTES, STREAM_BYTES) : isLarge ? Number(length) : 0;
    // A 503 must not replace the response to an executed command, because the client would retry.
    const isCommandResponse = route !== undefined && runsCommand(route) && 'Surety-Position' in headers;
    if (held > 0 && canSend && method !== 'HEAD' && !isCommandResponse) {
      const hold = bodyMemory.holderFor(response, caller?.id);
      if (!hold(held)) throw tooManyBytes();
    }
    const ms = performance.now() - startedAt;
    observe(route, method, status, ms);
    logRequest(log, { requestId, method, route, status, ms, keyId: caller?.actor.keyId, more });
    if (!canSend) return;
    response.writeHead(status, {
      ...headers,
      ...response.locals.headers,
      ...(length === undefined ? undefined : { 'Content-Length': length }),
      ...(isStopping() ? { Connection: 'close' } : undefined),
    });
    if (method === 'HEAD') return void response.end();
    if (isStream(body)) {
      stream(response, body).catch((error: unknown) => {
        log.error({ err: error, request_id: requestId }, 'A response failed after its headers were sent');
      });
    } else {
      // Node would copy a large text several times.
      response.end(isLarge && typeof body === 'string' ? Buffer.from(body) : body);
      // Usually the operating system accepts the whole response at once.
      if (response.writableLength === 0) return;
    }
    response.setTimeout(stalledResponseTimeout, () => {
      onStalled();
      response.destroy();
    });
  };
}

function lengthOf(body: RouteResponse['body']): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return isStream(body) ? body.length : body?.length;
}

function isStream(body: RouteResponse['body']): body is BodyStream {
  return typeof body === 'object' && 'chunks' in body;
}

/**
 * Sends a body while it is produced, no faster than the client reads it. Cuts the response when the body fails, so that
 * the client does not take it for complete. A client that closes the connection is no error.
 */
async function stream(response: ServerResponse, { chunks }: BodyStream): Promise<void> {
  try {
    await pipeline(Readable.from(chunks(), { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

interface RequestEntry {
  readonly requestId: string;
  readonly method: string;
  readonly route: Route | undefined;
  readonly status: number;
  readonly ms: number;
  readonly keyId: string | null | undefined;
  readonly more: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Logs commands and refusals at `info`, faults at `error`, other reads and pages at `debug`. Refusals because of an
 * outage of a store are logged at `debug`, because `OutageLog` counts them.
 */
function logRequest(log: Logger, entry: RequestEntry): void {
  const level = levelOf(entry);
  if (!log.isLevelEnabled(level)) return;
  const { requestId, method, route, status, ms, keyId, more } = entry;
  log[level](
    {
      request_id: requestId,
      method: methodName(method),
      route: route?.path,
      status,
      ms: Math.round(ms * 10) / 10,
      key_id: keyId ?? undefined,
      ...more,
    },
    'request',
  );
}

function levelOf({ route, status, more }: RequestEntry): 'debug' | 'info' | 'error' {
  if (status >= 500 && status !== 503) return 'error';
  if (route?.kind === 'public' || more?.['store'] !== undefined) return 'debug';
  return status >= 400 || (route !== undefined && runsCommand(route)) ? 'info' : 'debug';
}

function methodName(method: string): string {
  return method.length <= 16 ? method : 'other';
}
