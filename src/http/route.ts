import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Reader } from '../../queries/query.ts';
import type { RefusalCode } from '../domain/refusals.ts';
import type { Caller } from '../security/caller.ts';
import type { Answer } from './messages/answer.ts';

export type Method = 'GET' | 'POST';
export type Role = Reader['role'];

/** A request that has found its route; the caller is known from the moment the handler runs. */
export interface Call {
  readonly request: IncomingMessage;
  /** Values of the route's `:parameters`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The path as it was asked for, without the query string. */
  readonly pathname: string;
  /** The query string without its `?`. */
  readonly search: string;
  readonly requestId: string;
}

/** A call on a route that needs a key. */
export interface KeyedCall extends Call {
  readonly caller: Caller;
}

interface RouteFacts {
  /** Of the query or command it leads to; names it in metrics and logs. */
  readonly name: string;
  /** One sentence for the reference. */
  readonly summary: string;
  readonly method: Method;
  /** `:name` stands for a parameter; without the trailing slash. */
  readonly path: string;
  readonly kind: 'query' | 'command' | 'admin' | 'page';
  /** Members that the problem bodies of this route carry besides (`decisions`: Errors). */
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  readonly reference: RouteReference;
}

/** What the reference tells of a route's inputs and answer, from the very schemas that validate. */
export interface RouteReference {
  /** Of the path's parameters; undefined where it has none. */
  readonly path?: z.ZodType;
  readonly search: z.ZodType;
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType;
  readonly status: number;
  /** The answer is a list: `answer` is what `results` holds. */
  readonly paged: boolean;
  /** The list tells `limit` and `offset` beside `results`. */
  readonly tellsPaging?: boolean;
}

/** A route behind the key. */
export interface KeyedRoute extends RouteFacts {
  readonly roles: readonly Role[];
  /** What a key of another role is told. */
  readonly otherRoles: RefusalCode;
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: KeyedCall) => Promise<Answer>;
}

/** A route that anybody may ask. */
export interface OpenRoute extends RouteFacts {
  readonly roles: 'anyone';
  /** @throws {Refusal} @throws {StoreUnavailable} */
  readonly handle: (call: Call) => Promise<Answer>;
}

export type Route = KeyedRoute | OpenRoute;
