import { DOMAIN_PROBLEMS } from '#domain/refusals.ts';
import { type ProblemType, problemTypes, Refusal as CodedRefusal } from '#event-sourcing/refusal.ts';

const HTTP_PROBLEMS = problemTypes({
  400: {
    malformed_body: {
      title: 'The body could not be read',
      meaning:
        'The body does not match its `Content-Type`: it is not JSON in UTF-8, or not a valid form. Or its JSON has more than 100,000 structural characters (`{ } [ ] : ,` outside strings), or more than 64 levels. Or its objects have more than 10,000 members together (100,000 for documents of claims and for imports).',
      action:
        'Correct the encoding of the body; often a proxy or a missing escape is the cause. Reduce a body that exceeds a limit.',
    },
    malformed_request: {
      title: 'The request is not valid HTTP/1.1',
      meaning: 'The request has no header `Host`, or more than one.',
      action: 'Check the client, or the proxy in front of it.',
    },
  },
  403: {
    forbidden: {
      title: 'This key may not do that',
      meaning: 'The role of this key does not allow the operation.',
      action: 'Use a key with a role that the API reference lists for the operation.',
    },
    merchant_key_required: {
      title: 'Only a merchant key may do that',
      meaning: "The operation requires a merchant's key, because it acts in the environment of the key.",
      action: "Use a merchant's key, or the command of the same name in the back office with `environment_id`.",
    },
  },
  404: {
    route_not_found: {
      title: 'There is no such path',
      meaning: 'The path does not exist.',
      action: 'Compare the path with the API reference. All paths of the API begin with `/api/v1`.',
    },
  },
  405: {
    method_not_allowed: {
      title: 'The path does not support the method',
      meaning: 'The path does not support the method.',
      action: 'Use one of the methods in the header `Allow`.',
    },
  },
  413: {
    body_too_large: {
      title: 'The body is too large',
      meaning: 'The body is larger than 1 MiB, or 10 MiB for a claim.',
      action: 'Send smaller or fewer documents. Base64 in JSON is a third larger than files in `multipart/form-data`.',
    },
  },
  414: {
    uri_too_long: {
      title: 'The address is too long',
      meaning: 'The URL has more than 8,192 characters.',
      action: 'Shorten the query string.',
    },
  },
  415: {
    unsupported_media_type: {
      title: 'The type of the body is not supported',
      meaning: 'The body is not JSON or a form, or is compressed, or is not in UTF-8.',
      action: 'Set `Content-Type` to `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`.',
    },
  },
  429: {
    rate_limited: {
      title: 'Too many requests with this key',
      meaning: 'The key has exceeded its rate limit.',
      action: 'Wait for the seconds in `Retry-After`. `RateLimit` in every response contains the remaining requests.',
      retryAfter: 1,
    },
  },
  500: {
    internal_error: {
      title: 'An unexpected error occurred in Surety',
      meaning: 'An unexpected error occurred in Surety. The request may or may not have been executed.',
      action:
        'Repeat the request with the same `Idempotency-Key`; if the error persists, report the `request_id` to the operator.',
    },
  },
});

export type ProblemCode = keyof typeof HTTP_PROBLEMS | keyof typeof DOMAIN_PROBLEMS;

export const PROBLEM_TYPES: Readonly<Record<ProblemCode, ProblemType>> = { ...HTTP_PROBLEMS, ...DOMAIN_PROBLEMS };

export const PROBLEM_CODES = (Object.keys(PROBLEM_TYPES) as ProblemCode[]).toSorted(
  (a, b) => PROBLEM_TYPES[a].status - PROBLEM_TYPES[b].status,
);

/** Refuses a request with one of the codes of Surety, or with one that only HTTP has. */
export type Refusal = CodedRefusal<ProblemCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<ProblemCode>>) => Refusal =
  CodedRefusal;
