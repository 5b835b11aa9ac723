import type { AnyProjection } from '../../projections/projection.ts';
import type { Position } from '../event-store/event-store.ts';
import type { CollectionDefinition, ReadModels } from '../read-models/read-models.ts';
import type { Fence } from '../records/records.ts';

const NAME = 'reached';

/**
 * A collection without documents whose checkpoint tells other processes how far all read models are together: those that
 * nothing concerns store their own seldom. As soon as a version of theirs is another, all of them are another generation, and with
 * them this one: a rebuild beside the live ones begins at nothing. Its own version matters only to the oldest generation, which
 * it must go on to be found in.
 */
export function reachedDefinition(projections: readonly AnyProjection[]): CollectionDefinition {
  return { name: NAME, version: projections.reduce((sum, { version }) => sum + version, 0), indexes: [] };
}

/** Everything up to here is reflected in every read model, as far as it was told; undefined: nothing was. @throws {StoreUnavailable} */
export async function readReached(readModels: Pick<ReadModels, 'checkpoint'>): Promise<Position | undefined> {
  return await readModels.checkpoint(NAME);
}

/** @throws as `ReadModels.write` does */
export async function publishReached(
  readModels: Pick<ReadModels, 'write'>,
  position: Position,
  fence: Fence,
): Promise<void> {
  await readModels.write(NAME, [], position, fence);
}
