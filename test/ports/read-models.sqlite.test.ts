import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { nameOfReadModels } from '#service/config/data-folder.ts';
import { hashOf } from '#stores/read-models/collection-definitions.ts';
import type { CollectionDefinition, Generation, ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels, openSqliteReadModelsReader } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { pragma } from '#stores/sqlite/database.ts';
import { describeReadModels } from './read-models.suite.ts';
import { claims, counted, findKeys, policies, policy } from './read-models/subject.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

describeReadModels('SQLite', async () => {
  const { folder, remove } = temporaryFolder();
  let readModels: ReadModels | undefined;
  return {
    open: async (definitions) => {
      await readModels?.close();
      readModels = openSqliteReadModels({ folder, definitions });
      return readModels;
    },
    dispose: async () => {
      await readModels?.close();
      remove();
    },
  };
});

const PAGE_BYTES = 4_096;

describe('read models: SQLite only', () => {
  const now = async (): Promise<boolean> => await Promise.resolve(true);
  let folder: string;
  let remove: () => void;
  beforeEach(() => {
    const place = temporaryFolder();
    folder = join(place.folder, 'data');
    remove = place.remove;
  });
  afterEach(() => remove());

  const fileOf = (definitions: readonly CollectionDefinition[], number: number): string =>
    join(folder, nameOfReadModels(hashOf(definitions), number));
  const query = (file: string, sql: string): readonly unknown[] => {
    const database = new DatabaseSync(file);
    const rows = database.prepare(sql).all();
    database.close();
    return rows.flatMap((row) => Object.values(row));
  };

  test('use a write-ahead log that is synced at checkpoints', async () => {
    const settings: unknown[] = [];
    const onOpened = (database: Parameters<typeof pragma>[0]): void => {
      settings.push(pragma(database, 'journal_mode'), pragma(database, 'synchronous'));
    };
    const readModels = openSqliteReadModels({ folder, definitions: [policies], onOpened });
    await readModels.takeOver(0);
    await readModels.close();
    expect(settings).toEqual(['wal', 1]);
  });

  test('a reader beside the writer reads what was served when it was opened, also when that is dropped', async () => {
    const options = { folder, definitions: [policies] };
    const writer = openSqliteReadModels(options);
    await expect(openSqliteReadModelsReader(options)).rejects.toMatchObject({ name: 'NoneServed' });
    const served = await takeOverServed(writer);
    await writeDocuments(served, 'policies', [policy('p-1')], 1n);
    const reader = await openSqliteReadModelsReader(options);
    await writeDocuments(served, 'policies', [policy('p-2')], 2n);
    await writeDocuments(await writer.takeOver(1), 'policies', [policy('p-1')], 3n);
    await writer.serve(1, now);
    await writer.dropUnused();
    expect((await reader.scan('policies', { after: undefined, limit: 10 })).map(({ key }) => key)).toEqual([
      'p-1',
      'p-2',
    ]);
    expect((await reader.checkpoint())?.position).toBe(2n);
    expect((await reader.find('policies', { limit: 0, offset: 0 })).count).toBe(2);
    await reader.close();
    await writer.close();
  });

  test('a reader passes over a newer file that is damaged, or that a start has not filled', async () => {
    const options = { folder, definitions: [policies] };
    const writer = openSqliteReadModels(options);
    await writeDocuments(await takeOverServed(writer), 'policies', [policy('p-1')], 1n);
    writeFileSync(fileOf([policies], 1), 'no database at all, '.repeat(500));
    writeFileSync(fileOf([policies], 2), '');
    const reader = await openSqliteReadModelsReader(options);
    expect((await reader.checkpoint())?.position).toBe(1n);
    await reader.close();
    await writer.close();
    writeFileSync(fileOf([policies], 0), 'no database at all, '.repeat(500));
    await expect(openSqliteReadModelsReader(options)).rejects.toMatchObject({ name: 'StoreDamaged' });
  });

  test('the first generation is filled without the indexes of lists; one beside it has them from the start', async () => {
    const definitions = [policies, claims];
    const readModels = openSqliteReadModels({ folder, definitions });
    const listIndexes = (number: number): readonly unknown[] =>
      query(fileOf(definitions, number), "SELECT name FROM sqlite_master WHERE name LIKE '%_by_%' ORDER BY name");
    const all = policies.indexes.map((name) => `policies_by_${name}`).toSorted();
    await writeDocuments(await readModels.takeOver(0), 'policies', [policy('p')], 1n);
    expect(listIndexes(0)).toEqual([]);
    await readModels.serve(0, now);
    expect(listIndexes(0)).toEqual(all);
    await readModels.takeOver(1);
    expect(listIndexes(1)).toEqual(all);
    await readModels.close();
  });

  test('a damaged file is set aside and not served, when it is opened and when a read meets the damage', async () => {
    const definitions = [policies];
    const file = fileOf(definitions, 0);
    const fill = async (readModels: ReadModels): Promise<Generation> => {
      const generation = await takeOverServed(readModels);
      const body = JSON.stringify('x'.repeat(20_000));
      const documents = Array.from({ length: 40 }, (_, number) => policy(`p-${number}`, { body }));
      await writeDocuments(generation, 'policies', documents, 1n);
      return generation;
    };
    let readModels = openSqliteReadModels({ folder, definitions });
    await fill(readModels);
    await readModels.close();
    writeFileSync(file, 'no database at all, '.repeat(500));
    readModels = openSqliteReadModels({ folder, definitions });
    expect((await readModels.inspect()).served).toBeUndefined();
    expect([existsSync(file), existsSync(`${file}.damaged`)]).toEqual([false, true]);
    await fill(readModels);
    await readModels.close();
    query(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const [root] = query(file, "SELECT rootpage FROM sqlite_master WHERE name = 'policies'");
    const bytes = readFileSync(file);
    bytes.fill(0xff, (Number(root) - 1) * PAGE_BYTES, Number(root) * PAGE_BYTES);
    writeFileSync(file, bytes);
    readModels = openSqliteReadModels({ folder, definitions });
    expect((await readModels.inspect()).served).toBe(0);
    await expect(readModels.scan('policies', { after: undefined, limit: 100 })).rejects.toMatchObject({
      name: 'StoreDamaged',
    });
    const taken = await readModels.takeOver(0).catch((error: unknown) => error);
    expect(taken).toMatchObject({ name: 'StoreDamaged' });
    expect((await readModels.inspect()).served).toBeUndefined();
    await fill(readModels);
    expect((await findKeys(readModels, { limit: 0 })).count).toBe(40);
    await readModels.close();
  });

  test('a file that is set aside replaces no file of an earlier damage, nor is put beside its write-ahead log', async () => {
    const file = fileOf([policies], 0);
    mkdirSync(folder);
    const setAside = async (content: string): Promise<void> => {
      writeFileSync(file, content.repeat(500));
      const readModels = openSqliteReadModels({ folder, definitions: [policies] });
      expect((await readModels.inspect()).served).toBeUndefined();
      await readModels.close();
    };
    const setAsideFiles = () =>
      readdirSync(folder).flatMap((name) => {
        const content = readFileSync(join(folder, name), 'utf8').split(',')[0];
        return name.includes('.damaged') ? [`${name.slice(name.indexOf('.db'))}: ${content}`] : [];
      });
    await setAside('the first,');
    await setAside('the second,');
    expect(setAsideFiles().toSorted()).toEqual(['.db.2.damaged: the second', '.db.damaged: the first']);
    renameSync(`${file}.damaged`, `${file}.damaged-wal`);
    await setAside('the third,');
    expect(setAsideFiles().toSorted()).toEqual([
      '.db.2.damaged: the second',
      '.db.3.damaged: the third',
      '.db.damaged-wal: the first',
    ]);
  });

  test('a list is counted without reading its entries, also after rows were deleted', async () => {
    const definitions = [counted];
    const readModels = openSqliteReadModels({ folder, definitions });
    const change = (sql: string): void => {
      const database = new DatabaseSync(fileOf(definitions, 0));
      database.exec(sql);
      database.close();
    };
    const count = async (): Promise<number> =>
      (await findKeys(readModels, { where: { test: false }, limit: 0 }, 'counted')).count;
    await writeDocuments(await takeOverServed(readModels), 'counted', [policy('a'), policy('b'), policy('c')], 1n);
    change("DELETE FROM counted WHERE key = 'a'");
    expect(await count()).toBe(2);
    change('DROP TRIGGER counted_deleted; DELETE FROM counted');
    expect(await count()).toBe(2);
    await readModels.close();
  });
});
