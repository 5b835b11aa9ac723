import type { RefusalCode } from '#domain/refusals.ts';
import { Refusal as CodedRefusal } from '#event-sourcing/refusal.ts';
import type { ProblemText } from './conflict-texts.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { RouteResponse } from './response.ts';

/** How a refusal is reported: as a problem (RFC 9457), and in the list of codes. */
interface ProblemType extends ProblemText {
  readonly status: number;
}

type KeyOf<Codes> = Codes extends unknown ? keyof Codes : never;
export type ProblemCode = KeyOf<(typeof PROBLEM_TEXTS)[keyof typeof PROBLEM_TEXTS]>;

/** Every problem, by status. */
export const PROBLEM_TYPES = Object.fromEntries(
  Object.entries<Readonly<Record<string, ProblemText>>>(PROBLEM_TEXTS).flatMap(([status, texts]) =>
    Object.entries(texts).map(([code, text]) => [code, { status: Number(status), ...text }]),
  ),
) as Readonly<Record<ProblemCode, ProblemType>> satisfies Readonly<Record<RefusalCode, ProblemType>>;

export const PROBLEM_CODES = Object.keys(PROBLEM_TYPES) as readonly ProblemCode[];

/** Refuses a request with one of the codes of Surety, or with one that only HTTP has. */
export type Refusal = CodedRefusal<ProblemCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<ProblemCode>>) => Refusal =
  CodedRefusal;

interface ProblemContext {
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
