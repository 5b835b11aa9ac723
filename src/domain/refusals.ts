import { COMMON_PROBLEMS, problemTypes, Refusal as CodedRefusal } from '../event-sourcing/refusal.ts';

export { type FieldError, wrongField, wrongFields } from '../event-sourcing/refusal.ts';

/** Refusals of Surety by status. Those that only HTTP has are in `src/http/messages/problem-types.ts`. */
export const DOMAIN_PROBLEMS = {
  ...COMMON_PROBLEMS,
  ...problemTypes({
    400: {
      policy_not_renewable: {
        title: 'The policy cannot be renewed',
        meaning:
          'The product of the policy is not renewable, or the policy waits for inspection or certification, or is cancelled, also where the last day of cover is still to come.',
        action: 'Request quotes and buy a new policy.',
      },
      not_eligible: {
        title: 'The customer is not eligible for the product',
        meaning:
          'The product has limits of age. Either the customer is outside them on the first day of cover, or the date of birth is missing; `errors` says which.',
        action: 'Give `customer_metadata.date_of_birth`, or choose another product.',
      },
      renewal_overlaps_current_term: {
        title: 'The new term would overlap an earlier one',
        meaning: 'The new term would begin before the end of the last one. `earliest_start` is the first possible day.',
        action: 'Renew from `earliest_start` or later.',
      },
      invalid_verification_token: {
        title: 'The verification token is not valid',
        meaning: 'The token is wrong, older than 24 hours, replaced by a newer one, or of another merchant.',
        action: 'Use the link of the newest mail; the platform can send another one (`ResendVerification`).',
      },
      premium_out_of_range: {
        title: 'The premium would have more than 8 integer digits',
        meaning: 'The premium of the term would have more than 8 integer digits.',
        action: 'Choose fewer days, or a smaller `additional_amount`.',
      },
      incident_not_covered: {
        title: 'The policy was not in force on the day of the incident',
        meaning:
          'The policy was not in force on the day of the incident, or the day is in the future: no term that has begun includes it, cover had not begun, or the policy was cancelled for an earlier day. After a cancellation in the cooling-off time, no day of the first term is covered, also where its last day of cover is still to come.',
        action: 'Check the day and the policy; the incident may belong to another policy of the customer.',
      },
      incident_outside_every_term: {
        title: 'The incident lies outside every term of the policy',
        meaning: 'Imports only: the policy was not in force on the day of the incident.',
        action: 'Check the day and the policy; the incident may belong to another policy of the customer.',
      },
      amount_too_high: {
        title: 'The amount is higher than allowed',
        meaning:
          'The amount is higher than the one that limits it: an approval is at most the claimed amount less the deductible, and what other claims have left of the limit of the coverage; an offer at most the approved amount; a payment at most what is left of the accepted offer or the approved amount, and of the limit. `limit` is the highest amount allowed.',
        action: 'Send at most `limit`, or leave the amount out.',
      },
    },
    401: {
      api_key_missing: {
        title: 'No API key was given',
        meaning: 'The request has no header `X-API-Key`.',
        action: 'Send the key in `X-API-Key`. Check whether a proxy or a redirect removes the header.',
      },
      api_key_invalid: {
        title: 'The API key is not valid',
        meaning: 'The key is mistyped, unknown or revoked.',
        action: 'Check that the complete key is sent, or request a new key from the platform.',
      },
    },
    404: {
      policy_not_found: {
        title: 'There is no such policy',
        meaning:
          'No policy with this id or number is visible to the key: it does not exist, or is of another merchant, or of the other mode (live or test).',
        action: 'Check id, number and key.',
      },
      term_not_found: {
        title: 'There is no such term',
        meaning: 'No term of the policy begins on the day that `from` names.',
        action: 'Read the first days of its terms from `GET /api/v1/policies/{policy_id}/terms/`.',
      },
      claim_not_found: {
        title: 'There is no such claim',
        meaning:
          'No claim with this id or reference is visible to the key: it does not exist, or is of another merchant or mode.',
        action: 'Check id, reference and key.',
      },
      customer_not_found: {
        title: 'There is no such customer',
        meaning:
          'No customer with this id is visible to the key: it does not exist, or is of another merchant or mode.',
        action: 'Check id and key. `policy_holder.customer_id` of a policy is the id.',
      },
      merchant_not_found: {
        title: 'There is no such merchant',
        meaning: 'No merchant has this short code, or it is of another merchant.',
        action: 'Check the short code.',
      },
      environment_not_found: {
        title: 'There is no such environment',
        meaning: 'No environment with this number exists, or it is of another merchant.',
        action: 'Check the number and the key.',
      },
      provider_not_found: {
        title: 'There is no such provider',
        meaning: 'No provider has this id.',
        action: 'Find it in the list of insurers.',
      },
      product_not_found: {
        title: 'There is no such product',
        meaning: 'No product with this id exists in this mode (live or test).',
        action: 'Find it in the list of products.',
      },
      document_not_found: {
        title: 'There is no such document',
        meaning: 'The claim has no document with this SHA-256.',
        action: 'Use a `sha256` that the claim shows.',
      },
      quote_not_found: {
        title: 'There is no such quote',
        meaning: 'No quote with this code or purchase id exists for the merchant and mode of the key.',
        action: 'Check code and key, or request new quotes.',
      },
      mail_job_not_found: {
        title: 'There is no such mail',
        meaning: 'No mail has this job id.',
        action: 'Find it in the list of mail jobs.',
      },
      not_known_yet: {
        title: 'Nothing was known of it at that instant',
        meaning: 'The resource exists, but nothing was recorded about it at the time in `known_at`.',
        action: 'Use a later time; the history shows the first event.',
      },
      not_in_force_yet: {
        title: 'It had not taken effect by that day',
        meaning:
          'The resource exists, but it had not taken effect by the day in `as_of`, from what was recorded by `known_at`. A policy takes effect when its first term begins; one that was cancelled or declined before that day never does.',
        action: 'Use a later day; `effective_at` in the history shows the business days.',
      },
      key_not_found: {
        title: 'There is no such key',
        meaning: 'No key has this id.',
        action: 'Use the `key_id` from the response of `IssueApiKey`, not the key.',
      },
      command_not_found: {
        title: 'There is no such command',
        meaning: 'There is no command of this name in the back office.',
        action: 'See the list of commands; names are case-sensitive.',
      },
      verification_not_found: {
        title: 'There is no such verification',
        meaning: 'The newest verification has another id, or there was none.',
        action: 'Start another verification; only the newest one is shown.',
      },
      rebuild_not_found: {
        title: 'Rebuild not found',
        meaning: 'There is no rebuild with this id.',
        action: 'Check the id.',
      },
    },
    409: {
      term_overlaps: {
        title: 'The term overlaps one of the policy',
        meaning: 'The imported term overlaps an existing term of the policy.',
        action: 'Correct the dates, or omit the term.',
      },
      reference_ambiguous: {
        title: 'Several merchants or modes use this reference',
        meaning:
          'Several merchants, or the live and the test mode of one, have a claim with this reference or a policy with this number, and a platform key can read all of them.',
        action: 'Add `?environment_id=`, or use the id of the claim or policy.',
      },
      customer_reference_taken: {
        title: 'The customer reference is taken',
        meaning:
          'Another customer of the merchant has this reference; at a purchase and in an import, one with another name and another e-mail.',
        action:
          'Check the reference, or read its customer from `GET /api/v1/merchants/{short_code}/customers/?customer_reference=`.',
      },
      claim_reference_taken: {
        title: 'The claim reference is taken',
        meaning: 'Another claim of the merchant has this reference.',
        action: 'Give the imported claim another reference.',
      },
      claim_move_not_allowed: {
        title: 'The stage of the claim does not allow the move',
        meaning:
          'The stage of the claim does not allow the move. `detail` contains the current stage, `allowed` the possible ones.',
        action: 'Make the moves in their order, or read the claim: another user may have moved it.',
      },
      claim_withdrawn: {
        title: 'The claim is withdrawn',
        meaning: 'The claim is withdrawn, and takes no more documents.',
        action: 'File another claim, or let the back office reopen it.',
      },
      incident_no_longer_covered: {
        title: 'The policy does not cover the day of the incident any more',
        meaning:
          'The policy was cancelled as of an earlier day, or its first term was taken back, after the claim was filed.',
        action: 'Deny the claim, or let the back office reinstate the policy.',
      },
      payment_already_reversed: {
        title: 'The payment was reversed already',
        meaning: 'The payment was reversed before and counts nowhere.',
        action: 'Nothing. The claim shows the day.',
      },
      claim_paid_after_day: {
        title: 'A claim was paid for a later incident',
        meaning: 'A payment was made for an incident after the day on which the policy should end.',
        action: 'Cancel it as of a later day, or reverse the payment first.',
      },
      policy_already_cancelled: {
        title: 'The policy is cancelled already',
        meaning: 'The policy was cancelled or declined. The last day of cover may still be to come.',
        action: 'Nothing. The policy shows the day and the initiator.',
      },
      policy_not_cancelled: {
        title: 'The policy is not cancelled',
        meaning:
          'Only a cancelled policy can be reinstated. This one was not cancelled, or was declined: a declined policy shows the status `cancelled`, but its decline is not undone.',
        action: 'Nothing. After a decline, buy a new policy.',
      },
      policy_not_changeable: {
        title: 'The policy cannot be changed',
        meaning:
          'The policy is cancelled, also where the last day of cover is still to come, it waits for inspection or certification, its last term is over, or its last change was made on a later day.',
        action: 'Change the coverages while it is in force, or with a renewal.',
      },
      changed_after_day: {
        title: 'The policy was changed after this day',
        meaning: 'The coverages of the policy were changed after the day that `effective_on` names.',
        action: 'Cancel it for the day of the change or a later one.',
      },
      policy_not_active: {
        title: 'The policy is not active',
        meaning: 'The operation requires an active policy, but the policy is only accepted.',
        action: 'Wait until its start day, or until the platform activates it.',
      },
      policy_already_active: {
        title: 'The policy is active already',
        meaning: 'The policy is active already, or was activated and has not begun.',
        action: 'Nothing.',
      },
      policy_not_begun: {
        title: 'The policy becomes active automatically on its start day',
        meaning: 'The policy needs no activation: it becomes active automatically on its start day.',
        action: 'Wait for that day.',
      },
      policy_expired: {
        title: 'The last term of the policy is over',
        meaning:
          'The last term of the policy is over, so there is no cover to cancel and nothing to renew automatically.',
        action: 'Renew the policy if it should cover again.',
      },
      term_already_withdrawn: {
        title: 'The term was withdrawn already',
        meaning: 'The term that begins on this day was withdrawn already.',
        action: 'Nothing is left to do.',
      },
      term_already_begun: {
        title: 'The term has begun',
        meaning: 'The term has begun, so it covers or has covered and cannot be taken back.',
        action: 'Cancel the policy; the premium of the days that are left is returned.',
      },
      term_not_last: {
        title: 'The term is not the last one',
        meaning: 'A later term follows, and only the last one can be withdrawn.',
        action: 'Withdraw the later terms first.',
      },
      term_is_only_one: {
        title: 'The policy has no other term',
        meaning: 'The policy has no other term, so withdrawing it would leave no policy.',
        action: 'Decline the policy (`DeclinePolicy`) instead.',
      },
      quote_expired: {
        title: 'The quote has expired',
        meaning: 'The quote is older than 30 days.',
        action: 'Request new quotes.',
      },
      quote_already_purchased: {
        title: 'The quote was bought already',
        meaning: 'The quote was already purchased. A quote can be purchased once.',
        action: 'Read the policy, or request new quotes.',
      },
      merchant_already_verified: {
        title: 'The merchant is verified already',
        meaning: 'The e-mail of the merchant is already verified.',
        action: 'Nothing.',
      },
      mail_job_not_parked: {
        title: 'The mail is not parked',
        meaning: 'Only parked mails can be sent again. This one was sent, is being sent, or is retried automatically.',
        action: 'Check its status in the list of mail jobs.',
      },
      provider_already_registered: {
        title: 'A provider of this name is registered already',
        meaning: 'A provider has or had this name; case is ignored.',
        action: 'Search the provider by name, or choose another name.',
      },
      provider_already_confirmed: {
        title: 'The provider is confirmed already',
        meaning: 'Every merchant of its mode (live or test) sees the provider already.',
        action: 'Nothing.',
      },
      provider_not_confirmable: {
        title: 'A provider of an import cannot be confirmed',
        meaning: 'An import registered the provider, so only its merchant ever sees it.',
        action: 'Register the provider for all merchants with `RegisterProvider`.',
      },
      provider_withdrawn: {
        title: 'The provider is withdrawn',
        meaning: 'The provider is withdrawn: it is not listed, gets no products, and its products are not quoted.',
        action: 'Nothing, or register another provider. The name stays taken.',
      },
      kyc_already_confirmed: {
        title: 'The merchant is verified by the platform already',
        meaning: 'The platform has already verified the merchant.',
        action: 'Nothing.',
      },
      key_already_revoked: {
        title: 'The key is revoked already',
        meaning: 'The key is already revoked.',
        action: 'Nothing.',
      },
      nothing_to_change: {
        title: 'The request would change nothing',
        meaning: 'All fields already have these values, so nothing was recorded.',
        action: 'Nothing, or check the id in the request.',
      },
      product_withdrawn: {
        title: 'The product is withdrawn',
        meaning: 'The product is withdrawn already, or a quote of it cannot be bought.',
        action: 'Request new quotes, or restore the product first.',
      },
      product_not_withdrawn: {
        title: 'The product is not withdrawn',
        meaning: 'The product is not withdrawn, so it cannot be restored.',
        action: 'Nothing.',
      },
      rebuild_running: {
        title: 'A rebuild of the same collections has not ended',
        meaning: 'A rebuild of one of the same collections has not ended; `rebuild_id` and `collections` name it.',
        action: 'Wait for its end, which `GET /api/v1/admin/rebuilds/{rebuild_id}/` shows.',
      },
    },
    429: {
      portfolio_running: {
        title: 'Another portfolio is being computed',
        meaning: 'The process computes a portfolio for another request, and only one at a time.',
        action: 'Wait for the seconds in `Retry-After`, and send the request again.',
        retryAfter: 5,
      },
      verification_running: {
        title: 'Another verification is running',
        meaning: 'Another verification has not ended, and only one runs at a time; `verification_id` names it.',
        action: 'Wait for its end, which `GET /api/v1/admin/verifications/{verification_id}/` shows.',
        retryAfter: 30,
      },
    },
    500: {
      document_damaged: {
        title: 'A stored document is damaged',
        meaning:
          'The stored content of a document of the claim is missing or does not match its SHA-256. Its bytes are not sent. A command on the claim is executed, and its response has null in place of the content.',
        action: 'Report the `request_id` to the operator. Adding the same document again repairs its content.',
      },
    },
    503: {
      unavailable: {
        title: 'A store does not answer at the moment',
        meaning: 'A store does not answer. The request may or may not have been executed.',
        action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
        retryAfter: 5,
      },
      document_parked: {
        title: 'The document is parked until an operator retries it',
        meaning: 'The document is parked, because one of its events could not be processed. No data is lost.',
        action: 'Wait for the operator, who sees it in the list of parked documents. Lists show its last valid state.',
        retryAfter: 60,
      },
      read_models_building: {
        title: 'The read models are being built',
        meaning:
          'The read models are being built from the log, because they are new, of a new version, or were deleted. `progress` has `position`, the last event that they reflect (null before the first), and `head`, the newest one. Commands are executed meanwhile.',
        action: 'Repeat the request after `Retry-After` seconds.',
        retryAfter: 5,
      },
      position_not_reached: {
        title: 'The read models have not reached this position yet',
        meaning: 'The read models have not reached the position in `Surety-Min-Position` within 2 seconds.',
        action: 'Repeat the request after `Retry-After` seconds, or without the header if older data is sufficient.',
        retryAfter: 1,
      },
    },
  }),
};

export type RefusalCode = keyof typeof DOMAIN_PROBLEMS;

/** Refuses a request with one of the codes of Surety. */
export type Refusal = CodedRefusal<RefusalCode>;
export const Refusal: new (...parameters: ConstructorParameters<typeof CodedRefusal<RefusalCode>>) => Refusal =
  CodedRefusal;

/** Returns whether the error is a refusal after which the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && DOMAIN_PROBLEMS[error.code]?.retryAfter !== undefined;
}
