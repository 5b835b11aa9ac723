import type { RefusalCode } from '../../domain/refusals.ts';

/** What a code means to the one who gets it, and what to do. Every code has its words: the type wants it. */
export const ERROR_EXPLANATIONS: Readonly<Record<RefusalCode, { readonly means: string; readonly todo: string }>> = {
  invalid_request: {
    means: 'A field, parameter or header is wrong, missing or not known. `errors` names every one of them.',
    todo: 'Correct what `errors` names and send it again; the same `Idempotency-Key` may be used.',
  },
  malformed_body: {
    means:
      'The body is not what its `Content-Type` says: not JSON in UTF-8, or not a form that can be read. Or its JSON has more than 100,000 structural characters (`{ } [ ] : ,` outside strings), or nests deeper than 64 levels.',
    todo: 'Correct the encoding of the body: often a proxy or a missing escape spoilt it. Make a body that exceeds a limit smaller.',
  },
  malformed_request: {
    means: 'What arrived is not an HTTP/1.1 request.',
    todo: 'Look at the client: it may speak TLS to a plain port, or send a header that is not allowed.',
  },
  policy_not_renewable: {
    means: 'The product of the policy is not renewable, or the policy is cancelled.',
    todo: 'Request quotes and buy a new policy.',
  },
  renewal_overlaps_current_term: {
    means: 'The new term would begin before the last one has ended. `earliest_start` tells the first day that is free.',
    todo: 'Renew from `earliest_start` or later.',
  },
  invalid_verification_token: {
    means: 'The token is wrong, older than 24 hours, replaced by a newer one, or not that of this merchant.',
    todo: 'Use the link of the newest mail; the platform can send another one (`ResendVerification`).',
  },
  incident_outside_every_term: {
    means: 'The policy did not cover the day of the incident: no term includes it, or it lies after the cancellation.',
    todo: 'Check the day and the policy; the incident may belong to another policy of the customer.',
  },
  api_key_missing: {
    means: 'The request has no header `X-API-Key`.',
    todo: 'Send the key in `X-API-Key`. Look whether a proxy or a redirect dropped it.',
  },
  api_key_invalid: {
    means: 'The key is mistyped, unknown or revoked.',
    todo: 'Check that the whole key is sent; have the platform issue a new one.',
  },
  forbidden: {
    means: 'The role of this key may not do that.',
    todo: 'Use a key of a role that the reference names for this operation.',
  },
  merchant_key_required: {
    means: "Only a merchant's key can do that, because it is done in its environment.",
    todo: "Use the merchant's key, or the command of the same name in the back office with `environment_id`.",
  },
  route_not_found: {
    means: 'There is no such path.',
    todo: 'Compare the path with the reference. Every path of the interface begins with `/api/v1`.',
  },
  policy_not_found: {
    means: 'No policy has this id or number, or it is not yours, or it belongs to the other world (live or test).',
    todo: 'Check id, number and key.',
  },
  claim_not_found: {
    means: 'No claim has this id or reference, or it is not yours, or it belongs to the other world.',
    todo: 'Check id, reference and key.',
  },
  customer_not_found: {
    means: 'No customer has this id, or it is not yours, or it belongs to the other world.',
    todo: 'Check id and key. `policy_holder.customer_id` of a policy tells the id.',
  },
  merchant_not_found: { means: 'No merchant has this short code.', todo: 'Check the short code.' },
  environment_not_found: {
    means: 'No environment has this number, or it belongs to another merchant.',
    todo: 'Check the number and the key.',
  },
  provider_not_found: { means: 'No provider has this id.', todo: 'Find it in the list of insurers.' },
  product_not_found: {
    means: 'No product has this id, or it is seen in the other world only.',
    todo: 'Find it in the list of products.',
  },
  quote_not_found: {
    means: 'No quote has this code or purchase id, or it was made with a key of another merchant or world.',
    todo: 'Check code and key, or request new quotes.',
  },
  mail_job_not_found: { means: 'No mail has this job id.', todo: 'Find it in the list of mail jobs.' },
  not_known_yet: {
    means: 'The resource exists, but at the moment that `known_at` names nothing was recorded of it.',
    todo: 'Ask for a later moment; the history tells when it begins.',
  },
  key_not_found: {
    means: 'No key has this id.',
    todo: 'Use the `key_id` that its issue answered, not the key itself.',
  },
  command_not_found: {
    means: 'The back office has no command of this name.',
    todo: 'See the list of commands; names are written in capitals and small letters as there.',
  },
  method_not_allowed: {
    means: 'The path exists, but not for this method.',
    todo: 'Use one of the methods that the header `Allow` tells.',
  },
  term_overlaps: {
    means: 'The imported term overlaps a term that the policy has already.',
    todo: 'Correct its days, or leave it out.',
  },
  reference_ambiguous: {
    means: 'Several merchants have a claim of this reference, and a key of the platform sees them all.',
    todo: 'Add `?environment_id=`, or ask by the id of the claim.',
  },
  claim_reference_taken: {
    means: 'Another claim of this merchant has the reference already.',
    todo: 'Give the imported claim another reference.',
  },
  claim_move_not_allowed: {
    means: 'The claim is at a stage from which it cannot go there. `detail` tells where it is and what it can become.',
    todo: 'Take the moves in their order, or read the claim: another person may have moved it on.',
  },
  policy_already_cancelled: {
    means: 'The policy was cancelled before.',
    todo: 'Nothing: it is as it should be. The policy tells when and by whom.',
  },
  policy_not_active: {
    means: 'The policy is accepted but not active yet, so that can not be done with it.',
    todo: 'Wait until it begins, or until the platform has activated it.',
  },
  policy_already_active: { means: 'The policy is active already.', todo: 'Nothing: it is as it should be.' },
  policy_not_begun: {
    means: 'The policy needs no activation: it becomes active by itself on its start day.',
    todo: 'Wait for that day.',
  },
  quote_expired: { means: 'The quote is older than 30 days.', todo: 'Request new quotes.' },
  quote_already_purchased: {
    means: 'A policy was bought with this quote. A quote is bought once.',
    todo: 'Read that policy, or request new quotes for another one.',
  },
  merchant_already_verified: {
    means: 'The merchant has verified its e-mail, so it needs no further mail.',
    todo: 'Nothing: it is as it should be.',
  },
  mail_job_not_parked: {
    means: 'The mail was sent, is about to be sent or is tried again by itself: only a parked one is sent again.',
    todo: 'Look at its state in the list of mail jobs.',
  },
  provider_already_registered: {
    means: 'A provider has this name already, whatever its case, or had it once.',
    todo: 'Search for it by name, or choose another name.',
  },
  kyc_already_confirmed: { means: 'The platform has verified the merchant before.', todo: 'Nothing.' },
  key_already_revoked: { means: 'The key was revoked before and opens nothing.', todo: 'Nothing.' },
  nothing_to_change: {
    means: 'Every field has the given value already, so nothing was recorded.',
    todo: 'Nothing, or check that the right thing is named.',
  },
  product_withdrawn: { means: 'The product is withdrawn already.', todo: 'Nothing, or restore it first.' },
  product_not_withdrawn: { means: 'The product is not withdrawn, so it cannot be restored.', todo: 'Nothing.' },
  request_timeout: {
    means: 'Headers or body did not arrive in time.',
    todo: 'Send it again over a better connection; with an `Idempotency-Key` that is safe.',
  },
  precondition_failed: {
    means: 'The resource has changed since the `ETag` in `If-Match` was read.',
    todo: 'Read it again, decide again, and send the new `ETag`.',
  },
  body_too_large: {
    means: 'The body is larger than 1 MiB, or than 10 MiB with the documents of a claim.',
    todo: 'Send less: smaller or fewer documents. In JSON they are base64, which takes a third more than as files of `multipart/form-data`.',
  },
  event_too_large: {
    means:
      'The body is small enough, but what it would record is not: about a megabyte can be kept in one event. Nothing was recorded.',
    todo: 'Send less of what may be any JSON, or texts that are shorter; the same `Idempotency-Key` may be used.',
  },
  uri_too_long: { means: 'The address has more than 8,192 characters.', todo: 'Shorten the query string.' },
  unsupported_media_type: {
    means: 'The body is neither JSON nor a form, or it is compressed, or not in UTF-8.',
    todo: 'Set `Content-Type` to `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`.',
  },
  idempotency_key_reused: {
    means: 'A request with this `Idempotency-Key` but with another body or query was carried out before.',
    todo: 'Use a new key for what is a new request; send the very same request to repeat one.',
  },
  rate_limited: {
    means: 'This key has sent more requests than it may for the moment.',
    todo: 'Wait as many seconds as `Retry-After` tells. `RateLimit` in every answer tells what is left.',
  },
  headers_too_large: {
    means: 'The headers have more than 16 KiB.',
    todo: 'Send fewer or shorter headers; often it is cookies.',
  },
  internal_error: {
    means: 'Surety failed in a way that nobody foresaw. It may or may not have acted.',
    todo: 'Send the same again with the same `Idempotency-Key`; tell the operator the `request_id` if it lasts.',
  },
  busy: {
    means:
      'Many requests change the same thing at this moment, and this one did not get its turn: it did nothing. Or 256 MiB of answers wait for clients that do not read them, and the request or its answer is larger than 64 KiB; then no command was executed, either.',
    todo: 'Send the same again with the same `Idempotency-Key` after `Retry-After` seconds.',
  },
  unavailable: {
    means: 'A store does not answer. The request may or may not have acted.',
    todo: 'Send the same again with the same `Idempotency-Key` after `Retry-After` seconds.',
  },
  document_parked: {
    means: 'The document stands still, because an event of it could not be folded. Nothing is lost.',
    todo: 'Wait: an operator sees it in the list of parked documents. Lists show its last good state.',
  },
  position_not_reached: {
    means: 'The read models have not reached the position in `Surety-Min-Position` within 2 seconds.',
    todo: 'Ask again after `Retry-After` seconds, or without the header if older data will do.',
  },
};
