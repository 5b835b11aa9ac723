import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import type { ReadModels } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels, openSqliteReadModelsReader } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { pragma } from '#stores/sqlite/database.ts';
import { describeReadModels } from './read-models.suite.ts';
import { claims, counted, findKeys, policies, policy } from './read-models/subject.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { writeDocuments } from '../support/write-documents.ts';

describeReadModels('SQLite', async () => {
  const { folder, remove } = temporaryFolder();
  const open = (): ReadModels => openSqliteReadModels({ file: join(folder, 'read-models.db') });
  let readModels = open();
  return {
    readModels,
    reopen: async () => {
      await readModels.close();
      readModels = open();
      return readModels;
    },
    dispose: async () => {
      await readModels.close();
      remove();
    },
  };
});

describe('read models: SQLite only', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.folder, 'data', 'read-models.db');
  });
  afterEach(() => folder.remove());

  test('use a write-ahead log that is synced at checkpoints', async () => {
    const settings: unknown[] = [];
    const onOpened = (database: Parameters<typeof pragma>[0]): void => {
      settings.push(pragma(database, 'journal_mode'), pragma(database, 'synchronous'));
    };
    const readModels = openSqliteReadModels({ file, onOpened });
    await readModels.open([policies]);
    await readModels.close();
    expect(settings).toEqual(['wal', 1]);
  });

  test('a reader beside the writer reads the new documents after a switch, also when the old ones are dropped', async () => {
    const all = [policies, { name: 'reached', version: 1, indexes: [] }];
    const writer = openSqliteReadModels({ file });
    await writer.open(all);
    await writeDocuments(writer, 'policies', [policy('p-1')], 1n);
    const reader = openSqliteReadModelsReader(file);
    await reader.open(all);
    const readKeys = async (): Promise<readonly string[]> =>
      (await reader.scan('policies', { after: undefined, limit: 10 })).map(({ key }) => key);
    expect(await readKeys()).toEqual(['p-1']);
    await writer.createListIndexes();
    expect((await reader.find('policies', { limit: 0, offset: 0 })).count).toBe(1);
    const beside = await writer.openBuild('0123456789ab', ['policies']);
    await writeDocuments(beside, 'policies', [policy('p-1'), policy('p-2')], 2n);
    expect(await readKeys()).toEqual(['p-1']);
    await writer.serveBuilds({ policies: '0123456789ab' });
    expect(await readKeys()).toEqual(['p-1', 'p-2']);
    await writer.dropBuilds(async () => []);
    expect(await readKeys()).toEqual(['p-1', 'p-2']);
    expect(await reader.checkpoint('policies')).toBe(2n);
    expect((await reader.find('policies', { limit: 0, offset: 0 })).count).toBe(2);
    await reader.close();
    await writer.close();
  });

  test('a table is filled without the indexes of lists, which a list or a call creates; a build has them from the start', async () => {
    const readModels = openSqliteReadModels({ file });
    await readModels.open([policies, claims]);
    const listIndexes = (): readonly string[] => {
      const database = new DatabaseSync(file, { readOnly: true });
      const names = database.prepare("SELECT name FROM sqlite_master WHERE name LIKE '%_by_%' ORDER BY name").all();
      database.close();
      return names.map(({ name }) => String(name));
    };
    await writeDocuments(readModels, 'policies', [policy('p')], 1n);
    expect(listIndexes()).toEqual([]);
    const ofPolicies = ['age', ...policies.indexes].map((name) => `policies_v1_by_${name}`).toSorted();
    expect(await findKeys(readModels, { where: { merchant: 'm1' } })).toEqual({ count: 1, keys: ['p'] });
    expect(listIndexes()).toEqual(ofPolicies);
    await readModels.createListIndexes();
    expect(listIndexes()).toEqual(expect.arrayContaining(['claims_v1_by_age', ...ofPolicies]));
    await readModels.openBuild('0123456789ab', ['policies']);
    expect(listIndexes()).toContain('policies_r0123456789ab_v1_by_age');
    await readModels.close();
  });

  test('a list is counted without reading its entries, also after rows were deleted and in a build that is opened again', async () => {
    const readModels = openSqliteReadModels({ file });
    await readModels.open([counted]);
    const write = async (into: ReadModels): Promise<void> =>
      await writeDocuments(into, 'counted', [policy('a'), policy('b'), policy('c')], 1n);
    const change = (sql: string): void => {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    };
    const countIn = async (one: ReadModels): Promise<number> =>
      (await findKeys(one, { where: { test: false }, limit: 0 }, 'counted')).count;
    await write(readModels);
    change("DELETE FROM counted_v1 WHERE key = 'a'");
    expect(await countIn(readModels)).toBe(2);
    change('DROP TRIGGER counted_v1_deleted; DELETE FROM counted_v1');
    expect(await countIn(readModels)).toBe(2);
    const build = async (): Promise<ReadModels> => await readModels.openBuild('0123456789ab', ['counted']);
    await write(await build());
    await readModels.dropBuilds(async () => []);
    expect(await countIn(await build())).toBe(0);
    await write(await build());
    expect(await countIn(await build())).toBe(3);
    await readModels.close();
  });
});
