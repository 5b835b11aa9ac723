import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Reader } from '#queries/query.ts';
import type { FindEnvironment } from '../api/handlers/command-input.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import type { ProblemCode } from '../api/messages/problem-types.ts';
import type { FeedMetrics, FeedPolls } from '../feed/feed-polls.ts';
import type { BodyMemory } from '../api/bodies/body-memory.ts';
import type { BodyRules } from '../api/bodies/command-body.ts';
import type { HttpDependencies } from './dependencies.ts';
import type { RequestLimit } from '../api/handlers/request-limit.ts';
import type { HealthChecks } from '#service/observability/health-checks.ts';
import type { RequestExample, Tag } from '../reference/openapi/page.ts';
import type { RouteResponse } from '../api/messages/response.ts';
import type { Caller } from '#service/security/key-ring.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Role = Reader['role'];
export type Parameters = Readonly<Record<string, string>>;

export type CountCommand = (name: string, run: () => Promise<CommandOutcome>) => Promise<CommandOutcome>;

export interface RouteContext extends HttpDependencies {
  readonly health: HealthChecks;
  readonly findEnvironment: FindEnvironment;
  readonly bodyMemory: BodyMemory;
  readonly routes: readonly Route[];
  readonly countCommand: CountCommand;
  readonly feedPolls: FeedPolls;
  readonly feedLimit: RequestLimit;
  readonly downloadLimit: RequestLimit;
  readonly replayLimit: RequestLimit;
  /** By merchant; a platform's key counts as one. */
  readonly certificateLimit: RequestLimit;
  readonly feedMetrics: FeedMetrics;
}

export interface Call {
  readonly request: Request<Parameters, unknown, unknown, unknown>;
  readonly response: ServerResponse;
  readonly parameters: Parameters;
  /** Path of the route. Part of the scope of idempotency keys, so it must not change. */
  readonly path: string;
  readonly pathname: string;
  /** Query string without `?`. */
  readonly search: string;
  readonly requestId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AuthenticatedCall extends Call {
  readonly caller: Caller;
  readonly route: AuthenticatedRoute;
}

interface RouteBase {
  /** Group in the API reference, which the router gives (`routesOf`). Default: `Service`. */
  readonly tag?: Tag;
  /** Name of the query or command; names the route in the API reference. */
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  /**
   * In the syntax of Express. A router declares it as the API reference shows it, and `routesOf` takes off a trailing
   * slash: both forms work.
   */
  readonly path: string;
  /** Whether the API reference shows it with a trailing slash. */
  readonly endsInSlash?: boolean;
  readonly kind: 'query' | 'command' | 'platform' | 'public';
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  /** Returns the rules for parsing the body. @throws {Refusal} when the path parameters are invalid */
  readonly body?: (parameters: Parameters) => BodyRules;
  readonly reference: RouteReference;
}

export interface RouteReference {
  /** Markdown; the summary where it is left out. */
  readonly description?: string | undefined;
  /** Codes of refusals, without those that every route of its kind has (`src/http/reference/openapi/operations.ts`). */
  readonly errors?: readonly ProblemCode[] | undefined;
  /** Succeeds on the sample data. */
  readonly example?: RequestExample | undefined;
  /** Of the response. Default: JSON. */
  readonly mediaType?: string | undefined;
  /** Whether the body is a form alone. */
  readonly isForm?: true;
  /** Codes that are answered with a page instead of a problem. */
  readonly pageErrors?: readonly ProblemCode[];
  /** Whether the response has an entity tag. Known for queries. */
  readonly hasTag?: true;
  /** Another status with the same body. */
  readonly otherStatus?: number;
  readonly path?: z.ZodType;
  readonly search: z.ZodType;
  readonly body?: z.ZodType | undefined;
  readonly response: z.ZodType;
  /** Default: 200. */
  readonly status?: number;
  /** Whether the response is a list; `response` is then the schema of `results`. */
  readonly paged?: boolean | undefined;
  /** Schemas of members that a list has beside `results`. */
  readonly besideResults?: Readonly<Record<string, z.ZodType>>;
  readonly takesIfMatch?: boolean | undefined;
  readonly showsPaging?: boolean | undefined;
  readonly byCursor?: boolean | undefined;
  readonly isDownloadable?: boolean;
  /** Whether the response is a page of the feed: an array, with its cursor and position in headers. */
  readonly isFeed?: true | undefined;
  readonly readsOnlyLog?: boolean | undefined;
  /** Whether `Location` names the resource that the response shows. */
  readonly hasLocation?: true;
}

export interface AuthenticatedRoute extends RouteBase {
  readonly roles: readonly Role[];
  /** The roles of the operation that the path names, where they differ. @throws {Refusal} when it names none */
  readonly rolesFor?: (parameters: Parameters) => readonly Role[];
  /** Whether a caller that may only read may send the operation that the path names. */
  readonly readersMay?: (parameters: Parameters) => boolean;
  /** Whether the request may be a preview, which appends nothing. */
  readonly hasPreview?: boolean;
  readonly wrongRoleCode: ProblemCode;
  /** What a caller without a role of the route does instead; a clause for the refusal. */
  readonly forbiddenHint?: string | undefined;
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: AuthenticatedCall, context: RouteContext) => RouteResponse | Promise<RouteResponse>;
}

export interface PublicRoute extends RouteBase {
  readonly roles: 'anyone';
  /** Whether only a page of this service may send the request. */
  readonly isSameOrigin?: true;
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: Call, context: RouteContext) => RouteResponse | Promise<RouteResponse>;
}

export type Route = AuthenticatedRoute | PublicRoute;

/** Returns the routes of a router with their group in the API reference. */
export function routesOf<R extends Route>(tag: Tag, routes: readonly R[]): readonly R[] {
  return routes.map((route) => {
    const { path } = route;
    const endsInSlash = path.endsWith('/');
    return { ...route, tag, path: endsInSlash ? path.slice(0, -1) : path, endsInSlash };
  });
}

/** Returns whether the route runs a command, whatever its method. */
export function runsCommand(route: Pick<Route, 'kind' | 'reference'>): boolean {
  return takesIdempotencyKey(route) || route.kind === 'command';
}

/**
 * Returns whether requests of the route may have an idempotency key: those with a body, unless it has the parameters of
 * a query.
 */
export function takesIdempotencyKey(route: Pick<Route, 'kind' | 'reference'>): boolean {
  return sendsBody(route) && route.kind !== 'query';
}

/** Returns whether requests of the route have a body. */
export function sendsBody({ reference }: Pick<Route, 'reference'>): boolean {
  return reference.body !== undefined;
}
