import { type CommonRefusalCode, Refusal as CodedRefusal } from '../event-sourcing/refusal.ts';

export { type FieldError, wrongField, wrongFields } from '../event-sourcing/refusal.ts';

/**
 * Codes of everything that Surety refuses. A code is part of the API and never changes its meaning; `src/http/messages/problem-types.ts`
 * holds its HTTP status and title.
 */
export const REFUSAL_CODES = [
  'invalid_request',
  'malformed_body',
  'malformed_request',
  'policy_not_renewable',
  'renewal_overlaps_current_term',
  'invalid_verification_token',
  'premium_out_of_range',
  'incident_not_covered',
  'incident_outside_every_term',
  'amount_too_high',
  'api_key_missing',
  'api_key_invalid',
  'forbidden',
  'merchant_key_required',
  'route_not_found',
  'policy_not_found',
  'term_not_found',
  'claim_not_found',
  'customer_not_found',
  'merchant_not_found',
  'environment_not_found',
  'provider_not_found',
  'product_not_found',
  'document_not_found',
  'quote_not_found',
  'mail_job_not_found',
  'not_known_yet',
  'not_in_force_yet',
  'key_not_found',
  'command_not_found',
  'method_not_allowed',
  'term_overlaps',
  'reference_ambiguous',
  'claim_reference_taken',
  'claim_move_not_allowed',
  'claim_resolved',
  'policy_already_cancelled',
  'policy_not_active',
  'policy_already_active',
  'policy_not_begun',
  'policy_expired',
  'term_already_withdrawn',
  'term_already_begun',
  'term_not_last',
  'term_is_only_one',
  'quote_expired',
  'quote_already_purchased',
  'merchant_already_verified',
  'mail_job_not_parked',
  'provider_already_registered',
  'kyc_already_confirmed',
  'key_already_revoked',
  'nothing_to_change',
  'product_withdrawn',
  'product_not_withdrawn',
  'precondition_failed',
  'body_too_large',
  'event_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'idempotency_key_reused',
  'rate_limited',
  'portfolio_running',
  'verification_running',
  'rebuild_not_found',
  'rebuild_running',
  'internal_error',
  'busy',
  'unavailable',
  'document_parked',
  'read_models_building',
  'position_not_reached',
] as const;

export type RefusalCode = CommonRefusalCode | (typeof REFUSAL_CODES)[number];

/** Refuses a request with one of the codes of Surety. */
export type Refusal = CodedRefusal<RefusalCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<RefusalCode>>) => Refusal =
  CodedRefusal;
