import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import type { Caller } from '../../security/caller.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requestIdOf } from '../messages/headers.ts';
import type { ObserveRequest } from './http-metrics.ts';
import type { OutageLog } from './outage-log.ts';
import type { WaitingResponses } from './response-limits.ts';
import { asRefusal, problemAnswer } from '../messages/problem.ts';
import { LARGEST_BODY } from '../bodies/command-body.ts';
import { RequestAborted } from '../bodies/read-body.ts';
import { logRequest } from './access-log.ts';
import type { Answer } from '../messages/answer.ts';
import type { Call, KeyedRoute, Role, Route } from '../route.ts';

/** The one road of every request, whoever found its route: key, role, handler, and whatever is thrown on the way. */
export interface Pipeline {
  /** Answers a request on its route. Never rejects. */
  readonly run: (
    route: Route,
    parameters: Readonly<Record<string, string>>,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  /** Answers a request that no route takes. */
  readonly refuse: (
    thrown: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    headers?: Readonly<Record<string, string>>,
  ) => void;
  /** Answers a request without a route by what is known already. */
  readonly reply: (answer: Answer, request: IncomingMessage, response: ServerResponse) => void;
}

export interface PipelineOptions {
  readonly dependencies: Pick<HttpDependencies, 'keyRing' | 'log' | 'rateLimiter'>;
  readonly observe: ObserveRequest;
  readonly responses: WaitingResponses;
  readonly outages: OutageLog;
  /** Whether connections are to end with their answer. */
  readonly isStopping: () => boolean;
}

/** A request while it is under way. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  readonly route: Route | undefined;
  caller: Caller | undefined;
  /** How the caller's key stands with its limit, where it has one. */
  limitHeaders: Readonly<Record<string, string>> | undefined;
}

/** The text of a path and of its query string. */
export function splitUrl(url: string): { readonly pathname: string; readonly search: string } {
  const at = url.indexOf('?');
  return at === -1 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at + 1) };
}

export function createPipeline({ dependencies, observe, responses, outages, isStopping }: PipelineOptions): Pipeline {
  const { keyRing, log, rateLimiter } = dependencies;

  const begin = (request: IncomingMessage, response: ServerResponse, route: Route | undefined): Exchange => ({
    request,
    response,
    route,
    requestId: requestIdOf(request.headers),
    startedAt: performance.now(),
    caller: undefined,
    limitHeaders: undefined,
  });

  /** Platform keys are not limited. @throws {Refusal} `rate_limited` */
  const checkRate = (exchange: Exchange, { reader, actor }: Caller): void => {
    if (rateLimiter === undefined || reader.role !== 'merchant' || actor.keyId === null) return;
    const { allowed, headers } = rateLimiter.take(actor.keyId);
    exchange.limitHeaders = headers;
    if (!allowed) throw new Refusal('rate_limited', 'This key sends more requests a second than it may; wait a second');
  };

  /**
   * A command is refused before it runs, because the answer of an executed command is always sent; it is about as large as the body.
   * @throws {Refusal} `busy`
   */
  const checkRoom = ({ request }: Exchange): void => {
    if (!responses.hasRoomFor(bodyLengthOf(request))) throw noRoom();
  };

  const answerOf = async (exchange: Exchange, parameters: Call['parameters']): Promise<Answer> => {
    const { request, requestId, route } = exchange;
    const call = { request, parameters, requestId, ...splitUrl(request.url ?? '/') };
    if (route === undefined) throw new Error('a request without a route has no handler');
    if (route.roles === 'anyone') {
      checkRoom(exchange);
      return await route.handle(call);
    }
    const caller = await keyRing.authenticate(textOf(request.headers['x-api-key']));
    exchange.caller = caller;
    checkRate(exchange, caller);
    if (!route.roles.includes(caller.reader.role)) throw refusedRole(route);
    checkRoom(exchange);
    return await route.handle({ ...call, caller });
  };

  const problem = (exchange: Exchange, thrown: unknown): Answer => {
    const refusal = asRefusal(thrown);
    if (thrown instanceof StoreUnavailable) outages.recordRefusal(thrown);
    else if (refusal !== thrown)
      log.error({ err: thrown, request_id: exchange.requestId, route: exchange.route?.path }, 'A request failed');
    const answer = problemAnswer(refusal, {
      requestId: exchange.requestId,
      accept: exchange.request.headers.accept,
      members: exchange.route?.problemMembers,
    });
    const store = thrown instanceof StoreUnavailable ? thrown.store : undefined;
    return store === undefined ? answer : { ...answer, log: { ...answer.log, store } };
  };

  const send = (exchange: Exchange, answer: Answer): void => {
    const { request, response, requestId, route, caller, limitHeaders } = exchange;
    const method = request.method ?? '';
    const length = lengthOf(answer);
    if (method !== 'HEAD' && !isExecuted(answer) && !responses.hasRoomFor(length))
      return send(exchange, problem(exchange, noRoom()));
    const { status, headers, body, log: more } = answer;
    const ms = performance.now() - exchange.startedAt;
    observe(route, method, status, ms);
    logRequest(log, { requestId, method, route, status, ms, keyId: caller?.actor.keyId, more });
    if (response.destroyed || response.headersSent) return;
    const last = isStopping() || status === 413 ? { Connection: 'close' } : undefined;
    response.writeHead(status, {
      ...headers,
      ...(body === undefined ? undefined : { 'Content-Length': length }),
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      ...limitHeaders,
      ...last,
    });
    if (method === 'HEAD') response.end();
    else responses.end(response, body, length);
  };

  return {
    run: async (route, parameters, request, response) => {
      const exchange = begin(request, response, route);
      let answer: Answer;
      try {
        answer = await answerOf(exchange, parameters);
      } catch (thrown) {
        if (thrown instanceof RequestAborted) {
          response.destroy();
          return;
        }
        answer = problem(exchange, thrown);
      }
      send(exchange, answer);
    },
    refuse: (thrown, request, response, headers = {}) => {
      const exchange = begin(request, response, undefined);
      const answer = problem(exchange, thrown);
      send(exchange, { ...answer, headers: { ...answer.headers, ...headers } });
    },
    reply: (answer, request, response) => send(begin(request, response, undefined), answer),
  };
}

function lengthOf({ body }: Answer): number {
  return body === undefined ? 0 : Buffer.byteLength(body);
}

/** Returns whether it is the answer of a command that was executed, which no 503 may replace: the client would send it again. */
function isExecuted({ headers }: Answer): boolean {
  return 'Surety-Position' in headers;
}

/** Returns the length of the body of a request in bytes, or the most that a body may have when its length is not declared. */
function bodyLengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : LARGEST_BODY;
}

function noRoom(): Refusal {
  return new Refusal('busy', 'Too many bytes of answers wait to be read by clients: send the same request again');
}

/** A header given several times is no key. */
function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(', ') : header;
}

const KEYS_OF: Record<Role, string> = { merchant: 'merchants', admin: 'administrators', auditor: 'auditors' };

function refusedRole({ otherRoles, roles }: KeyedRoute): Refusal {
  return otherRoles === 'merchant_key_required'
    ? new Refusal(otherRoles, "Only a merchant's key may do that here; the back office has a command for it")
    : new Refusal(otherRoles, `Only keys of ${roles.map((role) => KEYS_OF[role]).join(' and ')} may do that`);
}
