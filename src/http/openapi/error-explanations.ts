import type { RefusalCode } from '../../domain/refusals.ts';

/** Explains every code to API clients. */
export const ERROR_EXPLANATIONS: Readonly<Record<RefusalCode, { readonly meaning: string; readonly action: string }>> =
  {
    invalid_request: {
      meaning: 'A field, parameter or header is wrong, missing or unknown. `errors` lists all of them.',
      action: 'Correct the fields in `errors` and send the request again; the same `Idempotency-Key` may be used.',
    },
    malformed_body: {
      meaning:
        'The body does not match its `Content-Type`: it is not JSON in UTF-8, or not a valid form. Or its JSON has more than 100,000 structural characters (`{ } [ ] : ,` outside strings), or more than 64 levels.',
      action:
        'Correct the encoding of the body; often a proxy or a missing escape is the cause. Reduce a body that exceeds a limit.',
    },
    malformed_request: {
      meaning: 'The request has no header `Host`, or more than one.',
      action: 'Check the client, or the proxy in front of it.',
    },
    policy_not_renewable: {
      meaning: 'The product of the policy is not renewable, or the policy is cancelled.',
      action: 'Request quotes and buy a new policy.',
    },
    renewal_overlaps_current_term: {
      meaning: 'The new term would begin before the end of the last one. `earliest_start` is the first possible day.',
      action: 'Renew from `earliest_start` or later.',
    },
    amount_too_high: {
      meaning:
        'The amount is higher than the one that limits it: an approval is at most the claimed amount, an offer at most the approved amount, a payment at most the accepted offer or the approved amount. `limit` is the highest amount allowed.',
      action: 'Send at most `limit`, or leave the amount out.',
    },
    invalid_verification_token: {
      meaning: 'The token is wrong, older than 24 hours, replaced by a newer one, or of another merchant.',
      action: 'Use the link of the newest mail; the platform can send another one (`ResendVerification`).',
    },
    premium_out_of_range: {
      meaning: 'The premium of the new term would have more than 8 integer digits.',
      action: 'Renew for fewer days, or with a smaller `additional_amount`.',
    },
    incident_not_covered: {
      meaning:
        'The policy was not in force on the day of the incident, or the day is in the future: no term that has begun includes it, cover had not begun, or the policy was cancelled on an earlier day.',
      action: 'Check the day and the policy; the incident may belong to another policy of the customer.',
    },
    incident_outside_every_term: {
      meaning: 'Imports only: the policy was not in force on the day of the incident.',
      action: 'Check the day and the policy; the incident may belong to another policy of the customer.',
    },
    api_key_missing: {
      meaning: 'The request has no header `X-API-Key`.',
      action: 'Send the key in `X-API-Key`. Check whether a proxy or a redirect removes the header.',
    },
    api_key_invalid: {
      meaning: 'The key is mistyped, unknown or revoked.',
      action: 'Check that the complete key is sent, or request a new key from the platform.',
    },
    forbidden: {
      meaning: 'The role of this key does not allow the operation.',
      action: 'Use a key with a role that the API reference lists for the operation.',
    },
    merchant_key_required: {
      meaning: "The operation requires a merchant's key, because it acts in the environment of the key.",
      action: "Use a merchant's key, or the command of the same name in the back office with `environment_id`.",
    },
    route_not_found: {
      meaning: 'The path does not exist.',
      action: 'Compare the path with the API reference. All paths of the API begin with `/api/v1`.',
    },
    policy_not_found: {
      meaning:
        'No policy with this id or number is visible to the key: it does not exist, or is of another merchant, or of the other mode (live or test).',
      action: 'Check id, number and key.',
    },
    term_not_found: {
      meaning: 'No term of the policy begins on the day that `from` names.',
      action: 'Read the first days of its terms from `GET /api/v1/policies/{policy_id}/terms/`.',
    },
    claim_not_found: {
      meaning:
        'No claim with this id or reference is visible to the key: it does not exist, or is of another merchant or mode.',
      action: 'Check id, reference and key.',
    },
    customer_not_found: {
      meaning: 'No customer with this id is visible to the key: it does not exist, or is of another merchant or mode.',
      action: 'Check id and key. `policy_holder.customer_id` of a policy is the id.',
    },
    merchant_not_found: {
      meaning: 'No merchant has this short code, or it is of another merchant.',
      action: 'Check the short code.',
    },
    environment_not_found: {
      meaning: 'No environment with this number exists, or it is of another merchant.',
      action: 'Check the number and the key.',
    },
    provider_not_found: { meaning: 'No provider has this id.', action: 'Find it in the list of insurers.' },
    product_not_found: {
      meaning: 'No product with this id exists in this mode (live or test).',
      action: 'Find it in the list of products.',
    },
    document_not_found: {
      meaning: 'The claim has no document with this SHA-256.',
      action: 'Use a `sha256` that the claim shows.',
    },
    quote_not_found: {
      meaning: 'No quote with this code or purchase id exists for the merchant and mode of the key.',
      action: 'Check code and key, or request new quotes.',
    },
    mail_job_not_found: { meaning: 'No mail has this job id.', action: 'Find it in the list of mail jobs.' },
    not_known_yet: {
      meaning: 'The resource exists, but nothing was recorded about it at the time in `known_at`.',
      action: 'Use a later time; the history shows the first event.',
    },
    not_in_force_yet: {
      meaning:
        'The resource exists, but none of it takes effect by the day in `as_of`, from what was recorded by `known_at`. A policy also takes no effect before its first term begins; one that was cancelled or declined before that day never does.',
      action: 'Use a later day; `effective_at` in the history shows the business days.',
    },
    key_not_found: {
      meaning: 'No key has this id.',
      action: 'Use the `key_id` from the answer of `IssueApiKey`, not the key.',
    },
    command_not_found: {
      meaning: 'There is no command of this name in the back office.',
      action: 'See the list of commands; names are case-sensitive.',
    },
    method_not_allowed: {
      meaning: 'The path does not support the method.',
      action: 'Use one of the methods in the header `Allow`.',
    },
    term_overlaps: {
      meaning: 'The imported term overlaps an existing term of the policy.',
      action: 'Correct the dates, or omit the term.',
    },
    reference_ambiguous: {
      meaning:
        'Several merchants, or the live and the test world of one, have a claim with this reference or a policy with this number, and a platform key can read all of them.',
      action: 'Add `?environment_id=`, or use the id of the claim or policy.',
    },
    claim_reference_taken: {
      meaning: 'Another claim of the merchant has this reference.',
      action: 'Give the imported claim another reference.',
    },
    claim_move_not_allowed: {
      meaning:
        'The stage of the claim does not allow the move. `detail` contains the current stage, `allowed` the possible ones.',
      action: 'Make the moves in their order, or read the claim: another user may have moved it.',
    },
    claim_resolved: {
      meaning: 'The claim is paid or denied, and takes no more documents.',
      action: 'File another claim if something else happened.',
    },
    policy_already_cancelled: {
      meaning: 'The policy was cancelled before.',
      action: 'Nothing. The policy shows the day and the initiator.',
    },
    policy_not_active: {
      meaning: 'The operation requires an active policy, but the policy is only accepted.',
      action: 'Wait until its start day, or until the platform activates it.',
    },
    policy_already_active: { meaning: 'The policy is active already.', action: 'Nothing.' },
    policy_expired: {
      meaning:
        'The last term of the policy is over, so there is no cover to cancel and nothing to renew automatically.',
      action: 'Renew the policy if it should cover again.',
    },
    term_already_withdrawn: {
      meaning: 'The term that begins on this day was withdrawn already.',
      action: 'Nothing is left to do.',
    },
    term_already_begun: {
      meaning: 'The term has begun, so it covers or has covered and cannot be taken back.',
      action: 'Cancel the policy; the premium of the days that are left is returned.',
    },
    term_not_last: {
      meaning: 'A later term follows, and only the last one can be withdrawn.',
      action: 'Withdraw the later terms first.',
    },
    term_is_only_one: {
      meaning: 'The policy has no other term, so withdrawing it would leave no policy.',
      action: 'Decline the policy (`DeclinePolicy`) instead.',
    },
    policy_not_begun: {
      meaning: 'The policy needs no activation: it becomes active automatically on its start day.',
      action: 'Wait for that day.',
    },
    quote_expired: { meaning: 'The quote is older than 30 days.', action: 'Request new quotes.' },
    quote_already_purchased: {
      meaning: 'The quote was already purchased. A quote can be purchased once.',
      action: 'Read the policy, or request new quotes.',
    },
    merchant_already_verified: {
      meaning: 'The e-mail of the merchant is already verified.',
      action: 'Nothing.',
    },
    mail_job_not_parked: {
      meaning: 'Only parked mails can be sent again. This one was sent, is being sent, or is retried automatically.',
      action: 'Check its status in the list of mail jobs.',
    },
    provider_already_registered: {
      meaning: 'A provider has or had this name; case is ignored.',
      action: 'Search the provider by name, or choose another name.',
    },
    provider_already_confirmed: {
      meaning: 'Every merchant of its mode (live or test) sees the provider already.',
      action: 'Nothing.',
    },
    provider_not_confirmable: {
      meaning: 'An import registered the provider, so only its merchant ever sees it.',
      action: 'Register the provider for all merchants with `RegisterProvider`.',
    },
    provider_withdrawn: {
      meaning: 'The provider is withdrawn: it is not listed, gets no products, and its products are not quoted.',
      action: 'Nothing, or register another provider. The name stays taken.',
    },
    kyc_already_confirmed: { meaning: 'The platform has already verified the merchant.', action: 'Nothing.' },
    key_already_revoked: { meaning: 'The key is already revoked.', action: 'Nothing.' },
    nothing_to_change: {
      meaning: 'All fields already have these values, so nothing was recorded.',
      action: 'Nothing, or check the id in the request.',
    },
    product_withdrawn: { meaning: 'The product is withdrawn already.', action: 'Nothing, or restore it first.' },
    product_not_withdrawn: { meaning: 'The product is not withdrawn, so it cannot be restored.', action: 'Nothing.' },
    precondition_failed: {
      meaning: 'The resource has changed since the `ETag` in `If-Match` was read.',
      action: 'Read the resource again and repeat the request with the new `ETag`.',
    },
    body_too_large: {
      meaning: 'The body is larger than 1 MiB, or 10 MiB for a claim.',
      action: 'Send smaller or fewer documents. Base64 in JSON is a third larger than files in `multipart/form-data`.',
    },
    event_too_large: {
      meaning: 'The event that the request would record is larger than the limit of about 1 MB. Nothing was recorded.',
      action: 'Reduce free-form JSON or texts; the same `Idempotency-Key` may be used.',
    },
    uri_too_long: { meaning: 'The URL has more than 8,192 characters.', action: 'Shorten the query string.' },
    unsupported_media_type: {
      meaning: 'The body is not JSON or a form, or is compressed, or is not in UTF-8.',
      action: 'Set `Content-Type` to `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`.',
    },
    idempotency_key_reused: {
      meaning: 'A request with the same `Idempotency-Key` but another body or query was executed before.',
      action: 'Use a new key for a new request, or repeat the original request unchanged.',
    },
    portfolio_running: {
      meaning: 'The process computes a portfolio for another request, and only one at a time.',
      action: 'Wait for the seconds in `Retry-After`, and send the request again.',
    },
    verification_running: {
      meaning: 'The process verifies its read models for another request, and only once at a time.',
      action: 'Wait for the seconds in `Retry-After`, and send the request again.',
    },
    rebuild_not_found: { meaning: 'There is no rebuild with this id.', action: 'Check the id.' },
    rebuild_running: {
      meaning: 'A rebuild of one of the same collections has not ended; `rebuild_id` and `collections` name it.',
      action: 'Wait for its end, which `GET /api/v1/admin/rebuilds/{rebuild_id}/` shows.',
    },
    rate_limited: {
      meaning: 'The key has exceeded its rate limit.',
      action: 'Wait for the seconds in `Retry-After`. `RateLimit` in every answer contains the remaining requests.',
    },
    internal_error: {
      meaning: 'An unexpected error occurred in Surety. The request may or may not have been executed.',
      action:
        'Repeat the request with the same `Idempotency-Key`; if the error persists, report the `request_id` to the operator.',
    },
    document_damaged: {
      meaning:
        'The stored content of a document of the claim is missing or does not match its SHA-256. Its bytes are not sent. A command on the claim is executed, and its answer has null in place of the content.',
      action: 'Report the `request_id` to the operator. Adding the same document again repairs its content.',
    },
    busy: {
      meaning:
        'Many concurrent requests change the same resource, and this one was not executed. Or the service holds 64 MiB of bodies in memory, or 32 MiB of one key: of requests in flight, and of answers over 64 KiB that clients have not read. Then no command was executed either.',
      action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
    },
    unavailable: {
      meaning: 'A store does not answer. The request may or may not have been executed.',
      action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
    },
    document_parked: {
      meaning: 'The document is parked, because one of its events could not be processed. No data is lost.',
      action: 'Wait for the operator, who sees it in the list of parked documents. Lists show its last valid state.',
    },
    read_models_building: {
      meaning:
        'The read models are being built from the log, because they are new, of a new version, or were deleted. `progress` has `position`, the last event that they reflect (null before the first), and `head`, the newest one. Commands are executed meanwhile.',
      action: 'Repeat the request after `Retry-After` seconds.',
    },
    position_not_reached: {
      meaning: 'The read models have not reached the position in `Surety-Min-Position` within 2 seconds.',
      action: 'Repeat the request after `Retry-After` seconds, or without the header if older data is sufficient.',
    },
  };
