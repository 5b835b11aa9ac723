import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../domain/refusals.ts';
import type { Caller } from '../../security/caller.ts';
import type { HttpDependencies } from '../routes/dependencies.ts';
import { requestIdOf } from '../messages/headers.ts';
import type { ObserveRequest } from './http-metrics.ts';
import { asRefusal, problemAnswer } from '../messages/problem.ts';
import { RequestAborted } from '../bodies/read-body.ts';
import { logRequest } from './request-log.ts';
import type { Answer } from '../messages/answer.ts';
import type { Call, KeyedRoute, Role, Route } from '../routes/route.ts';

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
  /** Whether connections are to end with their answer. */
  readonly isStopping: () => boolean;
}

/** A request while it is under way. */
interface Passage {
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

export function createPipeline({ dependencies, observe, isStopping }: PipelineOptions): Pipeline {
  const { keyRing, log, rateLimiter } = dependencies;

  const begin = (request: IncomingMessage, response: ServerResponse, route: Route | undefined): Passage => ({
    request,
    response,
    route,
    requestId: requestIdOf(request.headers),
    startedAt: performance.now(),
    caller: undefined,
    limitHeaders: undefined,
  });

  /** Platform keys are not limited. @throws {Refusal} `rate_limited` */
  const checkRate = (passage: Passage, { reader, actor }: Caller): void => {
    if (rateLimiter === undefined || reader.role !== 'merchant' || actor.keyId === null) return;
    const { allowed, headers } = rateLimiter.take(actor.keyId);
    passage.limitHeaders = headers;
    if (!allowed) throw new Refusal('rate_limited', 'This key sends more requests a second than it may; wait a second');
  };

  const answerOf = async (passage: Passage, parameters: Call['parameters']): Promise<Answer> => {
    const { request, requestId, route } = passage;
    const call = { request, parameters, requestId, ...splitUrl(request.url ?? '/') };
    if (route === undefined) throw new Error('a request without a route has no handler');
    if (route.roles === 'anyone') return await route.handle(call);
    const caller = await keyRing.authenticate(textOf(request.headers['x-api-key']));
    passage.caller = caller;
    checkRate(passage, caller);
    if (!route.roles.includes(caller.reader.role)) throw refusedRole(route);
    return await route.handle({ ...call, caller });
  };

  const problem = (passage: Passage, thrown: unknown): Answer => {
    const refusal = asRefusal(thrown);
    if (refusal !== thrown) {
      log[refusal.code === 'unavailable' ? 'warn' : 'error'](
        { err: thrown, request_id: passage.requestId, route: passage.route?.path },
        refusal.code === 'unavailable' ? 'a store does not answer' : 'a request failed',
      );
    }
    return problemAnswer(refusal, {
      requestId: passage.requestId,
      accept: passage.request.headers.accept,
      members: passage.route?.problemMembers,
    });
  };

  const send = (passage: Passage, { status, headers, body, log: more }: Answer): void => {
    const { request, response, requestId, route, caller, limitHeaders } = passage;
    const method = request.method ?? '';
    const ms = performance.now() - passage.startedAt;
    observe(route, method, status, ms);
    logRequest(log, { requestId, method, route, status, ms, keyId: caller?.actor.keyId, more });
    if (response.destroyed || response.headersSent) return;
    const last = isStopping() || status === 413 ? { Connection: 'close' } : undefined;
    response.writeHead(status, {
      ...headers,
      ...(body === undefined ? undefined : { 'Content-Length': Buffer.byteLength(body) }),
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      ...limitHeaders,
      ...last,
    });
    response.end(body);
  };

  return {
    run: async (route, parameters, request, response) => {
      const passage = begin(request, response, route);
      let answer: Answer;
      try {
        answer = await answerOf(passage, parameters);
      } catch (thrown) {
        if (thrown instanceof RequestAborted) {
          response.destroy();
          return;
        }
        answer = problem(passage, thrown);
      }
      send(passage, answer);
    },
    refuse: (thrown, request, response, headers = {}) => {
      const passage = begin(request, response, undefined);
      const answer = problem(passage, thrown);
      send(passage, { ...answer, headers: { ...answer.headers, ...headers } });
    },
    reply: (answer, request, response) => send(begin(request, response, undefined), answer),
  };
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
