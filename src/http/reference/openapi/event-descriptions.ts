import type { EventType } from '#domain/events.ts';
import type { WireName } from '#event-sourcing/event.ts';

export const EVENT_DESCRIPTIONS: Readonly<Record<WireName<EventType>, string>> = {
  'MerchantRegistered.v1': 'A merchant was registered under a unique short code.',
  'MerchantUpdated.v1': 'Details of a merchant were changed; `changes` contains the new values only.',
  'MerchantKycConfirmed.v1': 'The platform has verified the merchant (`kyc_verified`).',
  'MerchantVerificationRequested.v1':
    'A verification mail was requested. The token is computed when the mail is sent: the event contains only its serial number and its expiry.',
  'MerchantVerified.v1': 'The merchant has verified its e-mail with the token of this serial number (`is_active`).',
  'EnvironmentCreated.v1': 'An environment of a merchant was created, in live or test mode, with its time zone.',
  'ApiKeyIssued.v1': 'An API key was issued; the event contains only its SHA-256.',
  'ApiKeyRevoked.v1': 'An API key was revoked.',
  'ProviderRegistered.v1':
    'An insurer was registered; `visibility` is live, test or both. With a `merchantId` only this merchant sees it: its key registered it, until it is confirmed, or its import (`imported`), permanently.',
  'ProviderUpdated.v1': 'Details of an insurer were changed; `changes` contains the new values only.',
  'ProviderConfirmed.v1': 'An insurer that a merchant registered is visible to every merchant.',
  'ProviderWithdrawn.v1': 'An insurer was withdrawn: it is no longer listed, and its products are no longer quoted.',
  'ProductAdded.v1':
    'A product of an insurer was added, with its rating. With a `merchantId` only this merchant sees it: its import added it or the insurer. Without one everyone sees it who sees the insurer.',
  'ProductUpdated.v1': 'A product was changed; `changes` contains the new values only, with complete lists.',
  'ProductWithdrawn.v1': 'A product was withdrawn: it is no longer quoted.',
  'ProductRestored.v1': 'A withdrawn product was restored.',
  'CustomerRegistered.v1': 'A customer of a merchant was registered, with the first purchase or imported policy.',
  'CustomerUpdated.v1':
    'Details of a customer were changed, by the merchant, the back office or a later purchase; `changes` contains the new values only.',
  'QuotesOffered.v1':
    'A request for quotes, with its input and all offers, which are found by `quote_code` and `purchase_id`.',
  'PolicyImported.v1':
    'A policy was imported with its first term, its coverages and its time zone. Its business day is the start of the term.',
  'PolicyTermImported.v1': 'Another term of an imported policy, with its coverages.',
  'PolicyPurchased.v1':
    'A policy was purchased with a quote, with the names, prices and coverages at that time, the rules for its cancellation and its time zone. Its business day is the start of the term.',
  'PolicyActivated.v1':
    'An accepted policy became active, on its start day or by the platform. Where the platform activated it after its first day, its term moved.',
  'PolicyRenewed.v1':
    'A policy was renewed with another term, its price and its coverages. The business day is the start of the term.',
  'PolicyChanged.v1':
    'Coverages of a policy were changed from its business day on: the rest of the term of that day and every later term, with their new prices and `difference`, what each costs more.',
  'PolicyChangeWithdrawn.v1':
    'A change of coverages was taken back before its business day, because cover ends earlier: its terms have the prices and periods of before.',
  'TermWithdrawn.v1': 'The last term was taken back before it began; its premium is returned in full.',
  'BeneficiariesSet.v1': 'The beneficiaries of a policy were replaced; none: there are no longer any.',
  'AutoRenewalSwitched.v1': 'Automatic renewal was switched on or off.',
  'AutoRenewalStopped.v1': 'A due renewal cannot succeed, so automatic renewal was switched off.',
  'PolicyCancelled.v1':
    'A policy was cancelled, with what is returned of each term. The reason may be null: an import may not know it. The business day is the last day of cover.',
  'PolicyDeclined.v1':
    'An accepted policy was declined; it never covers anything, and its premium is returned in full.',
  'PolicyReinstated.v1':
    'A cancellation was undone, with what is owed again of each term. The business day is that of the cancellation.',
  'ClaimPaymentBooked.v1':
    'A payment of a claim was booked: it is made, and counts against the limit of its coverage in its term. Its business day is the day of the payment.',
  'ClaimPaymentRefused.v1':
    'The policy does not book a payment of a claim, because the limit of the coverage would be passed, or the day of the incident is no longer covered.',
  'ClaimPaymentUnbooked.v1': 'A payment of a claim was reversed: from its business day on it counts nowhere.',
  'ClaimSubmitted.v1':
    'A claim was filed. The contents of its documents are stored in records, under their SHA-256 in this event. Its days are those of the time zone.',
  'ClaimImported.v1':
    'A claim was imported: its filing. Its status and amounts are in the next event of the same append.',
  'ClaimSettlementImported.v1':
    'The status of an imported claim, with its amounts. Its business day is the day of the settlement; of an open claim the day of the filing. A claim that is only submitted has none.',
  'ClaimReviewStarted.v1': 'The review of a claim was started.',
  'ClaimSentForApproval.v1': 'A claim was sent for approval.',
  'ClaimApproved.v1': 'A claim was approved.',
  'ClaimOfferSent.v1': 'An offer was sent to the claimant.',
  'ClaimOfferAccepted.v1': 'The claimant has accepted the offer.',
  'ClaimOfferRejected.v1': 'The claimant has rejected the offer; the claim is approved and waits for another one.',
  'ClaimPaymentStarted.v1':
    'A payment was decided. The policy has not booked it yet, so it counts nowhere, and the claim takes nothing but its end. Its business day is the day of the decision.',
  'ClaimPaymentRejected.v1':
    'A payment was not made, because the policy has refused it: the limit would have been passed, or the incident is no longer covered.',
  'ClaimPaid.v1':
    'A payment was made, after the policy had booked it; or, without a payment, the claim was closed after earlier ones. A final one closes the claim. Its business day is the day of the payment.',
  'ClaimPaymentReversalStarted.v1':
    'The reversal of a payment was decided. The policy has not booked it yet, and the claim takes nothing but its end.',
  'ClaimPaymentReversed.v1':
    'A payment was taken back: from its business day on it counts nowhere. `stage` is that of the claim afterwards.',
  'ClaimDenied.v1': 'A claim of which nothing was paid was denied, which closes it.',
  'ClaimWithdrawn.v1': 'A claim of which nothing was paid was taken back, which closes it.',
  'ClaimReopened.v1':
    'A paid, denied or withdrawn claim was taken under review again. Its approval and offer are void; its payments stay.',
  'ClaimRevised.v1':
    'What is claimed was corrected; the event has all of it. If the claim is reviewed again, its approval and offer are void.',
  'ClaimNoteAdded.v1': 'A note was added to a claim. Its author is the actor.',
  'ClaimDocumentsAdded.v1':
    'Documents were added to a claim. Their contents are stored in records, under their SHA-256 in this event.',
  'MailRequested.v1':
    'A mail was requested; `reason` is an event, a retry, a job that no mailer has taken up, or an operator.',
  'MailAttempted.v1': 'An attempt to send a mail has started; `attempt` is its number.',
  'MailSent.v1': 'The mail server has accepted the mail.',
  'MailRefused.v1': 'The mail server has refused the mail; the next attempt is at `retryAt`.',
  'MailParked.v1': 'The mail is parked: it is not retried automatically.',
  'MailDropped.v1': 'The mail is obsolete and was not sent.',
  'ValueReserved.v1':
    'A unique value was reserved permanently. The event contains the whole command, so that an interrupted command can be completed.',
  'CustomerReserved.v1':
    "A customer's reference, or its e-mail and name, was reserved. The event contains the details of the customer with this value.",
  'IdempotencyRecorded.v1': 'A command with an idempotency key was accepted and is about to be executed.',
  'NumberTaken.v1': 'A command has taken the next number of a sequence: 1 + the revision of this event.',
  'ParkedRetryRequested.v1': 'An operator requested that a parked document be folded again.',
  'RebuildRequested.v1': 'An operator requested that read models be rebuilt from the log.',
  'RebuildEnded.v1':
    'A rebuild has ended. `completed`: its documents are served; `superseded`: all read models were built from the log after the request; `refused`: the log is damaged, or documents that are served would be parked.',
};
