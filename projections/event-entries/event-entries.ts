import { isPublicEvent, merchantOfEvent, PUBLIC_CATEGORIES } from '#domain/public-events.ts';
import { modeOf, type Visibility } from '#domain/values/mode.ts';
import { categoryOf, idOf } from '#event-sourcing/aggregate.ts';
import type { EventAddress, RowProjection } from '../projection.ts';

/** What an event is found by. Its stream and revision are those of the stored row. */
export interface EventEntry {
  readonly customer: string | null;
  /** The merchant and the modes of a public event; null for one that belongs to no merchant. */
  readonly feed: string | null;
  /** The modes of a public event. */
  readonly feed_mode: Visibility | null;
}

/** Returns the value of the index `feed`. */
export function feedOf(merchantId: string, visibility: Visibility): string {
  return `${merchantId} ${visibility}`;
}

/**
 * The events of customers, policies, claims, merchants, providers and products in the order of the log, one row an
 * event, by the id of the event and without a body. The history of a customer and the feed of public events find events
 * by it, so that a page costs a page.
 */
export const eventEntries: RowProjection = {
  name: 'event_entries',
  version: 4,
  categories: ['customer', ...PUBLIC_CATEGORIES],
  indexNames: ['customer', 'feed', 'feed_mode'],
  rows: (address) => [{ key: address.id, document: {}, indexes: { ...entryOf(address) } }],
};

export function entryOf(address: EventAddress): EventEntry {
  return { customer: customerOf(address), ...feedsOf(address) };
}

/** Returns the customer of an event; null when its metadata name none. */
function customerOf({ stream, metadata: { customer } }: EventAddress): string | null {
  if (categoryOf(stream) === 'customer') return idOf(stream) || null;
  return typeof customer === 'string' && customer !== '' ? customer : null;
}

function feedsOf(address: EventAddress): Pick<EventEntry, 'feed' | 'feed_mode'> {
  if (!isPublicEvent(address)) return { feed: null, feed_mode: null };
  const { testMode } = address.metadata;
  const visibility = typeof testMode === 'boolean' ? modeOf(testMode) : 'both';
  const merchant = merchantOfEvent(address.stream, address.metadata);
  return { feed: merchant === undefined ? null : feedOf(merchant, visibility), feed_mode: visibility };
}
