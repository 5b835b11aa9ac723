/** How a refusal is reported: as a problem (RFC 9457), and in the list of codes. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly meaning: string;
  readonly action: string;
  /** Seconds after which the same request may succeed. Present with 429 and 503 only. */
  readonly retryAfter?: number;
}

type ByStatus = Readonly<Record<number, Readonly<Record<string, Omit<ProblemType, 'status'>>>>>;
type CodeIn<Codes> = Codes extends unknown ? keyof Codes & string : never;

/** Returns the problem types by code. A code is part of the API and never changes its meaning. */
export function problemTypes<const Table extends ByStatus>(table: Table) {
  const types = Object.entries<ByStatus[number]>(table).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, type]) => [code, { status: Number(status), ...type }]),
  );
  return Object.fromEntries(types) as Readonly<Record<CodeIn<Table[keyof Table]>, ProblemType>>;
}

/** Refusals that the execution of any command has. An application adds its own. */
export const COMMON_PROBLEMS = problemTypes({
  400: {
    invalid_request: {
      title: 'The request is not valid',
      meaning: 'A field, parameter or header is wrong, missing or unknown. `errors` lists all of them.',
      action: 'Correct the fields in `errors` and send the request again; the same `Idempotency-Key` may be used.',
    },
  },
  412: {
    precondition_failed: {
      title: 'The resource has changed since it was read',
      meaning: 'The resource has changed since the `ETag` in `If-Match` was read.',
      action: 'Read the resource again and repeat the request with the new `ETag`.',
    },
  },
  413: {
    event_too_large: {
      title: 'The event of the request is too large',
      meaning: 'The event that the request would record is larger than the limit of about 1 MB. Nothing was recorded.',
      action: 'Reduce free-form JSON or texts; the same `Idempotency-Key` may be used.',
    },
  },
  422: {
    idempotency_key_reused: {
      title: 'The idempotency key was used for another request',
      meaning:
        'A request with the same `Idempotency-Key` but another body, query or resource in the path was executed before. The same resource by another name, such as a policy by its number, counts as another one.',
      action: 'Use a new key for a new request, or repeat the original request unchanged.',
    },
  },
  503: {
    busy: {
      title: 'Too many concurrent requests',
      meaning:
        'Many concurrent requests change the same resource, and this one was not executed. Or the service holds 64 MiB of bodies in memory, or 32 MiB of one key: of requests in flight, and of responses over 64 KiB that clients have not read. Then no command was executed either. Or more requests of a kind are under way than the service takes: 8 downloads of a key and 32 in all, 16 pages of the feed of a key, 32 certificates of a merchant.',
      action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
      retryAfter: 1,
    },
  },
});

type CommonRefusalCode = keyof typeof COMMON_PROBLEMS;

/** Names one wrong field: the dotted path from the root of the body (`documents.0.blob`), or the name of a parameter or header. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Refuses a request. Carries everything that the response needs; `src/http` creates a problem body from it. */
export class Refusal<Code extends string = CommonRefusalCode> extends Error {
  override readonly name = 'Refusal';
  readonly code: Code;
  /** Describes this occurrence; undefined when the title of the code is sufficient. */
  readonly detail: string | undefined;
  readonly fields: readonly FieldError[];
  /** Additional members of the problem body, for example `earliest_start`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: Code,
    detail?: string,
    more: { fields?: readonly FieldError[]; members?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(detail ?? code);
    this.code = code;
    this.detail = detail;
    this.fields = more.fields ?? [];
    this.members = more.members ?? {};
  }
}

export function wrongField(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field}: ${message}`, { fields: [{ field, message }] });
}

/** Creates one refusal of several wrong fields, whose detail quotes the first three. */
export function wrongFields(fields: readonly FieldError[]): Refusal {
  const quoted = fields.slice(0, 3).map(({ field, message }) => `${field}: ${message}`);
  const rest = fields.length - quoted.length;
  return new Refusal('invalid_request', quoted.join('; ') + (rest > 0 ? `; and ${rest} more` : ''), { fields });
}
