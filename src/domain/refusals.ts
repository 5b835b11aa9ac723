import { type CommonRefusalCode, Refusal as CodedRefusal } from '#event-sourcing/refusal.ts';

export { type FieldError, wrongField, wrongFields } from '#event-sourcing/refusal.ts';

type PolicyCode =
  | 'policy_not_found'
  | 'term_not_found'
  | 'policy_not_renewable'
  | 'policy_not_changeable'
  | 'policy_not_cancelled'
  | 'policy_already_cancelled'
  | 'policy_not_active'
  | 'policy_already_active'
  | 'policy_not_begun'
  | 'policy_expired'
  | 'renewal_overlaps_current_term'
  | 'term_overlaps'
  | 'term_already_withdrawn'
  | 'term_already_begun'
  | 'term_not_last'
  | 'term_is_only_one'
  | 'changed_after_day'
  | 'claim_paid_after_day'
  | 'amount_changed'
  | 'premium_out_of_range'
  | 'certificate_too_large';

type ClaimCode =
  | 'claim_not_found'
  | 'document_not_found'
  | 'document_damaged'
  | 'incident_not_covered'
  | 'incident_no_longer_covered'
  | 'incident_outside_every_term'
  | 'claim_move_not_allowed'
  | 'claim_withdrawn'
  | 'claim_reference_taken'
  | 'amount_too_high'
  | 'authority_exceeded'
  | 'payment_already_reversed';

type CustomerCode = 'customer_not_found' | 'customer_reference_taken';

type QuoteCode = 'quote_not_found' | 'quote_expired' | 'quote_already_purchased' | 'not_eligible';

type ProductCode =
  | 'provider_not_found'
  | 'provider_already_registered'
  | 'provider_already_confirmed'
  | 'provider_not_confirmable'
  | 'provider_withdrawn'
  | 'product_not_found'
  | 'product_withdrawn'
  | 'product_not_withdrawn';

type PersonCode = 'person_not_found' | 'person_already_added' | 'person_removed';

type MerchantCode =
  | 'merchant_not_found'
  | 'merchant_already_verified'
  | 'kyc_already_confirmed'
  | 'invalid_verification_token'
  | 'environment_not_found'
  | 'key_not_found'
  | 'key_already_revoked'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'session_ended'
  | 'ticket_invalid';

/** Of any resource: what a request names, or the state in which it is read or changed. */
type ResourceCode =
  | 'number_differs_by_case'
  | 'reference_ambiguous'
  | 'nothing_to_change'
  | 'not_known_yet'
  | 'not_in_force_yet';

type OperationsCode =
  | 'command_not_found'
  | 'mail_job_not_found'
  | 'mail_job_not_parked'
  | 'parked_document_not_found'
  | 'rebuild_not_found'
  | 'verification_not_found'
  | 'verification_running'
  | 'portfolio_running';

type ReadCode =
  | 'cursor_unknown'
  | 'event_unreadable'
  | 'document_parked'
  | 'read_models_building'
  | 'position_not_reached'
  | 'unavailable';

/** Every code of a refusal. `src/http/api/messages` has the texts and statuses, and the codes that only HTTP has. */
export type RefusalCode =
  | CommonRefusalCode
  | PolicyCode
  | ClaimCode
  | CustomerCode
  | QuoteCode
  | ProductCode
  | PersonCode
  | MerchantCode
  | ResourceCode
  | OperationsCode
  | ReadCode;

/** Refuses a request with one of the codes of Surety. */
export type Refusal = CodedRefusal<RefusalCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<RefusalCode>>) => Refusal =
  CodedRefusal;

const TEMPORARY_CODES: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'busy',
  'unavailable',
  'event_unreadable',
  'document_parked',
  'read_models_building',
  'position_not_reached',
  'portfolio_running',
  'verification_running',
]);

/** Returns whether the error is a refusal after which the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && TEMPORARY_CODES.has(error.code);
}

/** Codes of what belongs to a merchant in one mode. */
export type OwnedCode = 'policy_not_found' | 'claim_not_found' | 'customer_not_found' | 'quote_not_found';

/** Makes the refusal of something that the merchant does not have in its mode, but in the other one. */
export function inOtherMode(code: OwnedCode, testMode: boolean): Refusal {
  const [thing = ''] = code.split('_');
  const [own, other] = testMode ? ['test', 'live'] : ['live', 'test'];
  const advice = `but there is one in ${other} mode: use a key or environment of that mode`;
  return new Refusal(code, `There is no such ${thing} in ${own} mode, ${advice}`);
}

/**
 * Returns a function that creates refusals with these codes alone. An operation lists its `codes` in `errors`;
 * a function that operations share exports them.
 */
export function refusalsOf<const Codes extends readonly RefusalCode[]>(...codes: Codes) {
  type More = ConstructorParameters<typeof CodedRefusal>[2];
  const refuse = (code: Codes[number], detail?: string, more?: More): Refusal => new Refusal(code, detail, more);
  return Object.assign(refuse, { codes });
}
