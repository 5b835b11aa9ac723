import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import { newParts } from './parts.ts';
import { countKey, type CountToWrite, type StoredCount } from '../read-models/read-models.ts';

/** A document got a body, or lost it, by the event at a position. */
export interface BodyChange {
  /** The body that the document got or lost. */
  readonly body: unknown;
  readonly delta: 1 | -1;
  readonly position: Position;
}

/** Changes of counts, by the key of the count. */
export type CountChanges = ReadonlyMap<string, readonly BodyChange[]>;

/** Returns which bodies an event created and removed: those of the parts, or else that of the document. */
export function bodyChangesOf(
  projection: AnyProjection,
  before: unknown,
  after: unknown,
  position: Position,
): readonly BodyChange[] {
  if (projection.parts === undefined) return changesBetween(before, after, position);
  return newParts(projection, before, after).map(({ document }) => ({ body: document, delta: 1, position }));
}

function changesBetween(before: unknown, after: unknown, position: Position): readonly BodyChange[] {
  if ((before === undefined) === (after === undefined)) return [];
  return [before === undefined ? { body: after, delta: 1, position } : { body: before, delta: -1, position }];
}

/** Groups the changes of documents by the counts of their collection. */
export function countChangesOf(projection: AnyProjection, changes: readonly BodyChange[]): CountChanges {
  const grouped = new Map<string, BodyChange[]>();
  const { countedBy } = projection;
  if (countedBy === undefined) return grouped;
  for (const change of changes) {
    const values = projection.indexes(change.body as never);
    for (const index of countedBy) {
      const value = values[index] ?? null;
      if (value === null) continue;
      const key = countKey(index, value);
      const group = grouped.get(key);
      if (group === undefined) grouped.set(key, [change]);
      else group.push(change);
    }
  }
  return grouped;
}

/**
 * Returns the counts after the changes. Changes up to the position of a stored count are included in it already: an event that is
 * applied again, because its documents were not written, counts once.
 */
export function nextCounts(changes: CountChanges, stored: readonly StoredCount[]): readonly CountToWrite[] {
  const byKey = new Map(stored.map((count) => [count.key, count]));
  const counts: CountToWrite[] = [];
  for (const [key, all] of changes) {
    const before = byKey.get(key);
    const later = all.filter(({ position }) => before === undefined || position > before.position);
    if (later.length === 0) continue;
    const number = later.reduce((sum, { delta }) => sum + delta, before?.number ?? 0);
    const position = later.reduce((last, change) => (change.position > last ? change.position : last), 0n);
    counts.push({ key, number, position, replaces: before?.position ?? null });
  }
  return counts;
}
