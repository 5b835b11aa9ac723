import { entryOf, feedOf } from '#projections/event-entries/event-entries.ts';
import { addressOf } from '#projections/projection.ts';
import { type Mode, modeOf } from '#domain/values/mode.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { logOrder, PLACES_PER_EVENT, type SortKey, type StoredDocument } from '#stores/read-models/read-models.ts';

/** The feed of a key: an index of `event_entries`, and the values of the entries that it shows. */
export interface Feed {
  readonly index: 'feed' | 'feed_mode';
  /** Those of the mode, and those that both modes see. */
  readonly values: readonly string[];
}

/** What a request asks of a feed. */
export interface FeedQuery {
  readonly feed: Feed;
  /** Id of the aggregate of which alone events are shown. */
  readonly subject: string | undefined;
}

/** Returns the feed of a merchant, or that of the platform, in a mode. */
export function feedFor(merchantId: string | undefined, testMode: boolean): Feed {
  const mode: Mode = modeOf(testMode);
  if (merchantId === undefined) return { index: 'feed_mode', values: [mode, 'both'] };
  return { index: 'feed', values: [feedOf(merchantId, mode), feedOf(merchantId, 'both')] };
}

/** Returns whether a feed shows an event that an entry finds. */
export function showsEntry({ index, values }: Feed, { indexes }: Pick<StoredDocument, 'indexes'>): boolean {
  return values.includes(String(indexes[index]));
}

/** Returns whether a feed shows a stored event. */
export function showsEvent(feed: Feed, event: RawEvent): boolean {
  return showsEntry(feed, { indexes: { ...entryOf(addressOf(event)) } });
}

/** Returns a sort key of entries between the events up to a position and those after it. */
export function keyOfPosition(position: Position): SortKey {
  return { order: logOrder(position, PLACES_PER_EVENT - 1) };
}
