import { COMMON_PROBLEMS, problemTypes, Refusal as CodedRefusal } from '#event-sourcing/refusal.ts';
import { CONFLICTS } from './conflicts.ts';

export { type FieldError, wrongField, wrongFields } from '#event-sourcing/refusal.ts';

/** Refusals of Surety by status. Those that only HTTP has are in `src/http/api/messages/problem-types.ts`. */
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
      cursor_unknown: {
        title: 'The cursor is not of this feed',
        meaning:
          'The feed does not show the event in `lastEventId` to this key, or `after` lies beyond the end of the log. The log may have been restored from a backup, or moved to another store, where positions are others.',
        action:
          'Check key and mode. After a backup was restored, read from the beginning (`after=0`) and drop the events whose ids you know.',
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
      number_differs_by_case: {
        title: 'The number differs from a known one by case alone',
        meaning:
          'Imports only: a policy or claim of the merchant has this number in another case, or with other spaces or characters that nobody sees. Numbers are compared without them, so that the two would be one.',
        action: 'Send the number as the policy or claim has it, or give the imported one another number.',
      },
      incident_outside_every_term: {
        title: 'The incident lies outside every term of the policy',
        meaning: 'Imports only: the policy was not in force on the day of the incident.',
        action: 'Check the day and the policy; the incident may belong to another policy of the customer.',
      },
      amount_too_high: {
        title: 'The amount is higher than allowed',
        meaning:
          'The amount is higher than the one that limits it: an approval is at most the claimed amount less the deductible, and what payments of other claims have left of the limit of the coverage; an offer at most the approved amount; a payment at most what is left of the accepted offer or the approved amount, and of the limit. `limit` is the highest amount allowed.',
        action: 'Send at most `limit`. Where it is 0.00, nothing can be approved or paid: deny the claim.',
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
      parked_document_not_found: {
        title: 'There is no such parked document',
        meaning: 'The collection has no document with this key, or the document is not parked.',
        action: 'Find it in the list of parked documents.',
      },
      not_known_yet: {
        title: 'Nothing was known of it at that instant',
        meaning: 'The resource exists, but nothing was recorded about it at the time in `known_at`.',
        action: 'Use a later time; the history shows the first event.',
      },
      not_in_force_yet: {
        title: 'It had not taken effect by that day',
        meaning:
          'The resource exists, but it had not taken effect by the day in `as_of`, from what was recorded by `known_at`. A policy takes effect when its first term begins; one that was cancelled or declined before that day never does. A certificate is made only of a policy that does not wait for its activation.',
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
        meaning: 'None of the last 20 verifications has the id.',
        action: 'Start another verification; the last 20 can be read.',
      },
      rebuild_not_found: {
        title: 'Rebuild not found',
        meaning: 'There is no rebuild with this id.',
        action: 'Check the id.',
      },
    },
    409: CONFLICTS,
    422: {
      certificate_too_large: {
        title: 'The certificate is too large',
        meaning:
          'The texts of the policy would draw more than 100,000 characters, or take more than 5 s. A character without a glyph is drawn as its code, which has up to ten.',
        action: 'Read the policy instead, or shorten the names of its coverages and beneficiaries.',
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
      event_unreadable: {
        title: 'The next event cannot be read by this version',
        meaning:
          'The next event of the feed was written by a newer version of Surety, or is damaged. `position` is its place in the log. Nothing is skipped.',
        action: 'Ask again after `Retry-After` seconds: an upgrade or an operator has to act (`docs/runbook.md`).',
        retryAfter: 60,
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
        meaning:
          'The read models have not reached the position in `Surety-Min-Position` within 2 seconds. `head` is the position of the newest event: where it is lower, the log does not contain the position, because it was restored from a backup or moved to another store.',
        action:
          'Repeat the request after `Retry-After` seconds; without the header if `head` is lower, or older data is sufficient.',
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

/**
 * Returns a function that creates refusals with these codes alone. An operation lists its `codes` in `errors`;
 * a function that operations share exports them.
 */
export function refusalsOf<const Codes extends readonly RefusalCode[]>(...codes: Codes) {
  type More = ConstructorParameters<typeof CodedRefusal>[2];
  const refuse = (code: Codes[number], detail?: string, more?: More): Refusal => new Refusal(code, detail, more);
  return Object.assign(refuse, { codes });
}

/** Returns whether the error is a refusal after which the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && DOMAIN_PROBLEMS[error.code]?.retryAfter !== undefined;
}
