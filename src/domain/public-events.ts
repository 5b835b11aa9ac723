import type { EventType } from './events.ts';

/**
 * The types of the stored events that are published, on Kafka and in the feed. The indexes of the feed follow from this list: a type
 * that is added raises the version of `projections/event-entries`.
 */
export const PUBLIC_EVENT_TYPES = [
  'PolicyPurchased',
  'PolicyImported',
  'PolicyTermImported',
  'PolicyActivated',
  'PolicyRenewed',
  'PolicyChanged',
  'TermWithdrawn',
  'AutoRenewalSwitched',
  'AutoRenewalStopped',
  'PolicyCancelled',
  'PolicyDeclined',
  'PolicyReinstated',
  'ClaimSubmitted',
  'ClaimImported',
  'ClaimSettlementImported',
  'ClaimReviewStarted',
  'ClaimSentForApproval',
  'ClaimApproved',
  'ClaimOfferSent',
  'ClaimOfferAccepted',
  'ClaimOfferRejected',
  'ClaimPaid',
  'ClaimPaymentReversed',
  'ClaimDenied',
  'ClaimWithdrawn',
  'ClaimReopened',
  'ClaimRevised',
  'ClaimNoteAdded',
  'ClaimDocumentsAdded',
  'MerchantRegistered',
  'MerchantUpdated',
  'MerchantVerified',
  'ProviderRegistered',
  'ProviderUpdated',
  'ProviderConfirmed',
  'ProviderWithdrawn',
  'ProductAdded',
  'ProductUpdated',
  'ProductWithdrawn',
  'ProductRestored',
] as const satisfies readonly EventType[];

export type PublicEventType = (typeof PUBLIC_EVENT_TYPES)[number];
