import type { RefusalCode } from '#domain/refusals.ts';
import { CONFLICT_TEXTS, type ProblemText } from './conflict-texts.ts';

/** Codes of refusals that only HTTP has. */
type HttpCode =
  | 'malformed_body'
  | 'malformed_request'
  | 'forbidden'
  | 'cross_site'
  | 'merchant_key_required'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error';

/** Texts of all problems by status. A code is part of the API and never changes its meaning. */
export const PROBLEM_TEXTS = {
  400: {
    malformed_body: {
      title: 'The body could not be read',
      meaning:
        'The body does not match its `Content-Type`: it is not JSON in UTF-8, or not a valid form. Or its JSON has more than 100,000 structural characters (`{ } [ ] : ,` outside strings), or more than 64 levels. Or its objects have more than 10,000 members together (100,000 for documents of claims and for imports).',
      action:
        'Correct the encoding of the body; often a proxy or a missing escape is the cause. Reduce a body that exceeds a limit.',
    },
    malformed_request: {
      title: 'The request is not valid HTTP/1.1',
      meaning: 'The request has no header `Host`, or more than one.',
      action: 'Check the client, or the proxy in front of it.',
    },
    invalid_request: {
      title: 'The request is not valid',
      meaning: 'A field, parameter or header is wrong, missing or unknown. `errors` lists all of them.',
      action: 'Correct the fields in `errors` and send the request again; the same `Idempotency-Key` may be used.',
    },
    policy_not_renewable: {
      title: 'The policy cannot be renewed',
      meaning:
        'The product of the policy is not renewable, or the policy waits for inspection or certification, or is cancelled, also where the last day of cover is still to come, or its terms have too much text together.',
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
        'The policy was not in force on the day of the incident, or the day is in the future: no term that has begun includes it, cover had not begun, or the policy was cancelled for an earlier day. After a cancellation in the cooling-off time, no day of the first term is covered, also where its last day of cover is still to come. `detail` contains the last periods of cover.',
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
    ticket_invalid: {
      title: 'The ticket is not valid',
      meaning:
        'The ticket is older than an hour, was used before, was altered, or its person was removed or had the sessions ended.',
      action: 'Ask for another ticket, or sign in with a key.',
    },
    session_ended: {
      title: 'The session has ended',
      meaning:
        'The cookie of the session is too old, was altered, or its key is revoked or has expired. The response clears the cookie.',
      action: 'Sign in again.',
    },
    api_key_expired: {
      title: 'The API key has expired',
      meaning: 'The key was issued with `expires_at`, which has passed.',
      action: 'Ask for another key.',
    },
    api_key_invalid: {
      title: 'The API key is not valid',
      meaning: 'The key is mistyped, unknown or revoked.',
      action: 'Check that the complete key is sent, or request a new key from the platform.',
    },
  },
  403: {
    cross_site: {
      title: 'Only a page of this service may send that',
      meaning:
        'The request has the cookie of a session and changes something, or opens or ends a session, and does not come from a page of this service: `Sec-Fetch-Site` is not `same-origin` (without it, `Origin` is not that of this service), or `X-Surety-Console: 1` is missing.',
      action: 'Send a key in `X-API-Key` instead. Behind a proxy, set `PUBLIC_URL` to the address in the browser.',
    },
    authority_exceeded: {
      title: 'The amount is above the authority',
      meaning:
        'The key or its person decides up to a bound, which `detail` names, and in one currency. Compared is what the claim has in all after the move: the approved amount, or the sum of its payments.',
      action: 'Let a person with a higher authority decide.',
    },
    forbidden: {
      title: 'This key may not do that',
      meaning: 'The role of this key does not allow the operation.',
      action: 'Use a key with a role that the API reference lists for the operation.',
    },
    merchant_key_required: {
      title: 'Only a merchant key may do that',
      meaning: "The operation requires a merchant's key, because it acts in the environment of the key.",
      action: "Use a merchant's key, or the platform's command of the same name with `environment_id`.",
    },
  },
  404: {
    route_not_found: {
      title: 'There is no such path',
      meaning: 'The path does not exist.',
      action:
        'Use the nearest path that the key may call, which the detail names where there is one, or compare the path with the API reference. All paths of the API begin with `/api/v1`.',
    },
    policy_not_found: {
      title: 'There is no such policy',
      meaning:
        'No policy with this id or number is visible to the key: it does not exist, or is of another merchant, or of the other mode (live or test), which the detail says to its own merchant.',
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
        'No claim with this id or reference is visible to the key: it does not exist, or is of another merchant or of the other mode, which the detail says to its own merchant.',
      action: 'Check id, reference and key.',
    },
    customer_not_found: {
      title: 'There is no such customer',
      meaning:
        'No customer with this id is visible to the key: it does not exist, or is of another merchant or of the other mode, which the detail says to its own merchant.',
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
    person_not_found: {
      title: 'There is no such person',
      meaning: 'No person has this id.',
      action: 'List the persons: `GET /api/v1/admin/persons/`.',
    },
    key_not_found: {
      title: 'There is no such key',
      meaning: 'No key has this id.',
      action: 'Use the `key_id` from the response of `IssueApiKey`, not the key.',
    },
    command_not_found: {
      title: 'There is no such command',
      meaning: 'The platform has no command of this name.',
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
  405: {
    method_not_allowed: {
      title: 'The path does not support the method',
      meaning: 'The path does not support the method.',
      action: 'Use one of the methods in the header `Allow`.',
    },
  },
  409: CONFLICT_TEXTS,
  412: {
    precondition_failed: {
      title: 'The resource has changed since it was read',
      meaning: 'The resource has changed since the `ETag` in `If-Match` was read.',
      action: 'Read the resource again and repeat the request with the new `ETag`.',
    },
  },
  413: {
    body_too_large: {
      title: 'The body is too large',
      meaning: 'The body is larger than 1 MiB, or 10 MiB for a claim.',
      action: 'Send smaller or fewer documents. Base64 in JSON is a third larger than files in `multipart/form-data`.',
    },
    event_too_large: {
      title: 'The event of the request is too large',
      meaning: 'The event that the request would record is larger than the limit of about 1 MB. Nothing was recorded.',
      action: 'Reduce free-form JSON or texts; the same `Idempotency-Key` may be used.',
    },
  },
  414: {
    uri_too_long: {
      title: 'The address is too long',
      meaning: 'The URL has more than 8,192 characters.',
      action: 'Shorten the query string.',
    },
  },
  415: {
    unsupported_media_type: {
      title: 'The type of the body is not supported',
      meaning: 'The body is not JSON or a form, or is compressed, or is not in UTF-8.',
      action: 'Set `Content-Type` to `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`.',
    },
  },
  422: {
    idempotency_key_reused: {
      title: 'The idempotency key was used for another request',
      meaning:
        'A request with the same `Idempotency-Key` but another body, query or resource in the path was executed before. The same resource by another name, such as a policy by its number, counts as another one.',
      action: 'Use a new key for a new request, or repeat the original request unchanged.',
    },
    certificate_too_large: {
      title: 'The certificate is too large',
      meaning:
        'The texts of the policy would draw more than 100,000 characters, or take more than 5 s. A character without a glyph is drawn as its code, which has up to ten.',
      action: 'Read the policy instead, or shorten the names of its coverages and beneficiaries.',
    },
  },
  429: {
    rate_limited: {
      title: 'Too many requests with this key',
      meaning: 'The key has exceeded its rate limit.',
      action: 'Wait for the seconds in `Retry-After`. `RateLimit` in every response contains the remaining requests.',
      retryAfter: 1,
    },
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
    internal_error: {
      title: 'An unexpected error occurred in Surety',
      meaning: 'An unexpected error occurred in Surety. The request may or may not have been executed.',
      action:
        'Repeat the request with the same `Idempotency-Key`; if the error persists, report the `request_id` to the operator.',
    },
    document_damaged: {
      title: 'A stored document is damaged',
      meaning:
        'The stored content of a document of the claim is missing or does not match its SHA-256. Its bytes are not sent. A command on the claim is executed, and its response has null in place of the content.',
      action: 'Report the `request_id` to the operator. Adding the same document again repairs its content.',
    },
  },
  503: {
    busy: {
      title: 'Too many concurrent requests',
      meaning:
        'Many concurrent requests change the same resource, and this one was not executed. Or the service holds 64 MiB of bodies in memory, or 32 MiB of one key: of requests in flight, and of responses over 64 KiB that clients have not read. Then no command was executed either. Or more requests of a kind are under way than the service takes: 8 downloads of a key and 32 in all, 16 pages of the feed of a key, 64 histories and past states of a key, 32 certificates of a merchant.',
      action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
      retryAfter: 1,
    },
    unavailable: {
      title: 'A store does not answer at the moment',
      meaning: 'A store does not answer. The request may or may not have been executed.',
      action: 'Repeat the request with the same `Idempotency-Key` after `Retry-After` seconds.',
      retryAfter: 5,
    },
    event_unreadable: {
      title: 'The next event cannot be read by this version',
      meaning:
        'The next event of the feed was written by a newer version of Surety, or is damaged. `position` says where in the log it is. Nothing is skipped.',
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
} satisfies Readonly<Record<number, Readonly<Partial<Record<HttpCode | RefusalCode, ProblemText>>>>>;
