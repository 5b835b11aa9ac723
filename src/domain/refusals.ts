/**
 * Every way Surety says no: one registry for the whole interface. A code is part of the interface and never changes its
 * meaning; `status` and `title` are what RFC 9457 calls so.
 */
export const REFUSALS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_body: { status: 400, title: 'The body could not be read' },
  malformed_request: { status: 400, title: 'The request is not HTTP' },
  policy_not_renewable: { status: 400, title: 'The policy cannot be renewed' },
  renewal_overlaps_current_term: { status: 400, title: 'The new term would overlap an earlier one' },
  invalid_verification_token: { status: 400, title: 'The verification token is not valid' },
  incident_outside_every_term: { status: 400, title: 'The incident lies outside every term of the policy' },
  api_key_missing: { status: 401, title: 'No API key was given' },
  api_key_invalid: { status: 401, title: 'The API key is not valid' },
  forbidden: { status: 403, title: 'This key may not do that' },
  merchant_key_required: { status: 403, title: 'Only a merchant key may do that' },
  route_not_found: { status: 404, title: 'There is no such path' },
  policy_not_found: { status: 404, title: 'There is no such policy' },
  claim_not_found: { status: 404, title: 'There is no such claim' },
  customer_not_found: { status: 404, title: 'There is no such customer' },
  merchant_not_found: { status: 404, title: 'There is no such merchant' },
  environment_not_found: { status: 404, title: 'There is no such environment' },
  provider_not_found: { status: 404, title: 'There is no such provider' },
  product_not_found: { status: 404, title: 'There is no such product' },
  quote_not_found: { status: 404, title: 'There is no such quote' },
  mail_job_not_found: { status: 404, title: 'There is no such mail' },
  not_known_yet: { status: 404, title: 'Nothing was known of it at that moment' },
  key_not_found: { status: 404, title: 'There is no such key' },
  command_not_found: { status: 404, title: 'There is no such command' },
  method_not_allowed: { status: 405, title: 'This path does not know the method' },
  term_overlaps: { status: 409, title: 'The term overlaps one of the policy' },
  reference_ambiguous: { status: 409, title: 'Several merchants use this reference' },
  claim_reference_taken: { status: 409, title: 'The claim reference is taken' },
  claim_move_not_allowed: { status: 409, title: 'The claim cannot move there from where it is' },
  policy_already_cancelled: { status: 409, title: 'The policy is cancelled already' },
  policy_not_active: { status: 409, title: 'The policy is not active' },
  policy_already_active: { status: 409, title: 'The policy is active already' },
  policy_not_begun: { status: 409, title: 'The policy becomes active by itself on its start day' },
  quote_expired: { status: 409, title: 'The quote has expired' },
  quote_already_purchased: { status: 409, title: 'The quote was bought already' },
  merchant_already_verified: { status: 409, title: 'The merchant is verified already' },
  mail_job_not_parked: { status: 409, title: 'The mail is not parked' },
  provider_already_registered: { status: 409, title: 'A provider of this name is registered already' },
  kyc_already_confirmed: { status: 409, title: 'The merchant is verified by the platform already' },
  key_already_revoked: { status: 409, title: 'The key is revoked already' },
  nothing_to_change: { status: 409, title: 'Everything is as it should become' },
  product_withdrawn: { status: 409, title: 'The product is withdrawn' },
  product_not_withdrawn: { status: 409, title: 'The product is not withdrawn' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  precondition_failed: { status: 412, title: 'The resource has changed since it was read' },
  body_too_large: { status: 413, title: 'The body is too large' },
  event_too_large: { status: 413, title: 'What would be recorded is too large' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'The body has a type that is not understood' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests with this key' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong inside Surety' },
  busy: { status: 503, title: 'Too much is under way at this moment' },
  unavailable: { status: 503, title: 'A store does not answer at the moment' },
  document_parked: { status: 503, title: 'This document cannot be shown until an operator has looked at it' },
  position_not_reached: { status: 503, title: 'The read models have not reached this position yet' },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalCode = keyof typeof REFUSALS;

/** One wrong field: the dotted path from the root of the body (`documents.0.blob`), or a parameter's or header's name. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A request that Surety refuses. It carries everything the answer needs; `src/http` turns it into a problem body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly fields: readonly FieldError[];
  /** Further members of the problem body, for example `earliest_start`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: RefusalCode,
    detail: string,
    more: { fields?: readonly FieldError[]; members?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(detail);
    this.code = code;
    this.fields = more.fields ?? [];
    this.members = more.members ?? {};
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }
}

/** A refusal because of one field of the input. */
export function wrongField(field: string, message: string, code: RefusalCode = 'invalid_request'): Refusal {
  return new Refusal(code, `${field}: ${message}`, { fields: [{ field, message }] });
}

/** One refusal for several wrong fields. */
export function wrongFields(fields: readonly FieldError[]): Refusal {
  const told = fields.slice(0, 3).map(({ field, message }) => `${field}: ${message}`);
  const rest = fields.length - told.length;
  return new Refusal('invalid_request', told.join('; ') + (rest > 0 ? `; and ${rest} more` : ''), { fields });
}
