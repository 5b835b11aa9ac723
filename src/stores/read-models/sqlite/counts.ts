import type { DatabaseSync } from 'node:sqlite';
import { identifier, type Select, select } from '../../sqlite/database.ts';
import type { CollectionDefinition } from '../read-models.ts';

type Named = Pick<CollectionDefinition, 'name'>;

/**
 * Returns the SQL that creates the table of counts, and the triggers that keep the number of listed documents of each
 * value of the indexes. They run in the transaction of the document, so a count always equals the list.
 * @param columnOf returns the quoted column of an index
 */
export function createCounts(
  collection: Named,
  table: string,
  indexes: readonly string[],
  columnOf: (index: string) => string,
): string {
  const counts = nameOf(collection);
  const forEach = (sql: (index: string, column: string) => string): string =>
    indexes.map((index) => sql(`'${index.replaceAll("'", "''")}'`, columnOf(index))).join('\n');
  const add = forEach(
    (index, column) => `
      INSERT INTO ${counts} SELECT ${index}, new.${column}, 1 WHERE new.listed = 1 AND new.${column} IS NOT NULL
      ON CONFLICT DO UPDATE SET number = number + 1;`,
  );
  const subtract = forEach(
    (index, column) => `
      UPDATE ${counts} SET number = number - 1 WHERE index_name = ${index} AND value = old.${column} AND old.listed = 1;`,
  );
  const trigger = (event: string, when: string, actions: string): string =>
    `CREATE TRIGGER ${identifier(`${collection.name}_${event}`)} AFTER ${when} ON ${table} BEGIN ${actions} END;`;
  return `
    CREATE TABLE ${counts} (
      index_name TEXT NOT NULL,
      value ANY NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (index_name, value)
    ) STRICT, WITHOUT ROWID;
    ${trigger('inserted', 'INSERT', add)}
    ${trigger('updated', `UPDATE OF ${['listed', ...indexes.map(columnOf)].join(', ')}`, `${subtract} ${add}`)}
    ${trigger('deleted', 'DELETE', subtract)}`;
}

export function prepareCount(database: DatabaseSync, collection: Named): Select {
  return select(database, `SELECT number FROM ${nameOf(collection)} WHERE index_name = ? AND value = ?`);
}

function nameOf({ name }: Named): string {
  return identifier(`${name}_counts`);
}
