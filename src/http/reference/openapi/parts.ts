import { PROBLEM_CODES, type ProblemCode, PROBLEM_TYPES } from '../../api/messages/problem-types.ts';
import type { Json } from './page.ts';

const text = { type: 'string' } as const;
const digits = { ...text, pattern: '^\\d+$' } as const;
const onlyTrue = { ...text, const: 'true' } as const;
const keyText = { ...text, minLength: 1, maxLength: 257 } as const;

function requestHeader(name: string, description: string, schema: Json = text) {
  return { name, in: 'header', description, schema } as const;
}

export const PARAMETERS = {
  IdempotencyKey: requestHeader(
    'Idempotency-Key',
    'Executes the request once, even if it is sent several times: 1 to 255 printable ASCII characters, bare or quoted. Keys never expire.',
    keyText,
  ),
  URequestId: requestHeader(
    'U-Request-Id',
    'Alias of `Idempotency-Key`. Send one of them, or the same value in both.',
    keyText,
  ),
  IfMatch: requestHeader(
    'If-Match',
    'The `ETag` of the resource that was read, such as `"8-0-2026-01-01"`. If the resource has changed, the response is 412. Only the revision, the second part, is compared.',
  ),
  IfNoneMatch: requestHeader(
    'If-None-Match',
    'The `ETag` of a cached response. If the resource has not changed, the response is 304 without a body.',
  ),
  MinPosition: requestHeader(
    'Surety-Min-Position',
    'A `Surety-Position`: the response reflects the log at least up to it, or is 503 after 2 seconds.',
    { ...text, pattern: '^\\d{1,18}$' },
  ),
  RequestId: requestHeader('X-Request-Id', 'Id of the request in logs and problems; an invalid value is replaced.', {
    ...text,
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  Traceparent: requestHeader('traceparent', 'W3C Trace Context, stored with the events of the request.'),
} as const satisfies Record<string, Json>;

const RESPONSE_HEADERS = {
  RequestId: ['X-Request-Id', 'Id of the request.', text],
  Position: [
    'Surety-Position',
    'Position of the change in the log, of the feed that up to which events are published: decimal digits.',
    digits,
  ],
  Pending: ['Surety-Pending', 'Present when the change is durable, but reads do not show it yet.', onlyTrue],
  Incomplete: ['Surety-Incomplete', 'Present when the search has not read all that may match.', onlyTrue],
  Replayed: [
    'Idempotent-Replayed',
    'Present when the request was executed before and its response is repeated.',
    onlyTrue,
  ],
  ETag: ['ETag', 'Entity tag of this state of the resource.', text],
  Location: ['Location', 'Path of the resource.', { ...text, format: 'uri-reference' }],
  Link: ['Link', 'Next and previous page (RFC 8288), as in `next` and `previous`; of the feed only the next.', text],
  RetryAfter: ['Retry-After', 'Seconds to wait before a retry.', digits],
  RateLimit: ['RateLimit', 'Remaining requests of the key, if a limit is set (IETF draft).', text],
  RateLimitPolicy: ['RateLimit-Policy', 'Limit of the key, if one is set (IETF draft).', text],
  SetCookie: ['Set-Cookie', 'The cookie of the session.', text],
  Authenticate: ['WWW-Authenticate', 'Always `ApiKey`.', text],
} as const satisfies Record<string, readonly [name: string, description: string, schema: Json]>;

export const HEADERS: Json = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).map(([key, [, description, schema]]) => [key, { description, schema }]),
);

export const PROBLEM: Json = {
  type: 'object',
  description: 'Problem details (RFC 9457). Programs should evaluate `code`.',
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Link to the explanation of the code' },
    title: { type: 'string', description: 'The same for every problem of this code' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'Description of this occurrence' },
    error: { type: 'string', description: 'Same text as `detail`' },
    code: {
      description: 'Stable identifier of the kind of error. Codes may be added.',
      anyOf: [{ type: 'string', enum: [...PROBLEM_CODES] }, { type: 'string' }],
    },
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
      },
    },
    renewal_status: { type: 'string', const: 'failed', description: 'Present in every problem of a renewal' },
    limit: { type: 'string', description: 'With `amount_too_high`: the highest amount allowed' },
    amount: { type: 'string', description: 'With `amount_changed`: the amount now' },
    position: { type: 'string', description: 'With `event_unreadable`: the position of the event in the log' },
    earliest_start: {
      type: 'string',
      format: 'date',
      description: 'With `renewal_overlaps_current_term`: the first day on which the new term may start',
    },
    allowed: {
      type: 'array',
      items: text,
      description: 'With `claim_move_not_allowed`: the commands that the stage of the claim allows',
    },
    candidates: {
      type: 'array',
      description: 'With `reference_ambiguous`: the environments that use the reference, by number, at most 20',
      items: {
        type: 'object',
        properties: {
          environment_id: { type: 'integer' },
          environment_name: text,
          test_mode: { type: 'boolean' },
          merchant_short_code: text,
          merchant_name: text,
        },
        required: ['environment_id', 'environment_name', 'test_mode', 'merchant_short_code', 'merchant_name'],
      },
    },
    verification_id: {
      type: 'string',
      format: 'uuid',
      description: 'With `verification_running`: the verification that is running',
    },
    progress: {
      type: 'object',
      description:
        'With `read_models_building`: the last position that is built and the newest one, null without events',
      properties: { position: { type: ['string', 'null'] }, head: { type: ['string', 'null'] } },
      required: ['position', 'head'],
    },
    head: {
      type: ['string', 'null'],
      description: 'With `position_not_reached`: the position of the newest event, null without events',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'error', 'code', 'request_id'],
};

export function problemResponse(
  codes: readonly ProblemCode[],
  headers: readonly (keyof typeof RESPONSE_HEADERS)[],
  asPage: readonly ProblemCode[] = [],
): Json {
  const descriptions = [
    ...codes.map((code) => `\`${code}\`: ${PROBLEM_TYPES[code].title}`),
    ...asPage.map((code) => `As a page: ${PROBLEM_TYPES[code].title}`),
  ];
  const content = {
    schema: { $ref: '#/components/schemas/Problem' },
    examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
  };
  return {
    description: descriptions.join('. '),
    headers: headersOf(headers),
    content: {
      'application/problem+json': content,
      ...(asPage.length === 0 ? {} : { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

function problemExample(code: ProblemCode): Json {
  const { status, title } = PROBLEM_TYPES[code];
  const request_id = '7b1c7c0e-6f43-4b52-9d8e-0d6a3c2f5a11';
  return { type: `/docs/errors#${code}`, title, status, detail: title, error: title, code, request_id };
}

export function headersOf(names: readonly (keyof typeof RESPONSE_HEADERS)[]): Record<string, Json> {
  return Object.fromEntries(names.map((name) => [RESPONSE_HEADERS[name][0], { $ref: `#/components/headers/${name}` }]));
}

export function parametersOf(names: readonly (keyof typeof PARAMETERS)[]): Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
