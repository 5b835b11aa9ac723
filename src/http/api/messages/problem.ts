import { Refusal, PROBLEM_TYPES } from './problem-types.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { RouteResponse } from './response.ts';

export interface ProblemContext {
  readonly requestId: string;
  readonly accept: string | undefined;
  /** Path below which the service is reached; empty by default. */
  readonly basePath?: string;
  readonly members?: Readonly<Record<string, unknown>> | undefined;
}

/** Converts any error to a refusal. Unexpected errors disclose no details. */
export function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof StoreUnavailable) {
    return new Refusal('unavailable', 'A store does not answer at the moment; the same request may be sent again');
  }
  return new Refusal(
    'internal_error',
    'An unexpected error occurred in Surety; its log has the cause under the request id',
  );
}

/** Makes the response to a refusal: RFC 9457 with the extensions of `docs/errors.md`. */
export function problemResponseOf(
  refusal: Refusal,
  context: ProblemContext,
): RouteResponse & { readonly body: string } {
  const { code, fields, members } = refusal;
  const { status, title, retryAfter } = PROBLEM_TYPES[code];
  const detail = refusal.detail ?? title;
  const body = {
    type: `${context.basePath ?? ''}/docs/errors#${code}`,
    title,
    status,
    detail,
    error: detail,
    code,
    request_id: context.requestId,
    ...(fields.length === 0 ? {} : { errors: fields.map(({ field, message }) => ({ field, message })) }),
    ...context.members,
    ...members,
  };
  return {
    status,
    headers: {
      'Content-Type': `${mediaTypeFor(context.accept)}; charset=utf-8`,
      'Cache-Control': 'no-store',
      Vary: 'Accept, X-API-Key',
      ...(status === 401 ? { 'WWW-Authenticate': 'ApiKey' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
    body: JSON.stringify(body),
    log: { code },
  };
}

function mediaTypeFor(accept: string | undefined): string {
  return accept !== undefined && /(?:^|[\s,])application\/json(?:$|[\s,;])/i.test(accept)
    ? 'application/json'
    : 'application/problem+json';
}
