import { categoryOf } from '#event-sourcing/aggregate.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import { AGGREGATES, type EventType, typeOf } from './events.ts';

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
  'PolicyChangeWithdrawn',
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

const PUBLIC_TYPES: ReadonlySet<string> = new Set(PUBLIC_EVENT_TYPES);

/** Categories of the streams with public events. */
export const PUBLIC_CATEGORIES = ['policy', 'claim', 'merchant', 'provider', 'product'] as const;
const OTHER_CATEGORIES: ReadonlySet<string> = new Set(
  AGGREGATES.map(({ category }) => category).filter(
    (category) => !(PUBLIC_CATEGORIES as readonly string[]).includes(category),
  ),
);

/**
 * Returns whether an event is public, without decoding it. An event of a type that this version does not know counts as public, because a
 * newer version may publish it; but not in the stream of an aggregate without public events.
 */
export function isPublicEvent({
  stream,
  type,
  isAltered,
}: Pick<RawEvent, 'stream' | 'type'> & { readonly isAltered?: boolean | undefined }): boolean {
  // Its type may be what was altered.
  const known = isAltered === true ? undefined : typeOf({ type });
  return known === undefined ? !OTHER_CATEGORIES.has(categoryOf(stream)) : PUBLIC_TYPES.has(known);
}

/** Returns the merchant to which an event belongs; undefined for events of insurers and products, whose metadata may name one too. */
export function merchantOfEvent(stream: string, { merchant }: Readonly<Record<string, unknown>>): string | undefined {
  if (['provider', 'product'].includes(categoryOf(stream))) return undefined;
  return typeof merchant === 'string' ? merchant : undefined;
}
