/** What holds for every operation: the description of the whole document. Markdown. */
export const INTRODUCTION = `Surety is an insurance service: merchants request quotes, buy, renew and cancel policies, file claims and read what they have.

## Keys

Every operation but those of *Service* wants a key in the header \`X-API-Key\`. A merchant's key belongs to one environment, live (\`sk_live_…\`) or
test (\`sk_test_…\`): what is made with a test key is never seen with a live one, and back. The keys of the platform (\`sk_platform_…\`) have the role
\`admin\` or \`auditor\`; an auditor reads everything and changes nothing. What belongs to another merchant is answered like what is not there.

## Requests

- Paths work with and without the slash at their end.
- A body is \`application/json\`, \`application/x-www-form-urlencoded\` or \`multipart/form-data\`, with the same fields. In forms, members of objects are
  written in brackets (\`customer_metadata[email]\`), and values are taken as what their field wants. A part of \`multipart/form-data\` with the type
  \`application/json\` is the JSON value of its field.
- A body has at most 1 MiB, that of a claim with documents 10 MiB. JSON has at most 100,000 structural characters (\`{ } [ ] : ,\` outside strings) in at most 64
  levels, a form at most 2,000 fields in at most 16 levels. Unknown fields and query parameters are refused by name, and so is a parameter given twice.
- Texts hold no control characters; white space around them is dropped.
- Days are UTC days (\`YYYY-MM-DD\`), moments are UTC with \`Z\`. Money is a decimal string with at most 8 integer and 2 decimal digits.

## Answers

- Every field of a resource is always there; what is not known is null.
- Lists take \`limit\` (1 to 100, usually 25) and \`offset\`, and are ordered by creation. \`count\` counts items, also where \`results\` nests them in one array
  or object.
- Single resources have an \`ETag\`: \`If-None-Match\` saves sending what is known, \`If-Match\` guards a change.
- \`X-Request-Id\` names the request; one may be sent along.

## Sending again

A \`POST\` with an \`Idempotency-Key\` (also: \`U-Request-Id\`) acts once. The same request with the same key gets the same answer again, with
\`Idempotent-Replayed: true\`; another body or query (\`limit\` and \`offset\` apart) with that key is 422. A key holds for one merchant, environment, method and path, for ever. A request that was
refused leaves no trace: its key can be used again. So after a broken connection or a 5xx: send the same again.

## Reading what was written

A change answers with \`Surety-Position\` when reads show it. If that takes longer than 2 seconds, the answer has \`Surety-Pending: true\`: it is durable, and a
\`GET\` with \`Surety-Min-Position\` waits until it is seen.

## Errors

Every error is a problem (RFC 9457, \`application/problem+json\`; \`application/json\` for those who ask for that) with a \`code\` that never changes its
meaning: [all codes](/docs/errors). Wrong input names every wrong field in \`errors\`. Checks come in this order: path (404, 405), key (401), role (403), body (415, 413, 400),
idempotency key (422), existence (404), \`If-Match\` (412), state (409, 400). Any path may also answer 404 \`route_not_found\`, 405 \`method_not_allowed\`,
408 \`request_timeout\`, 414 \`uri_too_long\`, 431 \`headers_too_large\`, and 503 \`busy\` to a request or in place of an answer over 64 KiB while too many bytes wait for clients
that do not read. An answer of which no byte is taken for 30 seconds is cut.

Where the platform limits requests, each merchant key has so many a second: \`RateLimit\` and \`RateLimit-Policy\` tell what is left, 429 with
\`Retry-After\` that there is none.

## Versions

All paths begin with \`/api/v1\`. This is version 2.0.0 of the interface. Fields and codes may be added; those that are there keep their meaning.
`;
