import type { Request } from 'express';
import type { z } from 'zod';
import type { Reader } from '../../queries/query.ts';
import type { FindEnvironment } from '../admin/command-input.ts';
import type { RefusalCode } from '../domain/refusals.ts';
import type { Caller } from '../security/caller.ts';
import type { BodyRules } from './bodies/command-body.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { HealthChecks } from '../observability/health-checks.ts';
import type { Answer } from './messages/answer.ts';

export type Method = 'GET' | 'POST';
export type Role = Reader['role'];
export type Parameters = Readonly<Record<string, string>>;

/** What handlers use besides the request. */
export interface RouteContext extends HttpDependencies {
  readonly health: HealthChecks;
  readonly findEnvironment: FindEnvironment;
  /** Every route of the process. */
  readonly routes: readonly Route[];
}

/** A request on its route. */
export interface Call {
  readonly request: Request<Parameters, unknown, unknown, unknown>;
  /** Values of the route's `:parameters`. */
  readonly parameters: Parameters;
  /** The path of the route, from the root of the service. Idempotency keys are valid for it, so it never changes. */
  readonly path: string;
  /** The path of the request, without the query string. */
  readonly pathname: string;
  /** The query string without its `?`. */
  readonly search: string;
  readonly requestId: string;
  /** The parsed body; empty where the route declares none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request on a route that needs a key. */
export interface KeyedCall extends Call {
  readonly caller: Caller;
}

interface RouteBase {
  /** Of the query or command that answers; names the route in the reference. */
  readonly name: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly method: Method;
  /** As Express writes paths: `:name` is a parameter. Without the trailing slash. */
  readonly path: string;
  readonly kind: 'query' | 'command' | 'admin' | 'page';
  /** Members that the problem bodies of this route carry besides those of every problem. */
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  /** How the body is parsed before the handler runs. @throws {Refusal} when the parameters name nothing */
  readonly body?: (parameters: Parameters) => BodyRules;
  readonly reference: RouteReference;
}

/** Inputs and answer of a route as the reference shows them: the schemas that validate. */
export interface RouteReference {
  /** Of the path's parameters; undefined where it has none. */
  readonly path?: z.ZodType;
  readonly search: z.ZodType;
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType;
  readonly status: number;
  /** The answer is a list: `answer` is the schema of `results`. */
  readonly paged: boolean;
  /** The list shows `limit` and `offset` beside `results`. */
  readonly showsPaging?: boolean;
}

/** A route that needs a key. */
export interface AuthenticatedRoute extends RouteBase {
  readonly roles: readonly Role[];
  /** The code of the refusal for a key of another role. */
  readonly wrongRoleCode: RefusalCode;
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: KeyedCall, context: RouteContext) => Promise<Answer>;
}

/** A route that needs no key. */
export interface PublicRoute extends RouteBase {
  readonly roles: 'anyone';
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: Call, context: RouteContext) => Promise<Answer>;
}

export type Route = AuthenticatedRoute | PublicRoute;

/** Returns whether the route runs a command, whatever its method. */
export function runsCommand({ method, kind }: Pick<Route, 'method' | 'kind'>): boolean {
  return method === 'POST' || kind === 'command';
}
