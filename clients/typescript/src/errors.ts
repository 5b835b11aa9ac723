import type { KnownCode } from './api-types.ts';

/** A code of the service (docs/errors.md), or of this client. Codes may be added. */
export type ErrorCode = KnownCode | 'no_response' | 'unexpected_response' | (string & Record<never, never>);

/** One wrong field of a request. */
export interface FieldError {
  /** Dotted path from the root of the body, or the name of a parameter or header. */
  readonly field: string;
  readonly message: string;
}

/** The request that failed. */
export interface FailedRequest {
  readonly method: string;
  /** Address without its query. */
  readonly url: string;
  readonly requestId: string;
  /** Undefined for a read. */
  readonly idempotencyKey: string | undefined;
}

/** Why a request failed. */
export interface Failure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly status?: number;
  readonly errors?: readonly FieldError[];
  readonly problem?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A call that failed. Its subclasses distinguish the statuses. */
export class SuretyError extends Error {
  override readonly name: string = 'SuretyError';
  readonly code: ErrorCode;
  /** What is wrong, as a sentence without its full stop. */
  readonly detail: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** The wrong fields; empty where the failure is not about fields. */
  readonly errors: readonly FieldError[];
  /** The id of the request in the logs of the service. */
  readonly request_id: string;
  /** A call with the same key and body executes the command only once. Undefined for a read. */
  readonly idempotencyKey: string | undefined;
  /** All members of the problem (RFC 9457); empty where there was none. */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(request: FailedRequest, { code, detail, status, errors = [], problem = {}, cause }: Failure) {
    const { method, url, idempotencyKey } = request;
    const requestId = typeof problem['request_id'] === 'string' ? problem['request_id'] : request.requestId;
    const fields = errors.length === 0 ? '' : `fields ${errors.map(({ field }) => field).join(', ')}; `;
    super(`${code}: ${detail} (${fields}${method} ${url}, request ${requestId})`, cause === undefined ? {} : { cause });
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.errors = errors;
    this.request_id = requestId;
    this.idempotencyKey = idempotencyKey;
    this.problem = problem;
  }
}

/** 400: the request is wrong; `errors` names the fields. */
export class BadRequestError extends SuretyError {
  override readonly name = 'BadRequestError';
}
/** 401: no key, an unknown one, or one that was revoked. */
export class UnauthorizedError extends SuretyError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the key may not do this. */
export class ForbiddenError extends SuretyError {
  override readonly name = 'ForbiddenError';
}
/** 404: it does not exist, or belongs to another merchant or mode. */
export class NotFoundError extends SuretyError {
  override readonly name = 'NotFoundError';
}
/** 409: the state does not allow it. */
export class ConflictError extends SuretyError {
  override readonly name = 'ConflictError';
}
/** 412: the resource has changed since it was read (`ifMatch`). */
export class PreconditionFailedError extends SuretyError {
  override readonly name = 'PreconditionFailedError';
}
/** 413: the body is too large. */
export class ContentTooLargeError extends SuretyError {
  override readonly name = 'ContentTooLargeError';
}
/** 422: the idempotency key belongs to another request. */
export class UnprocessableContentError extends SuretyError {
  override readonly name = 'UnprocessableContentError';
}
/** 429: too many requests, for longer than the client waits. */
export class TooManyRequestsError extends SuretyError {
  override readonly name = 'TooManyRequestsError';
}
/** 500 to 599: a command may have been executed; repeat it with `idempotencyKey`. */
export class ServerError extends SuretyError {
  override readonly name = 'ServerError';
}
/** No response, or none in time: a command may have been executed; repeat it with `idempotencyKey`. */
export class NoResponseError extends SuretyError {
  override readonly name = 'NoResponseError';
}

const CLASSES = new Map<number | undefined, typeof SuretyError>([
  [undefined, NoResponseError],
  [400, BadRequestError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [412, PreconditionFailedError],
  [413, ContentTooLargeError],
  [422, UnprocessableContentError],
  [429, TooManyRequestsError],
]);

/** Makes the error of the class of its status. */
export function errorOf(request: FailedRequest, failure: Failure): SuretyError {
  const { status } = failure;
  const fallback = status !== undefined && status >= 500 ? ServerError : SuretyError;
  return new (CLASSES.get(status) ?? fallback)(request, failure);
}
