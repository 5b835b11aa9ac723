/** Codes that the execution of any command has. An application adds its own. */
export type CommonRefusalCode =
  | 'invalid_request'
  | 'precondition_failed'
  | 'event_too_large'
  | 'idempotency_key_reused'
  | 'busy';

/**
 * Names one wrong field: the dotted path from the root of the body (`documents.0.blob`), or the name of a parameter or
 * header.
 */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Refuses a request. An application explains its codes where it answers. */
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
