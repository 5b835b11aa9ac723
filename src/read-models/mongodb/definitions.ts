import type { Collection, Db } from 'mongodb';

import { generationOf } from '../generation.ts';
import { type Builds, type CollectionDefinition, storedName } from '../read-models.ts';
import type { StoredForm } from './stored-form.ts';

/** Definition of a collection with its name in MongoDB. */
export interface MongoDefinition extends CollectionDefinition {
  readonly collectionName: string;
  /** Last part of the names in MongoDB of all its builds: the version and the generation. */
  readonly suffix: string;
}

/** Adds the names in MongoDB, which depend on the generation of all these definitions. */
export function toMongoDefinitions(definitions: readonly CollectionDefinition[]): readonly MongoDefinition[] {
  const generation = generationOf(definitions);
  return definitions.map((definition) => {
    const suffix = `_v${definition.version}_${generation}`;
    return { ...definition, suffix, collectionName: `${definition.name}${suffix}` };
  });
}

/** Returns the definition with the name in MongoDB of the build. */
export function inBuild(definition: MongoDefinition, builds: Builds): MongoDefinition {
  const { name, suffix } = definition;
  return { ...definition, collectionName: `${storedName(name, builds[name])}${suffix}` };
}

export function collectionOf(database: Db, { collectionName }: MongoDefinition): Collection<StoredForm> {
  return database.collection<StoredForm>(collectionName);
}
