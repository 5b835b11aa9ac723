export const INTRODUCTION = `Surety is an insurance service: merchants request quotes, purchase, renew and cancel policies, and file claims.

## Keys

Every operation except those of *Service* requires a key in the header \`X-API-Key\`. A merchant's key is valid for one environment, live (\`sk_live_…\`) or
test (\`sk_test_…\`). Test keys cannot read live data, and live keys cannot read test data. Platform keys (\`sk_platform_…\`) have the role
\`admin\` or \`auditor\`; an auditor can read everything and change nothing. Resources of other merchants are answered as not found;
names and short codes of merchants are visible to all.

## Requests

- Paths work with and without a trailing slash.
- A body is \`application/json\`. Every operation also takes \`application/x-www-form-urlencoded\` and \`multipart/form-data\` with the same fields: members of
  objects and entries of lists are written in brackets (\`customer_metadata[email]\`, \`documents[0][blob]\`), and values are converted to the type of their field. Where a field is an object or
  a list, its value may also be JSON text, or a part of \`multipart/form-data\` with the type \`application/json\`.
- In \`multipart/form-data\`, each file named \`documents\` is a document of a claim: \`document_name\` is its file name, and \`evidence_type\` is null.
- A body has at most 1 MiB, or 10 MiB for a claim or its documents. JSON has at most 100,000 structural characters (\`{ } [ ] : ,\` outside strings) in at most 64
  levels, a form at most 2,000 fields in at most 16 levels, and the objects of either at most 10,000 members together (100,000 for documents of claims and for imports). Unknown fields, unknown query parameters and repeated parameters are refused by name; only
  \`coverage_details\` of a renewal is a free object.
- Texts must not contain control characters; leading and trailing white space is removed.
- Dates (\`YYYY-MM-DD\`) are days in the \`time_zone\` of the environment, UTC unless it was created with another. Date-times are UTC with \`Z\`, but
  \`time_stamp\` of a claim's timeline is local time of that zone. Money is a decimal string with at most 8 integer and 2 decimal digits.

## Responses

- Every field of a resource is always present; unknown values are null.
- Lists take \`limit\` (1 to 100, default 25) and \`offset\`, and are ordered by creation unless their description says otherwise. \`count\` is the number of items, also where \`results\` nests them in one
  array or object. The lists of a merchant (\`/merchants/{short_code}/policies/\` and so on) have no \`offset\`: \`next\` contains a cursor.
- Single resources have an \`ETag\` for conditional requests: \`If-None-Match\` for reads, \`If-Match\` for changes of policies, claims, customers, merchants and products.
  Other changes refuse \`If-Match\` (400), and it never accepts the \`ETag\` of a response with \`as_of\` or \`known_at\`.
- \`X-Request-Id\` identifies the request; clients may send their own.

## Retries

A \`POST\`, \`PATCH\` or \`PUT\` with an \`Idempotency-Key\` (alias: \`U-Request-Id\`) is executed once. The same request with the same key gets the same response, with
\`Idempotent-Replayed: true\`; another body, query (except \`limit\` and \`offset\`) or resource in the path is 422 with that key, also the same resource by another name, such as a policy
by its number. A key is scoped to merchant, environment and operation, and never expires. A request that was refused or changed nothing does not use its key. So after a broken connection or a 5xx, repeat the request unchanged.

## Read your writes

The response to a change has \`Surety-Position\`, and is sent when reads show the change. If that takes longer than 2 seconds, the response has \`Surety-Pending: true\`: the change is durable,
and a \`GET\` with \`Surety-Min-Position\` waits for it.

## Errors

Every error is a problem (RFC 9457, \`application/problem+json\`; \`application/json\` if the client accepts that) with a \`code\` that never changes its
meaning: [all codes](/docs/errors). For invalid input, \`errors\` lists every wrong field. Checks run in this order: path (404, 405), key (401), role (403), body (415, 413, 400),
idempotency key (422), existence (404), \`If-Match\` (412), state (409, 400). Any path may also answer 404 \`route_not_found\`, 405 \`method_not_allowed\`,
414 \`uri_too_long\`, and 503 \`busy\` to a request with a body or in place of a response over 64 KiB while too many bytes are in memory. What is not HTTP/1.1, arrives too slowly or has
headers over 16 KiB gets 400, 408 or 431 without a body, and the connection closes. It also closes when the client reads nothing of a response for 30 seconds.

Pipelined requests are executed and answered in order. A connection with more than 32 requests without a response is closed.

If the platform limits requests per second, \`RateLimit\` and \`RateLimit-Policy\` contain the limit and the remaining requests of the merchant key; above the limit the response is 429
with \`Retry-After\`.

## Versions

All paths begin with \`/api/v1\`. This is version 2.0.0 of the API. Fields and codes may be added; existing ones keep their meaning.
`;
