import { createHash } from 'node:crypto';
import type { CollectionDefinition } from './read-models.ts';

const DIGITS = 12;

/**
 * Returns the id of a set of collection versions. Each generation has separate collections and a separate
 * leader of the projector, so processes of an older release can share the database with newer ones until they are stopped.
 */
export function generationOf(definitions: readonly Pick<CollectionDefinition, 'name' | 'version'>[]): string {
  const set = definitions.map(({ name, version }) => `${name} ${version}`).toSorted();
  return createHash('sha256').update(set.join('\n')).digest('hex').slice(0, DIGITS);
}
