import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import { type CollectionDefinition, PUBLISHED_POSITION, type ReadModels } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';

/**
 * Returns the definition of the collection whose checkpoint is the published position: the position that all read models reflect, for
 * other processes. It has no documents. The checkpoint exists after the first catch-up; embedded stores write it once. Its version is the
 * sum of all versions, because releases before generations used this number.
 */
export function publishedPositionDefinition(projections: readonly AnyProjection[]): CollectionDefinition {
  return { name: PUBLISHED_POSITION, version: projections.reduce((sum, { version }) => sum + version, 0), indexes: [] };
}

/** Returns the published position that every read model reflects; undefined when there is none. @throws {StoreUnavailable} */
export async function readPublishedPosition(readModels: Pick<ReadModels, 'checkpoint'>): Promise<Position | undefined> {
  return await readModels.checkpoint(PUBLISHED_POSITION);
}

/** @throws the errors of `ReadModels.write` */
export async function publishPosition(
  readModels: Pick<ReadModels, 'write'>,
  position: Position,
  fence: Fence | undefined,
): Promise<void> {
  await readModels.write([[{ collection: PUBLISHED_POSITION, documents: [], checkpoint: position }]], fence);
}
