import type { RefusalCode } from '../../domain/refusals.ts';
import { PROBLEM_TYPES } from '../messages/problem-types.ts';
import type { Json } from './page.ts';

/** What several operations of the document share, as its components. */

const text = { type: 'string' } as const;

/** Request headers, by the names of their components. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request act once, however often it is sent: 1 to 255 printable ASCII characters, bare or quoted. Keys never expire.',
    schema: { ...text, minLength: 1, maxLength: 257 },
  },
  URequestId: {
    name: 'U-Request-Id',
    in: 'header',
    description: 'Another name of `Idempotency-Key`; give one of them, or the same in both.',
    schema: { ...text, minLength: 1, maxLength: 257 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the resource as it was read, such as `"2-0"`: if it has changed since, nothing is done (412).',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what is known already: if that is still so, the answer is 304 without a body.',
    schema: text,
  },
  MinPosition: {
    name: 'Surety-Min-Position',
    in: 'header',
    description:
      'A `Surety-Position`: the answer shows at least what was recorded up to there, or is 503 after 2 seconds.',
    schema: { ...text, pattern: '^\\d{1,18}$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Names the request in logs and problems; one that does not fit the pattern is replaced.',
    schema: { ...text, pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'W3C Trace Context; it is kept with what the request records.',
    schema: text,
  },
} as const satisfies Record<string, Json>;

/** Answer headers, by the names of their components. */
export const HEADERS = {
  RequestId: { description: 'Of this request.', schema: text },
  Position: {
    description: 'Where in the log the change stands: decimal digits.',
    schema: { ...text, pattern: '^\\d+$' },
  },
  Pending: {
    description: 'There when the change is durable but reads do not show it yet.',
    schema: { ...text, const: 'true' },
  },
  Replayed: {
    description: 'There when the same request was carried out before, and this is its answer again.',
    schema: { ...text, const: 'true' },
  },
  ETag: { description: 'Of this state of the resource.', schema: text },
  Link: { description: 'The pages beside this one (RFC 8288), as in `next` and `previous`.', schema: text },
  RetryAfter: { description: 'Seconds after which another try makes sense.', schema: { ...text, pattern: '^\\d+$' } },
  RateLimit: { description: 'What is left for this key, where a limit is set (IETF draft).', schema: text },
  RateLimitPolicy: { description: 'The limit for this key, where one is set (IETF draft).', schema: text },
  Authenticate: { description: 'Always `ApiKey`.', schema: text },
} as const satisfies Record<string, Json>;

/** The one body of all errors (`decisions`: Errors). */
export const PROBLEM: Json = {
  type: 'object',
  description: 'What went wrong (RFC 9457). Programs go by `code`.',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Where the code is explained' },
    title: { type: 'string', description: 'The same for every problem of this code' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong this time' },
    error: { type: 'string', description: 'The text of `detail`' },
    code: { type: 'string', description: 'A word that never changes its meaning' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Every wrong field',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string', description: 'Dotted path in the body, or the name of a parameter or header' },
          message: { type: 'string' },
        },
        required: ['field', 'message'],
        additionalProperties: false,
      },
    },
    renewal_status: { type: 'string', const: 'failed', description: 'In every problem of a renewal' },
    earliest_start: {
      type: 'string',
      format: 'date',
      description: 'With `renewal_overlaps_current_term`: the first day on which the new term may start',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'error', 'code', 'request_id'],
  additionalProperties: false,
};

/** An answer of one status: a problem with one of `codes`, or a page for one of `asPage`. */
export function problemResponse(
  codes: readonly RefusalCode[],
  headers: readonly (keyof typeof HEADERS)[],
  asPage: readonly RefusalCode[] = [],
): Json {
  const named = [
    ...codes.map((code) => `\`${code}\`: ${PROBLEM_TYPES[code].title}`),
    ...asPage.map((code) => `As a page: ${PROBLEM_TYPES[code].title}`),
  ];
  const content = {
    schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: [...codes] } } },
    examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
  };
  return {
    description: named.join('. '),
    headers: headersOf(headers),
    content: {
      'application/problem+json': content,
      ...(asPage.length === 0 ? {} : { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

function problemExample(code: RefusalCode): Json {
  const { status, title } = PROBLEM_TYPES[code];
  const request_id = '7b1c7c0e-6f43-4b52-9d8e-0d6a3c2f5a11';
  return { type: `/docs/errors#${code}`, title, status, detail: title, error: title, code, request_id };
}

const HEADER_NAMES: Readonly<Record<keyof typeof HEADERS, string>> = {
  RequestId: 'X-Request-Id',
  Position: 'Surety-Position',
  Pending: 'Surety-Pending',
  Replayed: 'Idempotent-Replayed',
  ETag: 'ETag',
  Link: 'Link',
  RetryAfter: 'Retry-After',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  Authenticate: 'WWW-Authenticate',
};

/** Answer headers by their names on the wire, as references. */
export function headersOf(names: readonly (keyof typeof HEADERS)[]): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]));
}

/** Request headers as references. */
export function parametersOf(names: readonly (keyof typeof PARAMETERS)[]): Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
