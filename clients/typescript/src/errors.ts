import type { KnownCode } from './api-types.ts';

/** A code of the service (docs/errors.md), or of this client. Codes may be added. */
export type ErrorCode = KnownCode | 'no_response' | 'unexpected_response' | (string & Record<never, never>);

/** One wrong field of a request. */
export interface FieldError {
  /** Dotted path from the root of the body, or the name of a parameter or header. */
  readonly field: string;
  readonly message: string;
}

/** The call that failed. */
export interface FailedCall {
  readonly method: string;
  readonly path: string;
  /** Undefined for a call that changes nothing. */
  readonly idempotencyKey: string | undefined;
}

/** Why it failed. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly status?: number;
  readonly errors?: readonly FieldError[];
  readonly requestId: string;
  readonly problem?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A call that failed. Its subclasses distinguish the statuses. */
export class SuretyError extends Error {
  readonly code: ErrorCode;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly errors: readonly FieldError[];
  /** The id of the request in the logs of the service. */
  readonly request_id: string;
  /** A call with the same key and body executes the command only once. Undefined for a call that changes nothing. */
  readonly idempotencyKey: string | undefined;
  /** All members of the problem (RFC 9457); empty where there was none. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(call: FailedCall, failure: Failure) {
    const { code, detail, status, errors = [], requestId, problem = {}, cause } = failure;
    // The text of `invalid_request` names the fields already.
    const named = errors.filter(({ field }) => !detail.includes(field));
    const fields = named.map(({ field, message }) => `; ${field} ${message}`).join('');
    super(`${code}: ${detail}${fields} (${call.method} ${call.path}, request ${requestId})`, { cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.request_id = requestId;
    this.idempotencyKey = call.idempotencyKey;
    this.problem = problem;
  }
}

/** 400: the request is wrong; `errors` names the fields. */
export class BadRequestError extends SuretyError {}
/** 401: no key, an unknown one, or one that was revoked. */
export class UnauthorizedError extends SuretyError {}
/** 403: the key may not do this. */
export class ForbiddenError extends SuretyError {}
/** 404: it does not exist, or belongs to another merchant or mode. */
export class NotFoundError extends SuretyError {}
/** 409: the state does not allow it. */
export class ConflictError extends SuretyError {}
/** 412: the resource has changed since it was read (`ifMatch`). */
export class PreconditionFailedError extends SuretyError {}
/** 422: the idempotency key belongs to another request. */
export class UnprocessableContentError extends SuretyError {}
/** 429: too many requests, for longer than the client waits. */
export class TooManyRequestsError extends SuretyError {}
/** 500 to 599. After 500, and after 502 to 504 of a proxy, a command may have been executed: repeat it with `idempotencyKey`. */
export class ServerError extends SuretyError {}
/** No response, or none in time. A command may have been executed: repeat it with `idempotencyKey`. */
export class NoResponseError extends SuretyError {}

const CLASSES = new Map<number | undefined, typeof SuretyError>([
  [undefined, NoResponseError],
  [400, BadRequestError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [412, PreconditionFailedError],
  [422, UnprocessableContentError],
  [429, TooManyRequestsError],
]);

/** Returns the error of the class of its status. */
export function errorOf(call: FailedCall, failure: Failure): SuretyError {
  const { status } = failure;
  const fallback = status !== undefined && status >= 500 ? ServerError : SuretyError;
  return new (CLASSES.get(status) ?? fallback)(call, failure);
}
