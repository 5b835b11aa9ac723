import type { DatabaseSync } from 'node:sqlite';

import { inTransaction, select } from '../../sqlite/database.ts';
import { type CollectionDefinition, declaredIndexes } from '../read-models.ts';
import { tableOf } from './collection-table.ts';
import { dropCounts } from './counts.ts';

/** Catalog of all collection versions in the file, with their indexes, checkpoints and fencing tokens. */
const schema = `
  CREATE TABLE IF NOT EXISTS catalog (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    indexes TEXT NOT NULL,
    checkpoint INTEGER,
    PRIMARY KEY (name, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS fences (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    token INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT, WITHOUT ROWID;
`;

const collectionName = /^[a-z][a-z0-9_-]*$/i;

/** Creates missing tables. @throws when an existing one was created with other indexes */
export function ensureCollections(
  database: DatabaseSync,
  definitions: readonly CollectionDefinition[],
  create: (definition: CollectionDefinition) => string,
): void {
  const names = new Set(definitions.map(({ name }) => name));
  if (names.size < definitions.length) throw new Error('A collection can be opened in one version only');
  inTransaction(database, () => {
    database.exec(schema);
    const existing = select(database, 'SELECT indexes FROM catalog WHERE name = ? AND version = ?');
    const add = database.prepare('INSERT INTO catalog (name, version, indexes) VALUES (?, ?, ?)');
    for (const definition of definitions) {
      const { name, version } = definition;
      checkDefinition(definition);
      const indexes = declaredIndexes(definition);
      const row = existing.get(name, version);
      if (row === undefined) {
        add.run(name, version, indexes);
        database.exec(create(definition));
      } else if (row[0] !== indexes) {
        throw new Error(
          `${name} version ${version} was created with the indexes (${String(row[0])}) but declares (${indexes}): raise its version`,
        );
      }
    }
  });
}

/** Drops the other versions of these collections. */
export function dropOtherVersions(database: DatabaseSync, definitions: readonly CollectionDefinition[]): void {
  inTransaction(database, () => {
    const others = select(database, 'SELECT version FROM catalog WHERE name = ? AND version <> ?');
    const remove = database.prepare('DELETE FROM catalog WHERE name = ? AND version = ?');
    for (const { name, version } of definitions) {
      for (const [other] of others.all(name, version)) {
        dropCounts(database, { name, version: Number(other) });
        database.exec(`DROP TABLE ${tableOf({ name, version: Number(other) })}`);
        remove.run(name, Number(other));
      }
    }
  });
}

function checkDefinition({ name, version, indexes }: CollectionDefinition): void {
  if (!collectionName.test(name)) throw new Error(`${name} cannot name a collection`);
  if (!Number.isSafeInteger(version) || version < 1) throw new Error(`${name} has the version ${version}`);
  const folded = new Set(indexes.map((index) => index.toLowerCase()));
  if (folded.size < indexes.length) throw new Error(`Two indexes of ${name} differ by case at most`);
}
