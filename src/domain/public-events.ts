import { categoryOf } from '#event-sourcing/aggregate.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import { AGGREGATES, type EventType, typeOf } from './events.ts';

/** Categories of the streams with public events. */
export const PUBLIC_CATEGORIES = ['policy', 'claim', 'merchant', 'provider', 'product'] as const;

/**
 * The events of these aggregates that stay inside. All others are published, on Kafka and in the feed, so that a new
 * one needs a translation in `src/public-events` or an entry here. The indexes of the feed follow: another public type
 * raises the version of `projections/event-entries`.
 */
const INTERNAL_EVENT_TYPES = [
  'BeneficiariesSet',
  'ClaimAssigned',
  'ClaimPaymentBooked',
  'ClaimPaymentRefused',
  'ClaimPaymentUnbooked',
  'ClaimPaymentStarted',
  'ClaimPaymentRejected',
  'ClaimPaymentReversalStarted',
  'MerchantKycConfirmed',
  'MerchantVerificationRequested',
] as const satisfies readonly EventType[];
export type InternalEventType = (typeof INTERNAL_EVENT_TYPES)[number];

const isPublicCategory = (category: string): boolean => (PUBLIC_CATEGORIES as readonly string[]).includes(category);
const isInternal = (type: string): boolean => (INTERNAL_EVENT_TYPES as readonly string[]).includes(type);

/** The types of the stored events that are published. */
export const PUBLIC_EVENT_TYPES: ReadonlySet<string> = new Set(
  AGGREGATES.filter(({ category }) => isPublicCategory(category)).flatMap(({ events }) =>
    events.flatMap(({ type }) => (isInternal(type) ? [] : [type])),
  ),
);

const OTHER_CATEGORIES: ReadonlySet<string> = new Set(
  AGGREGATES.flatMap(({ category }) => (isPublicCategory(category) ? [] : [category])),
);

/**
 * Returns whether an event is public, without decoding it. An event of a type that this version does not know counts as
 * public, because a newer version may publish it; but not in the stream of an aggregate without public events.
 */
export function isPublicEvent({
  stream,
  type,
  isAltered,
}: Pick<RawEvent, 'stream' | 'type'> & { readonly isAltered?: boolean | undefined }): boolean {
  // Its type may be what was altered.
  const known = isAltered === true ? undefined : typeOf({ type });
  return known === undefined ? !OTHER_CATEGORIES.has(categoryOf(stream)) : PUBLIC_EVENT_TYPES.has(known);
}

/**
 * Returns the merchant to which an event belongs; undefined for events of insurers and products, whose metadata may
 * name one too.
 */
export function merchantOfEvent(stream: string, { merchant }: Readonly<Record<string, unknown>>): string | undefined {
  if (['provider', 'product'].includes(categoryOf(stream))) return undefined;
  return typeof merchant === 'string' ? merchant : undefined;
}
