import type { EventType } from '../../domain/events.ts';
import type { WireName } from '../../event-sourcing/event.ts';

/** Describes each version of each stored event in one sentence. */
export const EVENT_DESCRIPTIONS: Readonly<Record<WireName<EventType>, string>> = {
  'MerchantRegistered.v1': 'A merchant is known under a short code of its own.',
  'MerchantUpdated.v1': 'Details of a merchant have changed; only what is new stands in `changes`.',
  'MerchantKycConfirmed.v1': 'The platform has verified the merchant (`kyc_verified`).',
  'MerchantVerificationRequested.v1':
    'A verification mail is to go out. The token is made when it is sent: only its serial number and its end stand here.',
  'MerchantVerified.v1': 'The merchant has confirmed its e-mail with the token of this serial number (`is_active`).',
  'EnvironmentCreated.v1': 'A merchant has a place of its own, in the live or the test world.',
  'ApiKeyIssued.v1': 'A key was issued; it stands here as its SHA-256 only.',
  'ApiKeyRevoked.v1': 'A key opens nothing any more.',
  'ProviderRegistered.v1': 'An insurer is known, in the worlds that `visibility` tells.',
  'ProviderUpdated.v1': 'Details of an insurer have changed; only what is new stands in `changes`.',
  'ProductAdded.v1': 'An insurer offers a product, with all that prices are made of.',
  'ProductUpdated.v1': 'A product has changed; only what is new stands in `changes`, lists as a whole.',
  'ProductWithdrawn.v1': 'No more quotes are made of a product.',
  'ProductRestored.v1': 'A withdrawn product is offered again.',
  'CustomerRegistered.v1': 'A merchant has a customer: made at the first purchase or imported policy.',
  'QuotesOffered.v1':
    'One request for quotes, with everything it told and all its offers. `quote_code` and `purchase_id` of an offer lead here.',
  'PolicyImported.v1':
    'A policy of another book was taken over with its first term; it counts for the day that term begins.',
  'PolicyTermImported.v1': 'A further term of a policy that was taken over.',
  'PolicyPurchased.v1': 'A policy was bought with a quote. It keeps the names and prices of that day.',
  'PolicyActivated.v1': 'An accepted policy is active: its start day has come, or the platform has activated it.',
  'PolicyRenewed.v1': 'A policy has a further term, with its price; it counts for the day that term begins.',
  'PolicyCancelled.v1': 'A policy has ended.',
  'ClaimSubmitted.v1':
    'A claim was filed. The contents of its documents lie in records, under the SHA-256 that stands here.',
  'ClaimImported.v1':
    'A settled claim of another book was taken over: its filing. The settlement stands in the same append.',
  'ClaimSettlementImported.v1': 'The final move of a claim that was taken over.',
  'ClaimReviewStarted.v1': 'A claim is under review.',
  'ClaimSentForApproval.v1': 'A claim waits for approval.',
  'ClaimApproved.v1': 'A claim is approved; the amount may differ from what was claimed.',
  'ClaimOfferSent.v1': 'The claimant was made an offer.',
  'ClaimOfferAccepted.v1': 'The claimant has taken the offer.',
  'ClaimPaid.v1': 'A claim is paid, which ends it.',
  'ClaimDenied.v1': 'A claim is denied, which ends it.',
  'MailRequested.v1':
    'A mail is to be sent; `reason` says whether an event, a retry, a missing mailer or a person asks.',
  'MailAttempted.v1': 'A mail is about to be handed to the mail server, for the `attempt`th time.',
  'MailSent.v1': 'The mail server has taken the mail.',
  'MailRefused.v1': 'The mail server has refused the mail; it is tried again at `retryAt`.',
  'MailParked.v1': 'The mail is not tried again by itself: a person decides.',
  'MailDropped.v1': 'The mail is not needed any more and was not sent.',
  'MailResendRequested.v1': 'An operator wants a parked mail to be sent again; written by earlier versions.',
  'ValueReserved.v1':
    'A value that must be unique is taken, for good. It carries the whole command, so that what was left unfinished can be finished.',
  'CustomerEmailReserved.v1': "A customer's e-mail is taken, by the customer whose details stand here.",
  'IdempotencyRecorded.v1':
    'A request with an idempotency key was judged "yes" and is about to be carried out; written by earlier versions.',
  'IdempotencyRecorded.v2':
    'A request with an idempotency key was judged "yes" and is about to be carried out. `fingerprintVersion` is the version of the recipe of `fingerprint`.',
  'NumberTaken.v1': 'A command has taken the next number of a sequence: 1 + the revision of this event.',
  'ParkedRetryRequested.v1': 'An operator wants a parked document to be folded again.',
};
